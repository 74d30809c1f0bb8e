package world

import (
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Local times follow from instants, so clocks that change and the date line
// cannot make a flight longer or shorter.
func TestLocalTimesFollowTheClocks(t *testing.T) {
	w := mustWorld(t, 1)
	day := func(y int, m time.Month, d int) flight.Date { return flight.Date{Year: y, Month: m, Day: d} }
	for _, test := range []struct {
		name, from, to string
		date           flight.Date
		offset         time.Duration // Of the destination's clock from the origin's at departure.
	}{
		{"both on winter time", "LHR", "JFK", day(2026, 12, 10), -5 * time.Hour},
		{"America on summer time already", "LHR", "JFK", day(2027, 3, 20), -4 * time.Hour},
		{"Europe on winter time already", "LHR", "JFK", day(2027, 10, 31), -4 * time.Hour},
		{"over the date line", "SYD", "LAX", day(2026, 12, 10), -19 * time.Hour},
		{"half an hour", "DEL", "LHR", day(2026, 12, 10), -330 * time.Minute},
		{"three quarters", "KTM", "DXB", day(2026, 12, 10), -105 * time.Minute},
	} {
		flights := w.timetable().flights(leg{test.from, test.to, test.date})
		if len(flights) == 0 {
			t.Errorf("%s: nobody flies", test.name)
		}
		for _, f := range flights {
			left, lands := flight.At(f.Departure, w.catalog.Zone(f.From)), flight.At(f.Arrival, w.catalog.Zone(f.To))
			if left.Date() != test.date {
				t.Errorf("%s: %s leaves on %s", test.name, f.key(), left.Date())
			}
			apparent := wallDifference(t, left, lands)
			if got := apparent - f.Duration(); got != test.offset {
				t.Errorf("%s: %s lasts %s and seems to last %s", test.name, f.key(), f.Duration(), apparent)
			}
		}
	}
}

// wallDifference subtracts clock readings as if both were of one clock.
func wallDifference(t *testing.T, from, to flight.LocalTime) time.Duration {
	t.Helper()
	const layout = "2006-01-02T15:04:05"
	a, err := time.Parse(layout, from.Wall())
	if err != nil {
		t.Fatal(err)
	}
	b, err := time.Parse(layout, to.Wall())
	if err != nil {
		t.Fatal(err)
	}
	return b.Sub(a)
}

func TestBlockTimesAreThoseOfAirliners(t *testing.T) {
	w := mustWorld(t, 1)
	for _, test := range []struct {
		from, to  string
		low, high time.Duration
	}{
		{"JFK", "LHR", 6*time.Hour + 40*time.Minute, 7*time.Hour + 20*time.Minute},
		{"LHR", "JFK", 7*time.Hour + 30*time.Minute, 8*time.Hour + 20*time.Minute},
		{"SYD", "LAX", 13 * time.Hour, 15 * time.Hour},
		{"LHR", "CDG", 50 * time.Minute, 80 * time.Minute},
	} {
		from, _ := w.airfield(test.from)
		to, _ := w.airfield(test.to)
		if got := blockTime(from, to, w.distance(from, to)); got < test.low || got > test.high {
			t.Errorf("%s-%s takes %s, want %s to %s", test.from, test.to, got, test.low, test.high)
		}
	}
}

func TestPerimetersKeepLongFlightsAway(t *testing.T) {
	w := mustWorld(t, 1)
	for far, near := range map[string]string{"SFO": "LGA", "DXB": "LCY", "LHR": "DCA"} {
		if flights := w.timetable().flights(leg{near, far, today.AddDays(30)}); len(flights) > 0 {
			t.Errorf("%s flies from %s to %s", flights[0].Airline.Code, near, far)
		}
	}
}

func TestSomeFlightsTouchDownOnTheWay(t *testing.T) {
	w := mustWorld(t, 1)
	found := 0
	for _, f := range w.timetable().flights(leg{"SYD", "LHR", today.AddDays(30)}) {
		touch := f.TouchDown
		if touch == nil {
			t.Errorf("%s flies farther than any aircraft", f.key())
			continue
		}
		found++
		from, _ := w.airfield(f.From)
		via, _ := w.airfield(touch.Airport)
		to, _ := w.airfield(f.To)
		first, second := blockTime(from, via, w.distance(from, via)), blockTime(via, to, w.distance(via, to))
		if touch.Arrival.Sub(f.Departure) != first || f.Arrival.Sub(touch.Departure) != second || touch.Departure.Sub(touch.Arrival) < 45*time.Minute {
			t.Errorf("%s: %s there at %s, on at %s, landing %s", f.key(), touch.Airport, touch.Arrival, touch.Departure, f.Arrival)
		}
	}
	if found == 0 {
		t.Error("nobody flies from SYD to LHR under one number")
	}
}
