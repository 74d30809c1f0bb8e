package day_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/bench/day"
)

func play(t *testing.T, traffic day.Traffic, step day.Step) (r day.Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if r, err = day.Play(traffic, step); err != nil {
			t.Fatal(err)
		}
	})
	return r
}

// Each step must show what it is for; else the table compares nothing.
func TestSteps(t *testing.T) {
	traffic := day.Usual()
	traffic.Span = 10 * time.Minute
	var all []day.Result
	for _, step := range day.Steps() {
		r := play(t, traffic, step)
		// One answer of twenty takes longer than a provider may: all three of a miss do
		// once in some thousands. Which calls those are is chance, so one may be among
		// the searches of this test; one in five hundred would be a fault.
		if 500*r.Failed > len(r.Whole) {
			t.Errorf("%s: %d of %d searches failed", step.Name, r.Failed, len(r.Whole))
		}
		all = append(all, r)
	}
	before, parallel, cached, shared, hedged, five := all[0], all[1], all[2], all[3], all[5], all[6]
	product := all[len(all)-1]
	if before.CallsPerSearch != 3 || len(before.Hits) != 0 {
		t.Errorf("before: %.2f calls per search, %d hits", before.CallsPerSearch, len(before.Hits))
	}
	if parallel.Whole.Quantile(0.5) > before.Whole.Quantile(0.5)/2 {
		t.Error("asking at once does not halve the median")
	}
	if cached.CallsPerSearch > before.CallsPerSearch/2 || shared.CallsPerSearch >= cached.CallsPerSearch {
		t.Error("neither cache nor coalescing saves calls")
	}
	if hedged.Misses.Quantile(0.95) >= shared.Misses.Quantile(0.95) {
		t.Error("hedging does not shorten misses")
	}
	if five.Containers >= hedged.Containers {
		t.Error("five at a time need as many containers as one")
	}
	if product.Whole.Quantile(0.95) > before.Whole.Quantile(0.95)/2 {
		t.Error("the product is not twice as fast as before")
	}
}

// The same seed is the same day.
func TestDeterministicTraffic(t *testing.T) {
	traffic := day.Usual()
	traffic.Span = 2 * time.Minute
	a, b := play(t, traffic, day.Steps()[0]), play(t, traffic, day.Steps()[0])
	if len(a.Whole) != len(b.Whole) || len(a.Whole) == 0 {
		t.Errorf("%d and %d searches", len(a.Whole), len(b.Whole))
	}
}
