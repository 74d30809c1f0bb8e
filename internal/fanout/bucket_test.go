package fanout

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Whatever the traffic, what is taken never exceeds what was fed plus one burst.
func TestBudgetHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0.01, 1).Draw(t, "share")
		inFlight := rapid.Int64Range(1, 100).Draw(t, "in flight")
		b := newBucket(smallBurst)
		fed, taken := 0.0, 0.0
		for _, feed := range rapid.SliceOf(rapid.Bool()).Draw(t, "feed or take") {
			if feed {
				b.feed(share, share, inFlight)
				fed += share
			} else if b.take(3) {
				taken++
			}
		}
		if burst := max(smallBurst, share*float64(inFlight)); taken > fed+burst+rounding {
			t.Fatalf("%v taken of %v fed with a burst of %v", taken, fed, burst)
		}
	})
}

func TestBurstFollowsWhatIsInFlight(t *testing.T) {
	for inFlight, want := range map[int64]float64{1: 3, 5: 3, 15: 3, 50: 10, 500: 100} {
		b := newBucket(smallBurst)
		for range 1000 {
			b.feed(0.2, 0.2, inFlight)
		}
		if got := b.level(); math.Abs(got-want) > 1e-6 {
			t.Errorf("%d in flight: a burst of %v, want %v", inFlight, got, want)
		}
	}
}

func TestPartIsKeptForThirdAttempts(t *testing.T) {
	b := newBucket(smallBurst)
	for range 100 {
		b.feed(0.2, 0.2, 50)
	}
	for b.take(2) {
	}
	if got := b.level(); got < 1 {
		t.Fatalf("second attempts left %v", got)
	}
	if !b.take(3) {
		t.Error("a third attempt found nothing")
	}
}

func TestRefundFitsTheBurst(t *testing.T) {
	b := newBucket(smallBurst)
	for range 10 {
		b.refund()
	}
	if got := b.level(); got != smallBurst {
		t.Errorf("%v tokens", got)
	}
}

func TestFleetGetsWhatFullBucketsCannotHold(t *testing.T) {
	b, f := newBucket(smallBurst), NewFleet()
	total := b.level()
	for range 20 {
		f.collect(b.feed(0.2, 0.2, 5), 0.2)
		total += 0.2
	}
	if got := b.level() + f.bucket.level(); math.Abs(got-total) > 1e-9 {
		t.Errorf("%v tokens in both, %v were fed", got, total)
	}
	if !f.take() || !f.take() || f.take() { //nolint:staticcheck // Each takes one more.
		t.Errorf("the fleet holds %v after two", f.bucket.level())
	}
}

func TestNoFleetHasNothingToGive(t *testing.T) {
	var f *Fleet
	f.enter()
	f.collect(1, 0.2)
	f.leave()
	if f.take() {
		t.Error("it gave")
	}
}
