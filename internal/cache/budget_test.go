package cache

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

// TestSpendingHoldsInEveryPeriod: whatever is spent when, no stretch of a period
// sees more than the limit, and RetryAfter is neither too short nor without end.
func TestSpendingHoldsInEveryPeriod(t *testing.T) {
	type grant struct {
		at time.Time
		n  int
	}
	rapid.Check(t, func(t *rapid.T) {
		limits := []Limit{{Count: rapid.IntRange(1, 20).Draw(t, "count"), Per: time.Second}, {Count: 50, Per: time.Minute}}
		s, now := &spending{}, time.UnixMilli(rapid.Int64Range(0, 1<<40).Draw(t, "start"))
		var grants []grant
		for range 60 {
			now = now.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "pause")) * time.Millisecond)
			n := rapid.IntRange(1, limits[0].Count).Draw(t, "amount")
			v := s.spend(now, n, limits)
			if !v.OK {
				now = now.Add(v.RetryAfter)
				if v.RetryAfter <= 0 || v.RetryAfter > 66*time.Second || !s.spend(now, n, limits).OK {
					t.Fatalf("refused again after the %v it asked for", v.RetryAfter)
				}
			}
			grants = append(grants, grant{now, n})
		}
		for i := range grants {
			for _, l := range limits {
				sum := 0
				for j := i; j < len(grants) && grants[j].at.Sub(grants[i].at) < l.Per; j++ {
					sum += grants[j].n
				}
				if sum > l.Count {
					t.Fatalf("%d spent within %v, limit %d", sum, l.Per, l.Count)
				}
			}
		}
	})
}

// TestSpendingOnRedis holds the script to the same promise, by the server's own
// clock: a grant happened between its sending and its answer.
func TestSpendingOnRedis(t *testing.T) {
	const count, period = 5, 200 * time.Millisecond
	c := mustOpen(t, Options{URL: cachetest.Redis(t).URL(), LookupLimit: patient, CommandLimit: patient})
	budget := Budget{Name: "b", Limits: []Limit{{Count: count, Per: period}, {Count: 1000, Per: time.Hour}}}
	var sent, answered []time.Time
	for len(sent) < 4*count {
		before := time.Now()
		v, err := c.Spend(t.Context(), budget, 1)
		mustSucceed(t, err)
		if v.OK {
			sent, answered = append(sent, before), append(answered, time.Now())
			continue
		}
		if v.RetryAfter <= 0 || v.RetryAfter > period*11/10 {
			t.Fatalf("retry after %v in a period of %v", v.RetryAfter, period)
		}
		pauseFor(t.Context(), v.RetryAfter)
	}
	for i := range len(sent) - count {
		if within := answered[i+count].Sub(sent[i]); within < period {
			t.Errorf("%d grants within %v, allowed are %d in %v", count+1, within, count, period)
		}
	}
}
