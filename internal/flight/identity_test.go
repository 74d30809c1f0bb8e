package flight_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// sold is one journey FRA-JFK as different sellers describe it.
func sold(tb testing.TB, marketing flight.Carrier, number string, operating flight.Carrier) flight.Itinerary {
	tb.Helper()
	s := leg(tb, "FRA", "2026-12-15T13:00:00", "JFK", "2026-12-15T15:45:00")
	s.Marketing, s.FlightNumber, s.Operating = marketing, number, operating
	return flight.Itinerary{Slices: []flight.Slice{{Segments: []flight.Segment{s}}}}
}

func TestIdentity(t *testing.T) {
	lufthansa, united := flight.Carrier{Code: "LH"}, flight.Carrier{Code: "UA"}
	changed := func(change func(*flight.Segment)) flight.Itinerary {
		it := sold(t, lufthansa, "404", lufthansa)
		change(&it.Slices[0].Segments[0])
		return it
	}
	tests := map[string]struct {
		other flight.Itinerary
		same  bool
	}{
		"under a codeshare number (travelport-uapi-tutorial#128)": {sold(t, united, "8843", lufthansa), true},
		"operating carrier unknown (amadeus-ws-client#350)":       {sold(t, lufthansa, "404", flight.Carrier{}), true},
		"with the carrier's name":                                 {sold(t, united, "8843", flight.Carrier{Code: "LH", Name: "Deutsche Lufthansa"}), true},
		"described more fully": {changed(func(s *flight.Segment) {
			s.Aircraft, s.OriginTerminal, s.Cabin, s.Duration = "74H", "1", flight.CabinBusiness, 525
			s.Stops = []flight.Stop{{Airport: "KEF"}}
		}), true},
		"zones known": {changed(func(s *flight.Segment) {
			s.Departure, s.Arrival = s.Departure.In(zone(t, "Europe/Berlin")), s.Arrival.In(zone(t, "America/New_York"))
		}), true},
		"sold by another, operator unknown": {sold(t, united, "8843", flight.Carrier{}), false},
		"another operator, same times":      {sold(t, lufthansa, "404", united), false},
		"from another airport":              {changed(func(s *flight.Segment) { s.Origin = "HHN" }), false},
		"to another airport":                {changed(func(s *flight.Segment) { s.Destination = "EWR" }), false},
		"leaves a minute later":             {changed(func(s *flight.Segment) { s.Departure = wall(t, "2026-12-15T13:01") }), false},
		"lands a day later":                 {changed(func(s *flight.Segment) { s.Arrival = wall(t, "2026-12-16T15:45") }), false},
		"time unknown":                      {changed(func(s *flight.Segment) { s.Departure = flight.LocalTime{} }), false},
	}
	first := sold(t, lufthansa, "404", lufthansa)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.other.Key() == first.Key(); got != test.same {
				t.Errorf("same journey: %v, want %v\n%s\n%s", got, test.same, first.Key(), test.other.Key())
			}
			if got := test.other.ID() == first.ID(); got != test.same {
				t.Errorf("same id: %v, want %v", got, test.same)
			}
		})
	}
}

func TestIdentityByName(t *testing.T) {
	name := func(text string) string {
		return sold(t, flight.Carrier{Code: "LH"}, "1", flight.Carrier{Name: text}).Key()
	}
	if name("Air Dolomiti") != name("AIR DOLOMITI") {
		t.Error("a carrier without a code is another one in capitals")
	}
	if name("Air Dolomiti") == name("Air Malta") {
		t.Error("two carriers without codes are one")
	}
	if name("lh") == sold(t, flight.Carrier{Code: "LH"}, "1", flight.Carrier{Code: "lh"}).Key() {
		t.Error("a name passes for a code")
	}
}

// The same flights make different journeys where the passenger may stay between
// them or may not, and in another order.
func TestIdentityOfSlices(t *testing.T) {
	out := leg(t, "FRA", "2026-12-15T13:00:00", "JFK", "2026-12-15T15:45:00")
	on := leg(t, "JFK", "2026-12-16T13:00:00", "BOS", "2026-12-16T14:15:00")
	journeys := map[string]flight.Itinerary{
		"connection": {Slices: []flight.Slice{{Segments: []flight.Segment{out, on}}}},
		"two slices": {Slices: []flight.Slice{{Segments: []flight.Segment{out}}, {Segments: []flight.Segment{on}}}},
		"reversed":   {Slices: []flight.Slice{{Segments: []flight.Segment{on, out}}}},
		"the first":  {Slices: []flight.Slice{{Segments: []flight.Segment{out}}}},
		"none":       {},
	}
	seen := map[string]string{}
	for name, it := range journeys {
		if other, ok := seen[it.Key()]; ok {
			t.Errorf("%s and %s are one journey", name, other)
		}
		seen[it.Key()] = name
	}
}

// An id is part of links and of cached pages: a release that changes it loses
// both. Pinned on purpose.
func TestIDIsStable(t *testing.T) {
	got := sold(t, flight.Carrier{Code: "UA"}, "8843", flight.Carrier{Code: "LH"}).ID()
	if want := "44vszdfoscbfaae2"; got != want {
		t.Errorf("ID() = %q, want %q", got, want)
	}
	if !regexp.MustCompile(`^[a-z2-7]{16}$`).MatchString(got) {
		t.Errorf("ID() = %q, want sixteen letters and digits", got)
	}
}

// A key longer than the room set aside for it is still whole.
func TestKeyOfALongJourney(t *testing.T) {
	var long flight.Itinerary
	for range 6 {
		long.Slices = append(long.Slices, journey(t).Slices...)
	}
	if got, want := long.Key(), strings.Repeat(journey(t).Key(), 6); got != want {
		t.Errorf("Key() = %q, want %q", got, want)
	}
}

func drawCarrier(t *rapid.T, label string) flight.Carrier {
	return rapid.SampledFrom([]flight.Carrier{{}, {Code: "LH"}, {Code: "UA"}, {Code: "U2"}, {Name: "Air Dolomiti"}, {Name: "Bus \"1\""}}).Draw(t, label)
}

func drawSegment(t *rapid.T) flight.Segment {
	airport := rapid.SampledFrom([]string{"FRA", "JFK", "BER"})
	return flight.Segment{
		Marketing:    drawCarrier(t, "marketing"),
		FlightNumber: rapid.StringMatching(`[0-9]{1,4}`).Draw(t, "number"),
		Operating:    drawCarrier(t, "operating"),
		Origin:       airport.Draw(t, "origin"),
		Destination:  airport.Draw(t, "destination"),
		Departure:    drawLocalTime(t),
		Arrival:      drawLocalTime(t),
	}
}

func drawItinerary(t *rapid.T) flight.Itinerary {
	return flight.Itinerary{Slices: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) flight.Slice {
		return flight.Slice{Segments: rapid.SliceOfN(rapid.Custom(drawSegment), 1, 3).Draw(t, "segments")}
	}), 1, 3).Draw(t, "slices")}
}

// Whoever sells it and under whichever numbers: the journey is the same one.
func TestIdentityDoesNotDependOnTheSeller(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := drawItinerary(t)
		key, id := it.Key(), it.ID()
		for _, s := range it.Slices {
			for i := range s.Segments {
				s.Segments[i].FlightNumber = rapid.StringMatching(`[0-9]{1,4}`).Draw(t, "other number")
				if s.Segments[i].Operating.Known() {
					s.Segments[i].Marketing = drawCarrier(t, "other seller")
				}
			}
		}
		if it.Key() != key || it.ID() != id {
			t.Fatalf("became another journey:\n%s\n%s", key, it.Key())
		}
	})
}

// Two keys are equal exactly when the physical parts are.
func TestKeyTellsJourneysApart(t *testing.T) {
	type movement struct {
		origin, destination, departure, arrival string
		carrier                                 flight.Carrier
		slice                                   int
	}
	physical := func(it flight.Itinerary) (all []movement) {
		for i, s := range it.Slices {
			for _, g := range s.Segments {
				carrier := g.Operating
				if !carrier.Known() {
					carrier = g.Marketing
				}
				all = append(all, movement{g.Origin, g.Destination, g.Departure.Wall(), g.Arrival.Wall(), carrier, i})
			}
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawItinerary(t), drawItinerary(t)
		if rapid.Bool().Draw(t, "nearly the same") {
			b = flight.Itinerary{Slices: slices.Clone(a.Slices)}
			last := &b.Slices[len(b.Slices)-1]
			last.Segments = slices.Clone(last.Segments)
			last.Segments[0].Operating = drawCarrier(t, "other operator")
		}
		if same := slices.Equal(physical(a), physical(b)); same != (a.Key() == b.Key()) {
			t.Fatalf("same journey: %v, keys\n%s\n%s", same, a.Key(), b.Key())
		}
	})
}
