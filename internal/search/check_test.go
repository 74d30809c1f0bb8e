package search

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestPastIsJudgedInTheOriginsZone(t *testing.T) {
	// punitarani/fli#215: it is still the 19th in Los Angeles.
	now := time.Date(2025, 3, 20, 1, 12, 0, 0, time.UTC)
	catalog := catalogOf(t)
	for _, tc := range []struct {
		origin, date string
		past         bool
	}{
		{"LAX", "2025-03-19", false},
		{"LAX", "2025-03-18", true},
		{"LHR", "2025-03-19", true},
		{"LHR", "2025-03-20", false},
		{"AKL", "2025-03-19", true},
	} {
		req := oneWay(tc.origin, "JFK", tc.date)
		faults := check(req, nil, catalog, now)
		if got := len(faults) > 0; got != tc.past {
			t.Errorf("%s on %s: faults %v, past should be %t", tc.origin, tc.date, faults, tc.past)
		}
	}
}

func TestEveryFaultIsFoundAtOnce(t *testing.T) {
	req := oneWay("LON", "LHR", "2026-11-01")
	req.Query.Passengers = flight.Passengers{Adults: 1, Infants: 2}
	req.View.Currency = "XTS"
	req.Query.Slices = append(req.Query.Slices, flight.SliceQuery{Origin: "LHR", Destination: "QQQ", Departure: flight.Date{Year: 2028, Month: 1, Day: 1}})
	decoding := []flight.Fault{{Field: "sort", Slice: flight.NoSlice, Detail: "unknown"}}

	_, err := serviceOf(t, &scripted{name: "duffel"}).Search(context.Background(), req, decoding)
	var invalid *InvalidError
	if !errors.As(err, &invalid) {
		t.Fatalf("want *InvalidError, got %v", err)
	}
	want := []struct {
		field string
		slice int
		says  string
	}{
		{"sort", flight.NoSlice, "unknown"},
		{flight.FieldInfants, flight.NoSlice, "lap"},
		{flight.FieldDestination, 0, "same place"},
		{flight.FieldDeparture, 0, "past"},
		{flight.FieldDestination, 1, "no airport or city"},
		{flight.FieldDeparture, 1, "days ahead"},
		{FieldCurrency, flight.NoSlice, "ISO 4217"},
	}
	if len(invalid.Faults) != len(want) {
		t.Errorf("want %d faults, got %d: %v", len(want), len(invalid.Faults), invalid.Faults)
	}
	for _, w := range want {
		if !hasFault(invalid.Faults, w.field, w.slice, w.says) {
			t.Errorf("no fault of %s in slice %d that says %q: %v", w.field, w.slice, w.says, invalid.Faults)
		}
	}
}

func TestTooManySlicesAreOneFault(t *testing.T) {
	req := oneWay("JFK", "LHR", "2026-12-15")
	for len(req.Query.Slices) < flight.MaxSlices {
		req.Query.Slices = append(req.Query.Slices, req.Query.Slices[0])
	}
	// The edge reads none beyond the last that there may be.
	req.Query.Slices = append(req.Query.Slices, flight.SliceQuery{}, flight.SliceQuery{})
	if faults := check(req, nil, catalogOf(t), noon); len(faults) != 1 || faults[0].Field != flight.FieldSlices {
		t.Errorf("want one fault, of slices: %v", faults)
	}
}

func TestAMarketHasTwoPlaces(t *testing.T) {
	service := serviceOf(t, &scripted{name: "duffel"})
	for _, tc := range []struct {
		origin, destination string
		refused             bool
	}{
		{"LHR", "LON", true},
		{"LON", "LGW", true},
		{"JFK", "JFK", true},
		{"JFK", "LON", false},
		{"JFK", "LGA", false}, // One flies between airports of a city, rarely.
	} {
		faults := service.ScopeFaults(Scope{Origin: tc.origin, Destination: tc.destination})
		if hasFault(faults, flight.FieldDestination, flight.NoSlice, "same place") != tc.refused || len(faults) > 0 != tc.refused {
			t.Errorf("%s to %s: %v", tc.origin, tc.destination, faults)
		}
	}
}

func hasFault(faults []flight.Fault, field string, slice int, says string) bool {
	for _, f := range faults {
		if f.Field == field && f.Slice == slice && strings.Contains(f.Detail, says) {
			return true
		}
	}
	return false
}

func TestAFieldThatCouldNotBeReadIsNotAlsoMissing(t *testing.T) {
	req := oneWay("JFK", "LHR", "2026-12-15")
	req.Query.Slices[0].Departure = flight.Date{}
	decoding := []flight.Fault{{Field: flight.FieldDeparture, Slice: 0, Detail: "not a date"}}
	if faults := check(req, decoding, catalogOf(t), noon); len(faults) != 1 {
		t.Errorf("want the decoding fault alone, got %v", faults)
	}
}

func TestAnInvalidSearchAsksNobody(t *testing.T) {
	provider := &scripted{name: "duffel"}
	_, err := serviceOf(t, provider).Search(context.Background(), oneWay("JFK", "JFK", "2026-12-15"), nil)
	if err == nil || len(provider.asked) != 0 {
		t.Errorf("err %v, asked %d times", err, len(provider.asked))
	}
}

func TestTheLastDayThatCanBeAsked(t *testing.T) {
	today := flight.DateOf(noon)
	for days, ok := range map[int]bool{0: true, MaxDaysAhead: true, MaxDaysAhead + 1: false} {
		faults := check(oneWay("LHR", "JFK", today.AddDays(days).String()), nil, catalogOf(t), noon)
		if (len(faults) == 0) != ok {
			t.Errorf("%d days ahead: %v", days, faults)
		}
	}
}
