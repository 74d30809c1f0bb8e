package fanout

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// seen are attempts as the window counts them.
func seen(answered, cut []time.Duration) *counts {
	h := newHistogram(time.Time{})
	for _, age := range answered {
		h.record(age, true)
	}
	for _, age := range cut {
		h.record(age, false)
	}
	c := &counts{}
	c.add(h)
	return c
}

func repeat(age time.Duration, n int) []time.Duration {
	ages := make([]time.Duration, n)
	for i := range ages {
		ages[i] = age
	}
	return ages
}

// near compares within the doubt that an estimate keeps.
func near(got, want float64) bool { return math.Abs(got-want) < 0.006 }

func TestSurvivalOfAnswers(t *testing.T) {
	s := survive(seen(append(repeat(20*ms, 90), repeat(700*ms, 10)...), nil))
	for age, want := range map[time.Duration]float64{10 * ms: 1, 50 * ms: 0.1, 600 * ms: 0.1, time.Second: 0} {
		if got := s.at(age); !near(got, want) {
			t.Errorf("S(%v) = %.3f, want %.2f", age, got, want)
		}
	}
	if got := s.areaTo(6); math.Abs(got-(0.9*0.020+0.1*0.7+0.001*5.3)) > 0.005 {
		t.Errorf("the mean is %.3f s", got)
	}
}

// An attempt that was cut off at 60 ms was slow for 60 ms at least. Taken as an
// answer it would halve the tail; left out, it would remove it.
func TestCutOffAttemptsCountAsStillOut(t *testing.T) {
	s := survive(seen(repeat(20*ms, 90), repeat(60*ms, 10)))
	for _, age := range []time.Duration{50 * ms, 100 * ms, time.Second, 5 * time.Second} {
		if got := s.at(age); !near(got, 0.1) {
			t.Errorf("S(%v) = %.3f, want 0.10", age, got)
		}
	}
}

// Kaplan and Meier's product: of ten, one answers at 10 ms, five are cut off at
// 20 ms, and of the four at risk one answers at 40 ms.
func TestProductLimit(t *testing.T) {
	s := survive(seen([]time.Duration{10 * ms, 40 * ms, 80 * ms, 80 * ms, 80 * ms}, repeat(20*ms, 5)))
	want := (1 - 1/(10+doubt)) * (1 - 1/(4+doubt))
	if got := s.at(60 * ms); math.Abs(got-want) > 1e-9 {
		t.Errorf("S(60ms) = %v, want %v", got, want)
	}
}

func TestSurvivalNeverRisesAndNeverEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ages := rapid.SliceOf(rapid.Int64Range(0, int64(20*time.Second)))
		answered, cut := ages.Draw(t, "answered"), ages.Draw(t, "cut")
		s := survive(seen(durations(answered), durations(cut)))
		for i := range buckets {
			if s.atEdge[i+1] > s.atEdge[i] || s.atEdge[i+1] <= 0 || s.area[i+1] < s.area[i] {
				t.Fatalf("bucket %d: S %v to %v, area %v to %v", i, s.atEdge[i], s.atEdge[i+1], s.area[i], s.area[i+1])
			}
		}
	})
}

func durations(ns []int64) []time.Duration {
	ages := make([]time.Duration, len(ns))
	for i, n := range ns {
		ages[i] = time.Duration(n)
	}
	return ages
}
