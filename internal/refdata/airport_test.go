package refdata_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, test := range []struct {
		from, to string
		km       float64
	}{
		{"JFK", "LHR", 5540}, {"SYD", "LAX", 12051}, {"SIN", "EWR", 15345}, {"LHR", "CDG", 347}, {"JFK", "JFK", 0},
	} {
		a, _ := c.Airport(test.from)
		b, _ := c.Airport(test.to)
		if got := refdata.Distance(a, b); math.Abs(got-test.km) > 0.005*test.km {
			t.Errorf("%s to %s is %.0f km, want %.0f", test.from, test.to, got, test.km)
		}
	}
}

func TestDistanceIsAMetric(t *testing.T) {
	t.Parallel()
	half := math.Pi * 6371.0088
	place := rapid.Custom(func(t *rapid.T) refdata.Airport {
		return refdata.Airport{Lat: rapid.Float64Range(-90, 90).Draw(t, "lat"), Lon: rapid.Float64Range(-180, 180).Draw(t, "lon")}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := place.Draw(t, "a"), place.Draw(t, "b"), place.Draw(t, "c")
		ab, ba, bc, ac := refdata.Distance(a, b), refdata.Distance(b, a), refdata.Distance(b, c), refdata.Distance(a, c)
		if math.Abs(ab-ba) > 1e-6 || ab < 0 || ab > half+1e-6 || math.IsNaN(ab) {
			t.Errorf("there %v, back %v, half the Earth is %v", ab, ba, half)
		}
		if ac > ab+bc+1e-3 {
			t.Errorf("a detour is shorter: %v over %v", ab+bc, ac)
		}
	})
}
