package fanout

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

const ms = time.Millisecond

var errProvider = errors.New("provider failed")

// taking answers with its name after a time, or ends with its context.
func taking(name string, d time.Duration, err error) Call[string] {
	return Call[string]{Name: name, Run: func(ctx context.Context) (string, error) {
		if cut := sleep(ctx, d); cut != nil {
			return "", context.Cause(ctx)
		}
		return name, err
	}}
}

// inBubble runs a test in virtual time with a gatherer of its own.
func inBubble(t *testing.T, test func(t *testing.T, g *Gatherer)) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGatherer(6*time.Second, 8)
		test(t, g)
		if err := g.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// brief is a result without what differs for no reason.
func brief(results []Result[string]) []string {
	out := make([]string, len(results))
	for i, r := range results {
		state := "ok"
		switch {
		case !r.Done:
			state = "out"
		case r.Err != nil:
			state = "failed"
		}
		out[i] = r.Name + " " + state + " " + r.Elapsed.String()
	}
	return out
}

func TestGatherKeepsOrderAndFailsNobodyElse(t *testing.T) {
	inBubble(t, func(t *testing.T, g *Gatherer) {
		var order []string
		got := Gather(t.Context(), g, Limits{Hard: time.Second}, []Call[string]{
			taking("slow", 300*ms, nil), taking("failing", 10*ms, errProvider), taking("fast", 100*ms, nil),
		}, func(r Result[string]) { order = append(order, r.Name) })
		if diff := cmp.Diff([]string{"slow ok 300ms", "failing failed 10ms", "fast ok 100ms"}, brief(got)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"failing", "fast", "slow"}, order); diff != "" {
			t.Error("arrived:", diff)
		}
		if !errors.Is(got[1].Err, errProvider) || got[0].Value != "slow" {
			t.Errorf("got %+v", got)
		}
	})
}

func TestGatherLimits(t *testing.T) {
	calls := []Call[string]{taking("a", 100*ms, nil), taking("b", 400*ms, nil), taking("c", 900*ms, nil)}
	failing := []Call[string]{taking("a", 100*ms, errProvider), taking("b", 400*ms, nil), taking("c", 900*ms, nil)}
	for _, test := range []struct {
		name   string
		limits Limits
		calls  []Call[string]
		want   []string
	}{
		{"none", Limits{}, calls, []string{"a ok 100ms", "b ok 400ms", "c ok 900ms"}},
		{"soft, one has answered", Limits{Soft: 200 * ms}, calls, []string{"a ok 100ms", "b out 200ms", "c out 200ms"}},
		{"soft, nobody has yet", Limits{Soft: 50 * ms}, calls, []string{"a ok 100ms", "b out 100ms", "c out 100ms"}},
		{"soft, a failure is no answer", Limits{Soft: 200 * ms}, failing, []string{"a failed 100ms", "b ok 400ms", "c out 400ms"}},
		{"soft, the caller has an answer", Limits{Soft: 50 * ms, Have: true}, calls, []string{"a out 50ms", "b out 50ms", "c out 50ms"}},
		{"hard", Limits{Hard: 500 * ms}, calls, []string{"a ok 100ms", "b ok 400ms", "c out 500ms"}},
		{"hard before soft", Limits{Soft: time.Second, Hard: 50 * ms}, calls, []string{"a out 50ms", "b out 50ms", "c out 50ms"}},
		{"nothing to ask", Limits{Soft: 50 * ms}, nil, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, g *Gatherer) {
				got := Gather(t.Context(), g, test.limits, test.calls, nil)
				if diff := cmp.Diff(test.want, brief(got)); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// Two things may have happened while the caller was busy with an arrival: another
// answer came, and the time ran out. The answer counts.
func TestAnswerThatCameInTimeCounts(t *testing.T) {
	for range 20 { // A select between the two would toss a coin.
		inBubble(t, func(t *testing.T, g *Gatherer) {
			got := Gather(t.Context(), g, Limits{Hard: 450 * ms},
				[]Call[string]{taking("a", 100*ms, nil), taking("b", 400*ms, nil)},
				func(r Result[string]) {
					if r.Name == "a" {
						<-time.After(500 * ms)
					}
				})
			if diff := cmp.Diff([]string{"a ok 100ms", "b ok 400ms"}, brief(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStillOutSaysWhy(t *testing.T) {
	inBubble(t, func(t *testing.T, g *Gatherer) {
		got := Gather(t.Context(), g, Limits{Hard: 50 * ms}, []Call[string]{taking("a", 100*ms, nil)}, nil)
		var out *StillOutError
		if !errors.As(got[0].Err, &out) || out.Name != "a" || out.After != 50*ms {
			t.Fatalf("got %v", got[0].Err)
		}
		if !errors.Is(out, ErrStillOut) || !errors.Is(out, context.DeadlineExceeded) {
			t.Errorf("%v is neither still out nor a deadline", out)
		}
	})
}

func TestCallerLeavesAndLaggardFinishes(t *testing.T) {
	inBubble(t, func(t *testing.T, g *Gatherer) {
		type key struct{}
		ctx, cancel := context.WithCancelCause(context.WithValue(t.Context(), key{}, "kept"))
		gone := errors.New("the browser was closed")
		time.AfterFunc(50*ms, func() { cancel(gone) })
		var filled atomic.Value
		began := time.Now()
		got := Gather(ctx, g, Limits{}, []Call[string]{{Name: "a", Run: func(ctx context.Context) (string, error) {
			if err := sleep(ctx, 200*ms); err != nil {
				return "", err
			}
			filled.Store(ctx.Value(key{}))
			return "", nil
		}}}, nil)
		if took := time.Since(began); took != 50*ms || got[0].Done || !errors.Is(got[0].Err, gone) {
			t.Errorf("back after %v with %+v", took, got[0])
		}
		if n := g.Laggards(); n != 1 {
			t.Errorf("%d laggards", n)
		}
		<-time.After(200 * ms)
		if filled.Load() != "kept" || g.Laggards() != 0 {
			t.Errorf("laggard left %v, %d are out", filled.Load(), g.Laggards())
		}
	})
}

func TestCallsHaveALimitOfTheirOwn(t *testing.T) {
	inBubble(t, func(t *testing.T, g *Gatherer) {
		got := Gather(t.Context(), g, Limits{}, []Call[string]{taking("a", time.Minute, nil)}, nil)
		if !got[0].Done || got[0].Elapsed != 6*time.Second || !errors.Is(got[0].Err, context.DeadlineExceeded) {
			t.Errorf("got %+v", got[0])
		}
	})
}

func TestLaggardsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGatherer(6*time.Second, 2)
		var cut atomic.Int64
		call := Call[string]{Name: "a", Run: func(ctx context.Context) (string, error) {
			err := sleep(ctx, time.Second)
			if errors.Is(context.Cause(ctx), ErrTooManyLaggards) {
				cut.Add(1)
			}
			return "", err
		}}
		Gather(t.Context(), g, Limits{Hard: 10 * ms}, []Call[string]{call, call, call, call, call}, nil)
		synctest.Wait()
		if cut.Load() != 3 || g.Laggards() != 2 {
			t.Errorf("%d were cut off, %d are out", cut.Load(), g.Laggards())
		}
		if err := g.Drain(t.Context()); err != nil || cut.Load() != 3 {
			t.Errorf("drain: %v, %d cut off", err, cut.Load())
		}
	})
}

func TestDrainCancelsWhatIsTooSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGatherer(6*time.Second, 8)
		causes := make(chan error, 1)
		Gather(t.Context(), g, Limits{Hard: 10 * ms}, []Call[string]{{Name: "a", Run: func(ctx context.Context) (string, error) {
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return "", nil
		}}}, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := g.Drain(ctx)
		if !errors.Is(err, ErrDraining) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 calls") {
			t.Errorf("drain: %v", err)
		}
		if cause := <-causes; !errors.Is(cause, ErrDraining) {
			t.Errorf("the call was told %v", cause)
		}
	})
}

func TestPanicCostsOneAnswer(t *testing.T) {
	inBubble(t, func(t *testing.T, g *Gatherer) {
		got := Gather(t.Context(), g, Limits{}, []Call[string]{
			{Name: "a", Run: func(context.Context) (string, error) { panic("boom") }},
			taking("b", 10*ms, nil),
		}, nil)
		var p *PanicError
		if !errors.As(got[0].Err, &p) || p.Value != "boom" || !strings.Contains(string(p.Stack), "gather_test") {
			t.Errorf("got %v", got[0].Err)
		}
		if got[1].Err != nil {
			t.Errorf("its neighbour got %v", got[1].Err)
		}
	})
}

func TestLastCallOutIsMarked(t *testing.T) {
	inBubble(t, func(t *testing.T, g *Gatherer) {
		alone := func(at time.Duration, seen *bool) Call[string] {
			return Call[string]{Run: func(ctx context.Context) (string, error) {
				defer func() { _ = sleep(ctx, 10*ms) }()
				err := sleep(ctx, at)
				*seen = marksOf(ctx).alone.Load()
				return "", err
			}}
		}
		var first, last, left bool
		Gather(t.Context(), g, Limits{Hard: 500 * ms}, []Call[string]{alone(100*ms, &first), alone(300*ms, &last)}, nil)
		if first || !last {
			t.Errorf("alone: first %v, last %v", first, last)
		}
		Gather(t.Context(), g, Limits{Hard: 50 * ms}, []Call[string]{alone(100*ms, &left)}, nil)
		<-time.After(time.Second)
		synctest.Wait()
		if left {
			t.Error("a laggard counts as waited for")
		}
	})
}
