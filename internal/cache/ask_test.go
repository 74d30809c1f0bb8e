package cache

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// inBubble runs test in virtual time on the twin.
func inBubble(t *testing.T, test func(t *testing.T, c *Cache)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, mustOpen(t, Options{})) })
}

// slow is a fetch that takes a second and counts.
func slow(calls *atomic.Int64, v fare) Fetch[fare] {
	return func(ctx context.Context) (Filling[fare], error) {
		calls.Add(1)
		select {
		case <-time.After(time.Second):
			return answering(v)(ctx)
		case <-ctx.Done():
			return Filling[fare]{}, context.Cause(ctx)
		}
	}
}

type outcomeOf struct {
	answer Answer[fare]
	err    error
}

// asking asks in the background, after a lookup at once.
func asking(ctx context.Context, f *Typed[fare], q Question, fetch Fetch[fare]) <-chan outcomeOf {
	found := f.Lookup(ctx, market, []Question{q})[0]
	out := make(chan outcomeOf, 1)
	go func() {
		a, err := f.Ask(ctx, found, fetch)
		out <- outcomeOf{a, err}
	}()
	synctest.Wait()
	return out
}

func TestIdenticalQuestionsShareOneFetch(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		var waiting []<-chan outcomeOf
		for range 50 {
			waiting = append(waiting, asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 7})))
		}
		sources := map[Source]int{}
		for _, w := range waiting {
			got := <-w
			if got.err != nil || got.answer.Value.Version != 7 {
				t.Fatalf("answer %+v, error %v", got.answer, got.err)
			}
			sources[got.answer.Source]++
		}
		if diff := cmp.Diff(map[Source]int{Fetched: 1, Joined: 49}, sources); diff != "" || calls.Load() != 1 {
			t.Fatalf("%d fetches; sources (-want +got):\n%s", calls.Load(), diff)
		}
	})
}

// TestLateAskerFindsWhatArrived: between a lookup and its ask, another's call
// may have been through with everything.
func TestLateAskerFindsWhatArrived(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		late := find(t, f, question("q"))
		<-asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 7}))
		f.settle()
		got, err := f.Ask(t.Context(), late, slow(&calls, fare{Version: 8}))
		if err != nil || got.Value.Version != 7 || got.Source != Joined || calls.Load() != 1 {
			t.Errorf("answer %+v, error %v, after %d fetches", got, err, calls.Load())
		}
		mustSucceed(t, c.Invalidate(t.Context(), []string{"all"}))
		got, err = f.Ask(t.Context(), find(t, f, question("q")), slow(&calls, fare{Version: 8}))
		if err != nil || got.Value.Version != 8 {
			t.Errorf("after an invalidation: %+v, error %v", got, err)
		}
	})
}

func TestDifferentQuestionsShareNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		other := question("q")
		other.Kind = "amadeus"
		for _, q := range []Question{question("q"), question("r"), other} {
			defer func(w <-chan outcomeOf) { <-w }(asking(t.Context(), f, q, slow(&calls, fare{})))
		}
		if calls.Load() != 3 {
			t.Fatalf("%d fetches for three questions", calls.Load())
		}
	})
}

func TestLeavingHarmsNobody(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		ctx, hangUp := context.WithCancelCause(t.Context())
		first := asking(ctx, f, question("q"), slow(&calls, fare{Version: 1}))
		second := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 2}))
		gone := errors.New("the caller hung up")
		hangUp(gone)
		if got := <-first; !errors.Is(got.err, gone) {
			t.Errorf("who hung up got %v, want its own cause", got.err)
		}
		if got := <-second; got.err != nil || got.answer.Value.Version != 1 || calls.Load() != 1 {
			t.Errorf("who stayed got %+v after %d fetches", got, calls.Load())
		}
	})
}

func TestAbandonedFetchFillsItsEntry(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		type key struct{}
		ctx, hangUp := context.WithCancel(context.WithValue(t.Context(), key{}, "kept"))
		left := asking(ctx, f, question("q"), func(ctx context.Context) (Filling[fare], error) {
			if ctx.Value(key{}) != "kept" {
				t.Error("the fetch's context lost the caller's values")
			}
			return slow(&calls, fare{Version: 1})(ctx)
		})
		hangUp()
		<-left
		<-time.After(time.Second)
		f.settle()
		wantFare(t, find(t, f, question("q")), Hit, fare{Version: 1})
	})
}

func TestSharedFetchIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fares(mustOpen(t, Options{CallLimit: 3 * time.Second}))
		start := time.Now()
		_, err := f.Ask(t.Context(), find(t, f, question("q")), func(ctx context.Context) (Filling[fare], error) {
			<-ctx.Done()
			return Filling[fare]{}, ctx.Err()
		})
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 3*time.Second {
			t.Fatalf("%v after %v", err, took)
		}
	})
}

func TestFailuresAreToldAndForgotten(t *testing.T) {
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		fail func() error
		is   func(error) bool
	}{
		"an error": {func() error { return broken }, func(err error) bool { return errors.Is(err, broken) }},
		"a panic": {func() error { panic("broken") }, func(err error) bool {
			var p *PanicError
			return errors.As(err, &p) && p.Value == "broken" && len(p.Stack) > 0
		}},
		"an exit": {func() error { runtime.Goexit(); return nil }, func(err error) bool { return errors.Is(err, errExit) }},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Cache) {
				f, calls := fares(c), atomic.Int64{}
				fetch := func(ctx context.Context) (Filling[fare], error) {
					_, _ = slow(&calls, fare{})(ctx)
					return Filling[fare]{FreshFor: time.Hour}, test.fail()
				}
				first := asking(t.Context(), f, question("q"), fetch)
				second := asking(t.Context(), f, question("q"), fetch)
				for _, w := range []<-chan outcomeOf{first, second} {
					if got := <-w; !test.is(got.err) {
						t.Errorf("error %v", got.err)
					}
				}
				// At once and without a wait: the failure must be gone by now.
				got := put(t, f, question("q"), fare{Version: 2})
				if got.Source != Fetched || calls.Load() != 1 {
					t.Errorf("source %v after %d fetches", got.Source, calls.Load())
				}
			})
		})
	}
}

func TestInvalidationPartsCalls(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		before := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 1}))
		mustSucceed(t, c.Invalidate(t.Context(), []string{"p:duffel"}))
		after := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 2}))
		if got := <-before; got.answer.Value.Version != 1 {
			t.Errorf("before: %+v", got)
		}
		if got := <-after; got.answer.Value.Version != 2 || got.answer.Source != Fetched {
			t.Errorf("who asked after the invalidation got %+v", got)
		}
		f.settle()
		wantFare(t, find(t, f, question("q")), Hit, fare{Version: 2})
	})
}

func TestNobodyJoinsACallThatIsTooOld(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		old := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 1}))
		<-time.After(500 * time.Millisecond)
		q := question("q")
		q.NotBefore = time.Now().Add(-100 * time.Millisecond)
		young := asking(t.Context(), f, q, slow(&calls, fare{Version: 2}))
		if got := <-old; got.answer.Value.Version != 1 {
			t.Errorf("old: %+v", got)
		}
		if got := <-young; got.answer.Value.Version != 2 {
			t.Errorf("a fare of at most 100 ms was asked for: %+v", got)
		}
	})
}

// unreadable is a store that cannot be read while broken.
type unreadable struct {
	store
	broken atomic.Bool
}

func (s *unreadable) readTokens(ctx context.Context, bucket int, keys []string) ([][]byte, error) {
	return s.read(ctx, bucket, keys)
}

func (s *unreadable) read(ctx context.Context, bucket int, keys []string) ([][]byte, error) {
	if s.broken.Load() {
		return nil, errors.New("unreadable")
	}
	return s.store.read(ctx, bucket, keys)
}

func TestBypassJoinsNobodyAndFillsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		redis := &unreadable{store: c.store}
		c.store = redis
		put(t, f, question("known"), fare{Version: 1})
		shared := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 1}))
		redis.broken.Store(true)
		wantState(t, find(t, f, question("known")), Bypass) // Nor does a local copy serve.
		if f.Refresh(t.Context(), find(t, f, question("known")), answering(fare{})) {
			t.Error("a bypass was refreshed")
		}
		alone := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 2}))
		other := asking(t.Context(), f, question("r"), slow(&calls, fare{Version: 3}))
		if got := <-alone; got.err != nil || got.answer.Value.Version != 2 || got.answer.Source != Fetched {
			t.Errorf("a bypass got %+v", got)
		}
		<-other
		<-shared
		redis.broken.Store(false)
		f.settle()
		wantState(t, find(t, f, question("r")), Miss)
		wantFare(t, find(t, f, question("q")), Hit, fare{Version: 1})
	})
}

func TestCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, calls := fares(mustOpen(t, Options{MaxCalls: 2})), atomic.Int64{}
		a := asking(t.Context(), f, question("a"), slow(&calls, fare{}))
		b := asking(t.Context(), f, question("b"), slow(&calls, fare{}))
		c := asking(t.Context(), f, question("c"), slow(&calls, fare{}))
		again := asking(t.Context(), f, question("b"), slow(&calls, fare{}))
		if got := <-c; !errors.Is(got.err, ErrBusy) {
			t.Errorf("the third call of two got %+v", got)
		}
		for _, w := range []<-chan outcomeOf{a, b, again} {
			mustSucceed(t, (<-w).err)
		}
	})
}

func TestDrain(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		running := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 1}))
		start := time.Now()
		mustSucceed(t, c.Drain(t.Context()))
		if took := time.Since(start); took != time.Second {
			t.Errorf("drained after %v, the call took a second", took)
		}
		mustSucceed(t, (<-running).err)
		wantFare(t, find(t, f, question("q")), Hit, fare{Version: 1})
		if _, err := f.Ask(t.Context(), find(t, f, question("r")), answering(fare{})); !errors.Is(err, ErrClosed) {
			t.Errorf("asked after the drain: %v", err)
		}
	})
}

func TestDrainEndsWithItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f, calls := fares(c), atomic.Int64{}
		running := asking(t.Context(), f, question("q"), slow(&calls, fare{Version: 1}))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := c.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("drained with %v while a call ran", err)
		}
		if got := <-running; !errors.Is(got.err, context.Canceled) {
			t.Errorf("what still ran got %v, want to be cancelled", got.err)
		}
	})
}

func TestPendingFillAnswers(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		c.store = &slowFill{store: c.store}
		f := fares(c)
		first, err := f.Ask(t.Context(), find(t, f, question("q")), answering(fare{Version: 1}))
		mustSucceed(t, err)
		found := find(t, f, question("q"))
		wantFare(t, found, Hit, fare{Version: 1})
		if diff := cmp.Diff(first.Meta, found.Meta); diff != "" {
			t.Errorf("meta (-answer +found):\n%s", diff)
		}
		mustSucceed(t, c.Invalidate(t.Context(), []string{"all"}))
		wantState(t, find(t, f, question("q")), Miss)
	})
}

// slowFill is a store whose fills take a second.
type slowFill struct{ store }

func (s *slowFill) fill(ctx context.Context, r *fillRequest) (fillReply, error) {
	<-time.After(time.Second)
	return s.store.fill(ctx, r)
}
