package fanout

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/singleflight"
)

// dotnet/extensions#5105: attempts shared the content of a POST.
func TestEachAttemptSendsTheWholeBody(t *testing.T) {
	for name, test := range map[string]struct {
		getBody bool
		want    []string
	}{
		"with GetBody":             {true, []string{"offers", "offers", "offers"}},
		"without, it is sent once": {false, []string{"offers"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: []step{{200 * ms, 200, ""}}}
				req := must(http.NewRequestWithContext(t.Context(), http.MethodPost, "http://sandbox/", strings.NewReader("offers")))
				if !test.getBody {
					req.GetBody = nil
				}
				resp, err := rich(hedged(t, constant(s, 50*ms))).RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				discard(resp)
				if diff := cmp.Diff(test.want, s.bodies); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestBodyThatCannotBeHadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{200 * ms, 200, ""}}}
		req := must(http.NewRequestWithContext(t.Context(), http.MethodPost, "http://sandbox/", strings.NewReader("offers")))
		req.GetBody = func() (io.ReadCloser, error) { return nil, errors.New("file is gone") }
		tr := rich(hedged(t, constant(s, 50*ms)))
		resp, err := tr.RoundTrip(req)
		if err != nil || len(s.arrived) != 1 {
			t.Fatalf("%v, %d attempts", err, len(s.arrived))
		}
		discard(resp)
		s.steps[0].status = 0
		req.Body = io.NopCloser(strings.NewReader("offers"))
		if _, err = tr.RoundTrip(req); !errors.Is(err, errReset) || !strings.Contains(err.Error(), "file is gone") {
			t.Errorf("got %v", err)
		}
	})
}

// An attempt may die of a cancellation that is nobody's: a connection pool's, say.
func TestForeignCancellationIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		provider := roundTripFunc(func(*http.Request) (*http.Response, error) {
			if calls++; calls == 1 {
				return nil, context.Canceled
			}
			return answer(200, ""), nil
		})
		tr := rich(hedged(t, constant(provider, 50*ms)))
		if status, took, err := get(t.Context(), tr); status != 200 || took != 0 || err != nil {
			t.Errorf("status %d after %v, %v", status, took, err)
		}
		if n := tr.State().Attempts["broken"]; n != 1 {
			t.Errorf("%d broken", n)
		}
	})
}

func TestFaultyRoundTrippers(t *testing.T) {
	for name, provider := range map[string]roundTripFunc{
		"panics":          func(*http.Request) (*http.Response, error) { panic("boom") },
		"returns nothing": func(*http.Request) (*http.Response, error) { return nil, nil }, //nolint:nilnil // The fault.
	} {
		synctest.Test(t, func(t *testing.T) {
			if _, _, err := get(t.Context(), hedged(t, constant(provider, 50*ms))); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}

func TestCallersDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{time.Minute, 200, ""}}}
		tr := rich(hedged(t, constant(s, 70*ms)))
		ctx, cancel := context.WithTimeout(t.Context(), 100*ms)
		defer cancel()
		_, took, err := get(ctx, tr)
		if took != 100*ms || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("back after %v with %v", took, err)
		}
		synctest.Wait()
		if s.ended != 2 {
			t.Errorf("%d attempts saw the end, want both", s.ended)
		}
	})
}

func TestCallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{time.Minute, 200, ""}}}
		tr := rich(hedged(t, constant(s, 70*ms)))
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := errors.New("the browser was closed")
		time.AfterFunc(100*ms, func() { cancel(gone) })
		_, took, err := get(ctx, tr)
		if took != 100*ms || !errors.Is(err, context.Canceled) || !errors.Is(err, gone) {
			t.Errorf("back after %v with %v", took, err)
		}
		synctest.Wait()
		if got := tr.State().Attempts["abandoned"]; got != 2 {
			t.Errorf("%d abandoned, want both", got)
		}
	})
}

func TestTimeoutEndsACallThatIgnoresItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider := roundTripFunc(func(*http.Request) (*http.Response, error) {
			<-time.After(time.Minute)
			return answer(200, ""), nil
		})
		_, took, err := get(t.Context(), hedged(t, untuned(provider)))
		var timeout interface{ Timeout() bool }
		if took != 6*time.Second || !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("back after %v with %v", took, err)
		}
		<-time.After(time.Minute) // The round tripper comes to its end.
	})
}

// Fifty callers of one question wait for one upstream request, which is hedged
// once, not once per waiter (aiven/inkless#582).
func TestCoalescedCallersAreHedgedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{time.Minute, 200, ""}, {10 * ms, 200, ""}}}
		tr := rich(hedged(t, constant(s, 50*ms)))
		var flight singleflight.Group
		experiment{callers: 50, calls: 50}.run(func(ctx context.Context) {
			_, _, _ = flight.Do("JFK-LHR", func() (any, error) {
				ask(ctx, t, tr)
				return struct{}{}, nil
			})
		})
		if len(s.arrived) != 2 {
			t.Errorf("%d requests", len(s.arrived))
		}
	})
}

func TestTallyCountsHedges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{time.Minute, 200, ""}, {10 * ms, 200, ""}}}
		tr := rich(hedged(t, constant(s, 50*ms)))
		outer, all := WithTally(t.Context())
		inner, one := WithTally(outer)
		for _, ctx := range []context.Context{inner, outer, t.Context()} {
			ask(WithKind(ctx, "search"), t, tr)
		}
		if one.Attempts() != 2 || all.Attempts() != 3 {
			t.Errorf("inner %d, outer %d attempts; want 2, 3", one.Attempts(), all.Attempts())
		}
	})
}

func TestStallGuard(t *testing.T) {
	due := time.Unix(1000, 0)
	for late, want := range map[time.Duration]time.Duration{
		0: 0, 2 * ms: 0, 3 * ms: 3 * ms, 20 * ms: 20 * ms, time.Second: 50 * ms,
	} {
		if got := stalled(due, due.Add(late), 50*ms); got != want {
			t.Errorf("%v late: grace %v, want %v", late, got, want)
		}
	}
}

// A timer that fired late grants the reply the same time, once.
func TestStallIsForgivenOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{time.Second, 200, ""}}}
		tr := rich(hedged(t, constant(s, 50*ms)))
		c := tr.newCall(must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://sandbox/", http.NoBody)), time.Now())
		c.attempts, c.arrival = c.room[:0], make(chan struct{}, 1)
		c.launch(c.prepare(1, false), c.began)
		synctest.Wait()
		for _, want := range []int{1, 2} {
			c.tick(c.due.Add(20 * ms))
			synctest.Wait()
			if len(c.attempts) != want {
				t.Errorf("%d attempts, want %d", len(c.attempts), want)
			}
		}
		_ = c.leave(context.Canceled)
		c.timer.Stop()
	})
}

func TestConcurrentCallsShareNothing(t *testing.T) {
	var served atomic.Int64
	provider := roundTripFunc(func(req *http.Request) (*http.Response, error) {
		body := string(must(io.ReadAll(req.Body)))
		_ = req.Body.Close()
		if served.Add(1)%3 == 0 {
			return nil, errReset
		}
		return answer(200, body), nil
	})
	tr := rich(hedged(t, constant(provider, 10*ms)))
	var callers sync.WaitGroup
	for i := range 200 {
		callers.Go(func() {
			text := strconv.Itoa(i)
			req := must(http.NewRequestWithContext(t.Context(), http.MethodPost, "http://sandbox/", strings.NewReader(text)))
			resp, err := tr.RoundTrip(req)
			if err != nil {
				return // Three failures in a row are possible.
			}
			if got := string(must(io.ReadAll(resp.Body))); got != text {
				t.Errorf("asked %s, answered %s", text, got)
			}
			_ = resp.Body.Close()
		})
	}
	callers.Wait()
}
