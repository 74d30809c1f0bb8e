package fanout

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// step is what the scripted provider does with one attempt.
type step struct {
	after  time.Duration
	status int // 0: an error instead.
	retry  string
}

var errReset = errors.New("connection reset by peer")

// script answers attempt k as its k-th step says, the last one for all further.
type script struct {
	steps []step

	mu       sync.Mutex
	arrived  []time.Duration // When each attempt came, since the first.
	bodies   []string
	ended    int // Attempts whose context ended while they waited.
	began    time.Time
	finished int
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	next := s.begin(req)
	if err := sleep(req.Context(), next.after); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended++
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished++
	if next.status == 0 {
		return nil, errReset
	}
	resp := answer(next.status, strconv.Itoa(next.status))
	if next.retry != "" {
		resp.Header.Set("Retry-After", next.retry)
	}
	return resp, nil
}

func (s *script) begin(req *http.Request) step {
	body := ""
	if req.Body != nil {
		body = string(must(io.ReadAll(req.Body)))
		_ = req.Body.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() {
		s.began = time.Now()
	}
	s.arrived = append(s.arrived, time.Since(s.began))
	s.bodies = append(s.bodies, body)
	return s.steps[min(len(s.arrived), len(s.steps))-1]
}

// constant are options with a constant delay and a budget that is never short.
func constant(provider http.RoundTripper, delay time.Duration) Options {
	o := untuned(provider)
	o.Delay, o.Budget = delay, 1
	return o
}

// rich fills the buckets, for tests that are not about the budget.
func rich(t *Transport) *Transport {
	for _, p := range t.policies {
		p.bucket.least, p.bucket.burst, p.bucket.tokens = 1e6, 1e6, 1e6
	}
	return t
}

// get makes one call and returns how it ended and how long it took.
func get(ctx context.Context, transport http.RoundTripper) (status int, took time.Duration, err error) {
	began := time.Now()
	req := must(http.NewRequestWithContext(ctx, http.MethodGet, "http://sandbox/", http.NoBody))
	resp, err := transport.RoundTrip(req)
	took = time.Since(began)
	if err != nil {
		return 0, took, err
	}
	discard(resp)
	return resp.StatusCode, took, nil
}

func TestRace(t *testing.T) {
	good := step{10 * ms, 200, ""}
	hang := step{time.Minute, 200, ""}
	for _, test := range []struct {
		name    string
		steps   []step
		status  int
		took    time.Duration
		arrived []time.Duration
	}{
		{"a fast answer is not hedged", []step{good}, 200, 10 * ms, []time.Duration{0}},
		{"a slow one is", []step{hang, good}, 200, 60 * ms, []time.Duration{0, 50 * ms}},
		{"and once more", []step{hang, hang, good}, 200, 110 * ms, []time.Duration{0, 50 * ms, 100 * ms}},
		{"but no further", []step{hang, hang, {200 * ms, 200, ""}}, 200, 300 * ms, []time.Duration{0, 50 * ms, 100 * ms}},
		{"the first may still win", []step{{70 * ms, 200, ""}, hang}, 200, 70 * ms, []time.Duration{0, 50 * ms}},
		{"a failure starts the next at once (grpc-java#10145)", []step{{5 * ms, 503, ""}, good}, 200, 15 * ms, []time.Duration{0, 5 * ms}},
		{"a transport error too", []step{{5 * ms, 0, ""}, good}, 200, 15 * ms, []time.Duration{0, 5 * ms}},
		{"a fast failing hedge does not win (erpc#418)", []step{{200 * ms, 200, ""}, {5 * ms, 500, ""}, {5 * ms, 503, ""}}, 200, 200 * ms, []time.Duration{0, 50 * ms, 55 * ms}},
		{"not found is an answer", []step{{5 * ms, 404, ""}}, 404, 5 * ms, []time.Duration{0}},
		{"all fail: the latest answer", []step{{5 * ms, 500, ""}, {5 * ms, 502, ""}, {5 * ms, 503, ""}}, 503, 15 * ms, []time.Duration{0, 5 * ms, 10 * ms}},
		{"an answer rather than an error", []step{{5 * ms, 500, ""}, {5 * ms, 0, ""}, {5 * ms, 0, ""}}, 500, 15 * ms, []time.Duration{0, 5 * ms, 10 * ms}},
		{"408 and 425 fail", []step{{5 * ms, 408, ""}, {5 * ms, 425, ""}, good}, 200, 20 * ms, []time.Duration{0, 5 * ms, 10 * ms}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: test.steps}
				status, took, err := get(t.Context(), rich(hedged(t, constant(s, 50*ms))))
				if err != nil || status != test.status || took != test.took {
					t.Errorf("status %d after %v, %v; want %d after %v", status, took, err, test.status, test.took)
				}
				if diff := cmp.Diff(test.arrived, s.arrived); diff != "" {
					t.Error(diff)
				}
				synctest.Wait()
				if s.ended+s.finished != len(s.arrived) {
					t.Errorf("%d attempts, %d cut off, %d finished", len(s.arrived), s.ended, s.finished)
				}
			})
		})
	}
}

func TestAllCausesAreJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{after: 5 * ms}}}
		_, _, err := get(t.Context(), rich(hedged(t, constant(s, 50*ms))))
		var all *AttemptsError
		if !errors.As(err, &all) || all.Name != "sandbox" || len(all.Causes) != 3 || !errors.Is(err, errReset) {
			t.Errorf("got %v", err)
		}
		for _, want := range []string{"attempt 1", "attempt 3", "reset"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("no word about %s in: %v", want, err)
			}
		}
	})
}

// grpc-java#7222: the call hung, since the throttled retry never came.
func TestFailureWithoutBudgetEndsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{5 * ms, 503, ""}}}
		tr := hedged(t, untuned(s))
		tr.policies[freePolicy].bucket.tokens = 0
		status, took, err := get(t.Context(), tr)
		if err != nil || status != 503 || took != 5*ms || len(s.arrived) != 1 {
			t.Errorf("status %d after %v, %v; %d attempts", status, took, err, len(s.arrived))
		}
		if n := tr.State().Denied["budget"]; n != 1 {
			t.Errorf("%d denied", n)
		}
	})
}

// failsafe-go#141: the budget's refusal cancelled the attempts in flight.
func TestEmptyBudgetLeavesAttemptsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{time.Second, 200, ""}}}
		tr := hedged(t, constant(s, 50*ms))
		tr.policies[freePolicy].bucket.tokens = 0 // The call itself brings one, too little with a part kept back.
		status, took, err := get(t.Context(), tr)
		if err != nil || status != 200 || took != time.Second || s.ended != 0 {
			t.Errorf("status %d after %v, %v; %d cut off", status, took, err, s.ended)
		}
		if tr.State().Denied["budget"] < 2 {
			t.Error("a denied hedge did not ask again")
		}
	})
}

// failsafe-go#134: a goroutine was left behind by every hedged call.
func TestHedgedCallsLeaveNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newSource(1, longTail())
		o := constant(src, 20*ms)
		tr := rich(hedged(t, o))
		ask(t.Context(), t, tr)
		synctest.Wait()
		before := runtime.NumGoroutine()
		experiment{callers: 50, calls: 1000}.run(func(ctx context.Context) { ask(ctx, t, tr) })
		synctest.Wait()
		if after := runtime.NumGoroutine(); after > before+10 { // Other tests' servers come and go.
			t.Errorf("%d goroutines, %d before", after, before)
		}
		if tr.State().Sent < 500 {
			t.Errorf("only %d hedges", tr.State().Sent)
		}
	})
}
