package fanout

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// What is remembered about a provider from one call to the next: push-back, the
// breaker, the rate limit, classes, kinds.

func TestRetryAfterPausesHedgesOfEveryCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{5 * ms, 429, "10"}, {200 * ms, 200, ""}}}
		tr := rich(hedged(t, constant(s, 50*ms)))
		if status, _, err := get(t.Context(), tr); status != 429 || err != nil || len(s.arrived) != 1 {
			t.Fatalf("status %d, %v, %d attempts", status, err, len(s.arrived))
		}
		for range 10 {
			ask(t.Context(), t, tr)
		}
		if sent := tr.State().Sent; sent != 0 || !tr.State().Paused {
			t.Errorf("%d hedges within the pause, paused %v", sent, tr.State().Paused)
		}
		<-time.After(8 * time.Second)
		ask(t.Context(), t, tr)
		if sent := tr.State().Sent; sent != 2 {
			t.Errorf("%d hedges after the pause, want 2", sent)
		}
	})
}

func TestPauseHoldsACallThatIsOutAlready(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		provider := roundTripFunc(func(req *http.Request) (*http.Response, error) {
			if calls.Add(1) == 2 {
				resp := answer(503, "")
				resp.Header.Set("Retry-After", "60")
				return resp, nil
			}
			return answer(200, ""), sleep(req.Context(), 200*ms)
		})
		tr := rich(hedged(t, constant(provider, 50*ms)))
		experiment{callers: 2, calls: 2}.run(func(ctx context.Context) { _, _, _ = get(ctx, tr) })
		if calls.Load() != 2 {
			t.Errorf("%d requests, want the two first attempts", calls.Load())
		}
	})
}

func TestBreakerOpensAndProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{5 * ms, 503, ""}}}
		tr := hedged(t, untuned(s))
		for range breakerRun {
			_, _, _ = get(t.Context(), tr)
		}
		sent := len(s.arrived)
		_, _, err := get(t.Context(), tr)
		if !errors.Is(err, ErrCircuitOpen) || len(s.arrived) != sent || tr.State().Breaker != "open" {
			t.Fatalf("%v, %d sent, breaker %s", err, len(s.arrived)-sent, tr.State().Breaker)
		}
		s.steps = []step{{5 * ms, 200, ""}}
		<-time.After(breakerPause + ms)
		if status, _, err := get(t.Context(), tr); status != 200 || err != nil {
			t.Errorf("probe: status %d, %v", status, err)
		}
		if got := tr.State().Breaker; got != "closed" {
			t.Errorf("breaker %s after a good probe", got)
		}
	})
}

func TestCoinTossProviderKeepsItsCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		provider := roundTripFunc(func(*http.Request) (*http.Response, error) {
			if n++; n%2 == 0 {
				return answer(503, ""), nil
			}
			return answer(200, ""), nil
		})
		tr := hedged(t, untuned(provider))
		for range 500 {
			ask(t.Context(), t, tr)
		}
		if got := tr.State().Breaker; got != "closed" {
			t.Errorf("breaker %s", got)
		}
	})
}

// erpc#878, gobreaker#105: cancelled hedges were counted as failures.
func TestLostHedgesLeaveTheBreakerAlone(t *testing.T) {
	for _, callers := range []int{50, 5} {
		synctest.Test(t, func(t *testing.T) {
			n := atomic.Int64{}
			primary := roundTripFunc(func(req *http.Request) (*http.Response, error) {
				n.Add(1)
				return answer(200, ""), sleep(req.Context(), 100*ms)
			})
			o := constant(primary, 50*ms)
			o.MaxAttempts = 2
			o.Secondary = newSource(1, uniform(time.Second, 2*time.Second))
			tr := rich(hedged(t, o))
			experiment{callers: callers, calls: 1000}.run(func(ctx context.Context) { ask(ctx, t, tr) })
			synctest.Wait()
			counts := tr.breaker.circuit.Counts()
			if lost := tr.State().Attempts["lost"]; lost != 1000 || counts.TotalFailures != 0 || counts.ConsecutiveFailures != 0 {
				t.Errorf("%d lost, breaker counts %+v", lost, counts)
			}
		})
	}
}

func TestCallerWhoLeavesGivesTheProbeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{5 * ms, 503, ""}}}
		tr := hedged(t, untuned(s))
		for range breakerRun {
			_, _, _ = get(t.Context(), tr)
		}
		<-time.After(breakerPause + ms)
		s.steps = []step{{time.Second, 200, ""}}
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		_, _, _ = get(ctx, tr)
		synctest.Wait()
		if status, _, err := get(t.Context(), tr); status != 200 {
			t.Errorf("the next probe: status %d, %v", status, err)
		}
	})
}

func TestDeadlinesCountOnlyWhereTimeWasGiven(t *testing.T) {
	for name, test := range map[string]struct {
		limit time.Duration
		want  string
	}{
		"callers in a hurry indict nobody": {50 * ms, "closed"},
		"a provider that hangs is one":     {5 * time.Second, "open"},
	} {
		synctest.Test(t, func(t *testing.T) {
			o := untuned(&script{steps: []step{{time.Minute, 200, ""}}})
			o.MaxAttempts = 1
			tr := hedged(t, o)
			for range breakerRun {
				ctx, cancel := context.WithTimeout(t.Context(), test.limit)
				_, _, _ = get(ctx, tr)
				cancel()
			}
			synctest.Wait()
			if got := tr.State().Breaker; got != test.want {
				t.Errorf("%s: breaker %s", name, got)
			}
		})
	}
}

func TestRateLimitIsAskedPerAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("10 per second")
		asked := 0
		s := &script{steps: []step{{190 * ms, 200, ""}}}
		o := constant(s, 50*ms)
		o.Limit = func(context.Context) error {
			if asked++; asked > 1 {
				return full
			}
			return nil
		}
		tr := rich(hedged(t, o))
		tr.policies[freePolicy].bucket.tokens = 500_000
		if status, took, err := get(t.Context(), tr); status != 200 || took != 190*ms || err != nil {
			t.Errorf("status %d after %v, %v", status, took, err)
		}
		state := tr.State()
		if state.Budget != 500_001 { // The call brings one.
			t.Errorf("hedges that were never sent cost %v tokens", 500_001-state.Budget)
		}
		if len(s.arrived) != 1 || asked != 4 || state.Denied["limit"] != 3 || state.Sent != 0 || state.WinRate != 0 {
			t.Errorf("%d sent, %d asked, %+v", len(s.arrived), asked, state)
		}
		_, _, err := get(t.Context(), tr)
		if !errors.Is(err, ErrRateLimited) || !errors.Is(err, full) {
			t.Errorf("the first attempt refused: %v", err)
		}
	})
}

func TestCallThatWaitsForItsTurnIsNotHedged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{{10 * ms, 200, ""}}}
		o := constant(s, 50*ms)
		var asked atomic.Int64
		o.Limit = func(ctx context.Context) error {
			asked.Add(1)
			return sleep(ctx, time.Second)
		}
		_, took, err := get(t.Context(), rich(hedged(t, o)))
		if err != nil || took != 1010*ms || asked.Load() != 1 {
			t.Errorf("%d attempts asked, %v, %v", asked.Load(), took, err)
		}
	})
}

func TestClassOfTransportAndCall(t *testing.T) {
	for _, test := range []struct {
		transport, call Class
		method          string
		want            int
	}{
		{Free, Unclassified, http.MethodPost, 3},
		{Free, Never, http.MethodPost, 1},
		{Free, Metered, http.MethodPost, 2},
		{Metered, Free, http.MethodPost, 2},
		{Never, Free, http.MethodPost, 1},
		{Unclassified, Unclassified, http.MethodGet, 3},
		{Unclassified, Unclassified, http.MethodPost, 1},
		{Unclassified, Free, http.MethodPost, 3},
	} {
		t.Run(test.transport.String()+" "+test.call.String()+" "+test.method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: []step{{time.Second, 200, ""}}}
				o := constant(s, 50*ms)
				if o.Class = test.transport; test.transport == Never {
					o.MaxAttempts, o.Delay = 1, 0
				}
				req := must(http.NewRequestWithContext(WithClass(t.Context(), test.call), test.method, "http://sandbox/", strings.NewReader("")))
				resp, err := rich(hedged(t, o)).RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				discard(resp)
				if len(s.arrived) != test.want {
					t.Errorf("%d attempts, want %d", len(s.arrived), test.want)
				}
			})
		})
	}
}

func TestKindsAreLearntApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := newSource(1, uniform(200*ms, 300*ms))
		fast := newSource(1, uniform(10*ms, 20*ms))
		provider := roundTripFunc(func(req *http.Request) (*http.Response, error) {
			if marksOf(req.Context()).kind == "search" {
				return slow.RoundTrip(req)
			}
			return fast.RoundTrip(req)
		})
		o := untuned(provider)
		o.Typical = 0
		tr := hedged(t, o)
		for range 200 {
			ask(WithKind(t.Context(), "search"), t, tr)
			ask(WithKind(t.Context(), "confirm"), t, tr)
		}
		search, confirm := tr.StateOf("search").Delay, tr.StateOf("confirm").Delay
		if search < 250*ms || search > 350*ms || confirm > 30*ms {
			t.Errorf("search is hedged after %v, confirm after %v", search, confirm)
		}
	})
}

func TestKindsAreBounded(t *testing.T) {
	tr := hedged(t, untuned(roundTripFunc(nil)))
	unnamed := tr.estimatorOf("")
	for i := range 100 {
		tr.estimatorOf(strings.Repeat("x", i))
	}
	if tr.kindCount != maxKinds || tr.estimatorOf("one more") != unnamed {
		t.Errorf("%d kinds", tr.kindCount)
	}
}

func TestHedgeGoesToAnotherReplicaOverTheSecondPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		visits := make(chan string, 3)
		pool := func(name string) roundTripFunc {
			return func(req *http.Request) (*http.Response, error) {
				visits <- name + " " + req.URL.String()
				return answer(200, ""), sleep(req.Context(), 80*ms)
			}
		}
		o := constant(pool("first"), 50*ms)
		o.Secondary = pool("second")
		o.MaxAttempts = 2
		o.Bases = []*url.URL{must(url.Parse("http://a/v1")), must(url.Parse("http://b"))}
		req := must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://sandbox/offers", http.NoBody))
		resp, err := rich(hedged(t, o)).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		discard(resp)
		if one, two := <-visits, <-visits; one != "first http://a/v1/offers" || two != "second http://b/offers" {
			t.Errorf("%q, then %q", one, two)
		}
		if req.URL.Host != "sandbox" {
			t.Errorf("the caller's request was changed: %v", req.URL)
		}
	})
}

// The search waits for one call alone: when its provider's bucket is empty it is
// hedged from what the others did not need.
func TestLastCallOutDrawsOnTheFleet(t *testing.T) {
	for name, test := range map[string]struct {
		class Class
		alone bool
		want  int
	}{
		"alone":             {Free, true, 2},
		"in company":        {Free, false, 1},
		"metered, so never": {Metered, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, g *Gatherer) {
				fleet := NewFleet()
				fleet.bucket.tokens = 1
				s := &script{steps: []step{{200 * ms, 200, ""}}}
				o := untuned(s)
				o.Class, o.Delay, o.Fleet = test.class, 50*ms, fleet
				tr := hedged(t, o)
				for _, p := range tr.policies {
					p.bucket.tokens = 0
				}
				calls := []Call[string]{{Name: "a", Run: func(ctx context.Context) (string, error) {
					ask(ctx, t, tr)
					return "", nil
				}}}
				if !test.alone {
					calls = append(calls, taking("b", time.Second, nil))
				}
				Gather(t.Context(), g, Limits{}, calls, nil)
				if len(s.arrived) != test.want {
					t.Errorf("%d attempts, want %d", len(s.arrived), test.want)
				}
			})
		})
	}
}

func TestSnapshotStartsAnotherInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := untuned(newSource(1, longTail()))
		old := hedged(t, o)
		experiment{callers: 50, calls: 5000}.run(func(ctx context.Context) { ask(WithKind(ctx, "search"), t, old) })
		o.Typical = 2 * time.Second // Declared wrongly.
		fresh := hedged(t, o)
		if err := fresh.Restore(old.Snapshot()); err != nil {
			t.Fatal(err)
		}
		want, got := old.StateOf("search"), fresh.StateOf("search")
		if got.Delay < want.Delay-5*ms || got.Delay > want.Delay+10*ms || got.Survival < 0.05 {
			t.Errorf("starts with %v, S %.2f; the fleet's are %v, %.2f", got.Delay, got.Survival, want.Delay, want.Survival)
		}
		if total := fresh.knownEstimator("search").window.counts().total; total < restoredWeight-2 || total > restoredWeight {
			t.Errorf("it counts for %v attempts", total)
		}
	})
}

func TestUnusableSnapshots(t *testing.T) {
	tr := hedged(t, untuned(roundTripFunc(nil)))
	before := *tr.estimatorOf("").plan(freePolicy)
	for want, data := range map[string]string{
		"latency snapshot":    "not JSON",
		"version 2: want 1":   `{"version":2}`,
		"bucket 288 holds":    `{"version":1,"kinds":{"":{"answered":{"288":1}}}}`,
		"bucket 3 holds -1":   `{"version":1,"kinds":{"":{"cut":{"3":-1}}}}`,
		"bucket 3 holds 1e+3": `{"version":1,"kinds":{"":{"answered":{"3":1e30}}}}`,
	} {
		if err := tr.Restore([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", data, err)
		}
	}
	if err := tr.Restore([]byte(`{"version":1,"kinds":{"":{}}}`)); err != nil {
		t.Errorf("an empty one: %v", err)
	}
	if after := *tr.estimatorOf("").plan(freePolicy); after != before {
		t.Errorf("plan %+v became %+v", before, after)
	}
}

func FuzzRestore(f *testing.F) {
	f.Add([]byte(`{"version":1,"kinds":{"search":{"answered":{"100":20},"cut":{"120":2}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr := hedged(t, untuned(roundTripFunc(nil)))
		if tr.Restore(data) != nil {
			return
		}
		if s := tr.State(); s.Survival < 0 || s.Survival > 1 || s.Share < 0 || s.Share > 1 || s.Delay < 0 || s.Delay > 3*time.Second {
			t.Errorf("%s: %+v", data, s)
		}
	})
}
