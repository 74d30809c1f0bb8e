package world

import (
	"slices"
	"strings"
	"testing"
)

// A code that the reference data do not know would be left out in silence.
func TestEveryCodeIsInTheReferenceData(t *testing.T) {
	w := mustWorld(t, 1)
	codes := map[string]bool{}
	for _, a := range airlines() {
		if codes[a.Code] {
			t.Errorf("airline %s is there twice", a.Code)
		}
		codes[a.Code] = true
		if _, ok := w.catalog.Carrier(a.Code); !ok {
			t.Errorf("airline %s is unknown", a.Code)
		}
		for _, hub := range a.Hubs {
			if w.catalog.Zone(hub) == nil {
				t.Errorf("hub %s of %s is unknown", hub, a.Code)
			}
		}
	}
	for code, partners := range partnerships {
		for _, partner := range append(strings.Fields(partners), code) {
			if !codes[partner] {
				t.Errorf("partner %s is not an airline of the world", partner)
			}
		}
	}
	for code := range w.sizes {
		if _, ok := w.catalog.Airport(code); !ok {
			t.Errorf("airport %s is unknown", code)
		}
	}
	for trunk := range trunks {
		parts := strings.Fields(trunk)
		if !slices.ContainsFunc(w.homes[parts[1]], func(a *Airline) bool { return a.Code == parts[0] }) {
			t.Errorf("trunk %q does not begin at a hub of %s", trunk, parts[0])
		}
	}
}

func TestEveryAircraftHasAName(t *testing.T) {
	w := mustWorld(t, 1)
	for _, pair := range []string{"JFK LHR", "SYD LHR", "STN BUD", "BGO OSL", "DXB LHR", "DEL BLR", "GRU VCP", "MAN KEF"} {
		for _, it := range w.Itineraries(oneWay(pair[:3], pair[4:], today.AddDays(9)), today) {
			for _, f := range it.Flights() {
				if AircraftName(f.Aircraft) == "" {
					t.Errorf("%s is flown with %q", f.key(), f.Aircraft)
				}
			}
		}
	}
}
