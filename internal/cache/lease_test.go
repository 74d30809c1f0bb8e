package cache

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

// fleet opens n caches on one twin, as n instances on one Redis.
func fleet(t *testing.T, n int) []*Typed[fare] {
	t.Helper()
	return fleetOf(t, fareOptions(), n)
}

func fleetOf(t *testing.T, o TypedOptions[fare], n int) []*Typed[fare] {
	t.Helper()
	first := mustOpen(t, Options{})
	all := []*Typed[fare]{For(first, o)}
	for range n - 1 {
		c := mustOpen(t, Options{})
		mustSucceed(t, c.store.close())
		c.store = uncloseable{first.store}
		all = append(all, For(c, o))
	}
	return all
}

// uncloseable is a store that another cache closes.
type uncloseable struct{ store }

func (uncloseable) close() error { return nil }

func leased(query string) Question {
	q := question(query)
	q.Lease = true
	return q
}

func TestLeaseSharesOneFetchAmongInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := atomic.Int64{}
		var waiting []<-chan outcomeOf
		for _, f := range fleet(t, 10) {
			for range 5 {
				waiting = append(waiting, asking(t.Context(), f, leased("q"), slow(&calls, fare{Version: 7})))
			}
		}
		sources := map[Source]int{}
		for _, w := range waiting {
			got := <-w
			if got.err != nil || got.answer.Value.Version != 7 {
				t.Fatalf("answer %+v, error %v", got.answer, got.err)
			}
			sources[got.answer.Source]++
		}
		if calls.Load() != 1 || sources[Fetched] != 1 || sources[Handed] != 9 || sources[Joined] != 40 {
			t.Errorf("%d fetches, sources %v", calls.Load(), sources)
		}
	})
}

func TestLeasePassesOnAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		two, calls := fleet(t, 2), atomic.Int64{}
		broken := errors.New("broken")
		start := time.Now()
		first := asking(t.Context(), two[0], leased("q"), func(ctx context.Context) (Filling[fare], error) {
			<-time.After(time.Second)
			return Filling[fare]{}, broken
		})
		second := asking(t.Context(), two[1], leased("q"), slow(&calls, fare{Version: 2}))
		if got := <-first; !errors.Is(got.err, broken) {
			t.Errorf("the first got %+v", got)
		}
		if got := <-second; got.err != nil || got.answer.Source != Fetched {
			t.Errorf("the second got %+v", got)
		}
		if took := time.Since(start); took > 2100*time.Millisecond {
			t.Errorf("took %v: a failure, at most 100 ms, a fetch", took)
		}
	})
}

func TestLeaseCostsAtMostItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		two, calls := fleet(t, 2), atomic.Int64{}
		start := time.Now()
		first := asking(t.Context(), two[0], leased("q"), func(ctx context.Context) (Filling[fare], error) {
			<-time.After(5 * time.Second)
			return answering(fare{Version: 1})(ctx)
		})
		second := asking(t.Context(), two[1], leased("q"), slow(&calls, fare{Version: 2}))
		if got := <-second; got.err != nil || got.answer.Value.Version != 2 {
			t.Errorf("the second got %+v", got)
		}
		if took := time.Since(start); took < 2500*time.Millisecond || took > 2600*time.Millisecond {
			t.Errorf("took %v, want 1.5 s of waiting and a second of asking", took)
		}
		<-first
	})
}

func TestLeaseWaitsUnderNewTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		two, calls := fleet(t, 2), atomic.Int64{}
		first := asking(t.Context(), two[0], leased("q"), slow(&calls, fare{Version: 1}))
		second := asking(t.Context(), two[1], leased("q"), slow(&calls, fare{Version: 2}))
		mustSucceed(t, two[0].c.Invalidate(t.Context(), []string{"all"}))
		if got := <-second; got.err != nil || got.answer.Source != Fetched || got.answer.Value.Version != 2 {
			t.Errorf("the second got %+v", got)
		}
		<-first
		two[1].settle()
		wantFare(t, find(t, two[0], leased("q")), Hit, fare{Version: 2})
	})
}

func TestLeaseOnRedis(t *testing.T) {
	server := cachetest.Redis(t)
	calls := atomic.Int64{}
	var waiting []<-chan outcomeOf
	for range 4 {
		f := fares(mustOpen(t, Options{URL: server.URL(), LookupLimit: patient, CommandLimit: patient, LeaseWait: patient}))
		for range 5 {
			found, out := find(t, f, leased("q")), make(chan outcomeOf, 1)
			go func() {
				a, err := f.Ask(context.Background(), found, func(ctx context.Context) (Filling[fare], error) {
					calls.Add(1)
					pauseFor(ctx, 100*time.Millisecond)
					return answering(fare{Version: 1})(ctx)
				})
				out <- outcomeOf{a, err}
			}()
			waiting = append(waiting, out)
		}
	}
	for _, w := range waiting {
		if got := <-w; got.err != nil || got.answer.Value.Version != 1 {
			t.Fatalf("answer %+v", got)
		}
	}
	if calls.Load() != 1 {
		t.Errorf("%d fetches by four instances, want one", calls.Load())
	}
}
