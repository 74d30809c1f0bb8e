package sandbox

import (
	"testing"
	"time"
)

func TestLaws(t *testing.T) {
	const end = 1 - 1e-12 // Of the range that both draws come from.
	for _, test := range []struct {
		law       Law
		which     float64
		low, high time.Duration
	}{
		{LawNone, 0.5, 0, 0},
		{"", 0.5, 0, 0},
		{LawLongTail, 0, 10 * time.Millisecond, 50 * time.Millisecond},
		{LawLongTail, 0.8999, 10 * time.Millisecond, 50 * time.Millisecond},
		{LawLongTail, 0.9, 500 * time.Millisecond, time.Second},
		{LawLongTail, end, 500 * time.Millisecond, time.Second},
		{LawSlow, 0, 2 * time.Second, 3 * time.Second},
		{LawSlow, end, 2 * time.Second, 3 * time.Second},
	} {
		low, middle, high := test.law.latency(test.which, 0), test.law.latency(test.which, 0.5), test.law.latency(test.which, end)
		if low != test.low || middle != (test.low+test.high)/2 || test.high-high > time.Microsecond {
			t.Errorf("%s at %g: %s, %s, %s; want %s to %s", test.law, test.which, low, middle, high, test.low, test.high)
		}
	}
}

func TestLawsAreDrawnAnew(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 100 {
		seen[LawLongTail.draw()] = true
	}
	if len(seen) < 90 {
		t.Errorf("%d latencies in 100 draws", len(seen))
	}
}

func TestLawNames(t *testing.T) {
	for _, name := range []Law{LawNone, LawLongTail, LawSlow} {
		var law Law
		if err := law.UnmarshalText([]byte(name)); err != nil || law != name {
			t.Errorf("%s: %q, %v", name, law, err)
		}
	}
	for _, name := range []string{"", "fast", "NONE", "long tail"} {
		if err := new(Law).UnmarshalText([]byte(name)); err == nil {
			t.Errorf("%q is a law", name)
		}
	}
}
