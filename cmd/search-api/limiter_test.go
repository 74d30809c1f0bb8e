package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/providers"
)

func withCache(t *testing.T, use func(*cache.Cache)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		remembered, err := cache.Open(cache.Options{})
		if err != nil {
			t.Fatal(err)
		}
		use(remembered)
		if err := remembered.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestSearchesTogetherKeepToTheLimit: MikkoParkkola/trvl#471, eight searches at
// once.
func TestSearchesTogetherKeepToTheLimit(t *testing.T) {
	withCache(t, func(c *cache.Cache) {
		wait := limiter("amadeus", rates{{requests: 4, per: time.Second}}, nil, c)
		sent := make(chan time.Time, 8)
		for range 8 {
			go func() {
				if err := wait(context.Background()); err != nil {
					t.Error(err)
				}
				sent <- time.Now()
			}()
		}
		var times []time.Time
		for range 8 {
			times = append(times, <-sent)
		}
		for i := 4; i < len(times); i++ {
			if times[i].Sub(times[i-4]) < time.Second {
				t.Errorf("five requests within %s", times[i].Sub(times[i-4]))
			}
		}
	})
}

func TestAPlaceAfterTheDeadlineIsRefusedAtOnce(t *testing.T) {
	withCache(t, func(c *cache.Cache) {
		wait := limiter("duffel", rates{{requests: 1, per: time.Minute}}, nil, c)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := wait(ctx); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := wait(ctx); !errors.Is(err, errNoPlace) || time.Since(began) > time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

func TestPollsAreLimitedApart(t *testing.T) {
	withCache(t, func(c *cache.Cache) {
		wait := limiter("skyscanner", rates{{requests: 1, per: time.Minute}}, rates{{requests: 5, per: time.Minute}}, c)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		polling := providers.WithCall(ctx, providers.CallPoll)
		if err := wait(ctx); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if err := wait(polling); err != nil {
				t.Errorf("a poll was held to the searches' limit: %v", err)
			}
		}
		if err := wait(polling); !errors.Is(err, errNoPlace) {
			t.Errorf("a sixth poll: %v", err)
		}
	})
}

func TestARefreshLeavesPlacesToPeople(t *testing.T) {
	withCache(t, func(c *cache.Cache) {
		wait := limiter("duffel", rates{{requests: 10, per: time.Minute}}, nil, c)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		refreshing := providers.WithCall(ctx, providers.CallRefresh)
		refreshed := 0
		for wait(refreshing) == nil {
			refreshed++
		}
		searched := 0
		for wait(ctx) == nil {
			searched++
		}
		if refreshed != 7 || searched != 3 {
			t.Errorf("%d refreshes and %d searches, want 7 and 3", refreshed, searched)
		}
	})
}
