package search

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// crowd is a service with few places whose providers take their time, and counts
// how many searches they are asked for at once.
type crowd struct {
	*Service
	takes      time.Duration
	answer     providers.Answer
	now, most  atomic.Int64
	failing    atomic.Bool
	questioned atomic.Int64
}

func (c *crowd) Name() string { return "duffel" }

func (c *crowd) Search(ctx context.Context, _ flight.Query) (providers.Answer, error) {
	c.questioned.Add(1)
	for now := c.now.Add(1); ; {
		if most := c.most.Load(); now <= most || c.most.CompareAndSwap(most, now) {
			break
		}
	}
	defer c.now.Add(-1)
	after(c.takes)(ctx)
	if c.failing.Load() || ctx.Err() != nil {
		return providers.Answer{}, &providers.Error{Kind: providers.KindTimeout, Err: ctx.Err()}
	}
	return own(c.answer), nil
}

// crowded runs a test in a bubble with a service that has so many places.
func crowded(t *testing.T, places, queue int, takes time.Duration, test func(t *testing.T, c *crowd)) {
	t.Helper()
	answer := answerOf(offer("a", usd(400_00), ba178(t)))
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{takes: takes, answer: answer}
		c.Service = serviceOf(t, c)
		c.Service.now = time.Now
		c.Service.options.Admission = NewAdmission(places, queue)
		test(t, c)
		drain(t, c.Service)
	})
}

// nth is a question that is like no other.
func nth(i int) Request {
	req := oneWay("JFK", "LHR", flight.DateOf(time.Now()).AddDays(1+i%300).String())
	req.Query.Passengers.Adults = 1 + i/300
	return req
}

// outcome is what became of a search, and when.
type outcome struct {
	err  error
	took time.Duration
}

// search asks in the background.
func (c *crowd) search(ctx context.Context, req Request) <-chan outcome {
	done, started := make(chan outcome, 1), time.Now()
	go func() {
		_, err := c.Service.Search(ctx, req, nil)
		done <- outcome{err, time.Since(started)}
	}()
	synctest.Wait() // So that the order of coming is that of the test.
	return done
}

func TestSearchesWaitForAPlaceInOrder(t *testing.T) {
	crowded(t, 2, 2, 700*time.Millisecond, func(t *testing.T, c *crowd) {
		var all []<-chan outcome
		for i := range 5 {
			all = append(all, c.search(t.Context(), nth(i)))
		}
		for i, milliseconds := range []int{700, 700, 1400, 1400, 0} {
			got := <-all[i]
			if want := time.Duration(milliseconds) * time.Millisecond; got.took != want || errors.Is(got.err, ErrFull) != (i == 4) {
				t.Errorf("search %d took %s and ended with %v", i+1, got.took, got.err)
			}
		}
		if c.most.Load() != 2 {
			t.Errorf("%d at once, want 2", c.most.Load())
		}
	})
}

func TestNobodyWaitsForAPlaceLongerThanASecond(t *testing.T) {
	crowded(t, 1, 8, 2*time.Second, func(t *testing.T, c *crowd) {
		first, second := c.search(t.Context(), nth(1)), c.search(t.Context(), nth(2))
		if got := <-second; got.took != time.Second || !errors.Is(got.err, ErrFull) {
			t.Errorf("took %s and ended with %v", got.took, got.err)
		}
		if got := <-first; got.err != nil {
			t.Error(got.err)
		}
	})
}

func TestOnlyAskingTakesAPlace(t *testing.T) {
	crowded(t, 1, 0, time.Second, func(t *testing.T, c *crowd) {
		mustSearch(t, c.Service, nth(1))
		var same []<-chan outcome
		for range 50 {
			same = append(same, c.search(t.Context(), nth(2)))
		}
		if got := <-c.search(t.Context(), nth(1)); got.err != nil || got.took != 0 {
			t.Errorf("a hit took %s while there was no place: %v", got.took, got.err)
		}
		for _, one := range same {
			if got := <-one; got.err != nil || got.took != time.Second {
				t.Errorf("one of 50 equal searches took %s: %v", got.took, got.err)
			}
		}
		if c.questioned.Load() != 2 {
			t.Errorf("asked %d times, want 2", c.questioned.Load())
		}
	})
}

func TestStaleFaresAnswerWhereThereIsNoPlace(t *testing.T) {
	crowded(t, 1, 0, time.Second, func(t *testing.T, c *crowd) {
		provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
		c.Service = serviceOf(t, provider)
		c.Service.now = time.Now
		c.Service.options.Admission = NewAdmission(1, 0)
		mustSearch(t, c.Service, nth(1))
		time.Sleep(5 * time.Minute)
		provider.before = after(time.Second)
		busy := c.search(t.Context(), nth(2))
		result, err := c.Service.Search(t.Context(), nth(1), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := result.Providers[0]
		if got.Status != StatusUnavailable || got.Cache != CacheStale || !strings.Contains(got.Error, "this instance") || len(result.Itineraries) != 1 {
			t.Errorf("%+v with %d itineraries", got, len(result.Itineraries))
		}
		<-busy
	})
}

// TestASlowProviderGivesThePlaceBackAtTheSoftLimit: its answer may still come,
// but those who wait for a place do not wait for it.
func TestASlowProviderGivesThePlaceBackAtTheSoftLimit(t *testing.T) {
	crowded(t, 1, 1, 5*time.Second, func(t *testing.T, c *crowd) {
		impatient := nth(1)
		impatient.Timeout = 100 * time.Millisecond
		first := c.search(t.Context(), impatient)
		if got := <-first; got.took != 100*time.Millisecond {
			t.Errorf("the impatient one took %s", got.took)
		}
		if got := <-c.search(t.Context(), nth(2)); !errors.Is(got.err, ErrFull) || got.took != time.Second {
			t.Errorf("its question still has the place, yet another search took %s and ended with %v", got.took, got.err)
		}
		time.Sleep(1800 * time.Millisecond) // 2.9 s since the place was taken.
		if got := <-c.search(t.Context(), nth(3)); got.err != nil || got.took != 5100*time.Millisecond {
			t.Errorf("at the soft limit: took %s, %v", got.took, got.err)
		}
	})
}

func TestACallerWhoLeavesHasNoMoreAsked(t *testing.T) {
	crowded(t, 2, 0, 2*time.Second, func(t *testing.T, c *crowd) {
		for i := range 20 {
			ctx, leave := context.WithCancel(t.Context())
			done := c.search(ctx, nth(i))
			leave()
			<-done
		}
		if c.questioned.Load() != 2 {
			t.Errorf("%d searches were asked for, want 2", c.questioned.Load())
		}
		time.Sleep(2*time.Second + time.Millisecond)
		if got := <-c.search(t.Context(), nth(99)); got.err != nil {
			t.Errorf("the places are not free again: %v", got.err)
		}
	})
}

func TestWhoLeavesTheQueueHarmsNobody(t *testing.T) {
	crowded(t, 1, 1, 800*time.Millisecond, func(t *testing.T, c *crowd) {
		busy := c.search(t.Context(), nth(1))
		ctx, leave := context.WithCancel(t.Context())
		first, second := c.search(ctx, nth(2)), c.search(t.Context(), nth(2))
		leave()
		if got := <-first; !errors.Is(got.err, context.Canceled) {
			t.Errorf("the one who left got %v", got.err)
		}
		if got := <-second; got.err != nil || got.took != 1600*time.Millisecond {
			t.Errorf("the one who stayed took %s: %v", got.took, got.err)
		}
		<-busy
	})
}

func TestARenewalAheadTakesOnlyASparePlace(t *testing.T) {
	crowded(t, 1, 8, 0, func(t *testing.T, c *crowd) {
		for range hotUses + 1 {
			mustSearch(t, c.Service, nth(1))
			synctest.Wait() // Until it is filled in: only its copy counts uses.
		}
		time.Sleep(2 * time.Minute)
		c.takes = time.Second
		busy := c.search(t.Context(), nth(2))
		mustSearch(t, c.Service, nth(1))
		synctest.Wait()
		if c.questioned.Load() != 2 {
			t.Errorf("asked %d times while there was no place", c.questioned.Load())
		}
		<-busy
		mustSearch(t, c.Service, nth(1))
		synctest.Wait()
		if c.questioned.Load() != 3 {
			t.Errorf("asked %d times, want the renewal too", c.questioned.Load())
		}
	})
}

func TestFiveHundredSearchesAtOnce(t *testing.T) {
	crowded(t, 5, 20, 300*time.Millisecond, func(t *testing.T, c *crowd) {
		var answered, turned atomic.Int64
		var callers sync.WaitGroup
		started := time.Now()
		for i := range 500 {
			callers.Go(func() {
				switch _, err := c.Service.Search(t.Context(), nth(i), nil); {
				case err == nil:
					answered.Add(1)
				case errors.Is(err, ErrFull):
					turned.Add(1)
				default:
					t.Errorf("search %d: %v", i, err)
				}
			})
		}
		callers.Wait()
		// 5 go at once and 20 wait, of which 3 rounds of 5 get their turn within a second.
		if answered.Load() != 20 || turned.Load() != 480 || c.most.Load() != 5 || time.Since(started) > 1300*time.Millisecond {
			t.Errorf("%d answered, %d turned away, %d at once, in %s", answered.Load(), turned.Load(), c.most.Load(), time.Since(started))
		}
		if got := <-c.search(t.Context(), nth(1000)); got.err != nil || got.took != c.takes {
			t.Errorf("afterwards a search took %s: %v", got.took, got.err)
		}
	})
}
