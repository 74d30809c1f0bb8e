package world

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// places are of every size and from all over the world; the clocks of some are
// odd.
var places = []string{
	"JFK", "LHR", "SYD", "LAX", "HND", "SFO", "DEL", "KTM", "AKL", "HNL", "GRU", "MAD", "CDG", "BKK", "DXB", "GOT", "PDX",
	"BGO", "RNO", "VIZ", "ADL", "LDH", "CHT", "APW", "IST", "KEF", "ANC", "USH", "TOS", "NYC", "LON", "TYO", "SIN", "PER",
}

func drawQuery(t *rapid.T, slices int) Query {
	q := Query{Cabin: rapid.SampledFrom([]flight.Cabin{flight.CabinEconomy, flight.CabinEconomy, flight.CabinBusiness, flight.CabinFirst}).Draw(t, "cabin")}
	date := today
	for range slices {
		date = date.AddDays(rapid.IntRange(0, 150).Draw(t, "days"))
		q.Slices = append(q.Slices, flight.SliceQuery{
			Origin: rapid.SampledFrom(places).Draw(t, "origin"), Destination: rapid.SampledFrom(places).Draw(t, "destination"), Departure: date,
		})
	}
	return q
}

func TestItinerariesAreJourneysThatSomeoneCanMake(t *testing.T) {
	w := mustWorld(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t, rapid.IntRange(1, 3).Draw(t, "slices"))
		trips := w.Itineraries(q, today)
		if len(trips) > maxItineraries {
			t.Fatalf("%d itineraries", len(trips))
		}
		seen := map[string]bool{}
		for _, it := range trips {
			if seen[it.key] {
				t.Fatalf("%s twice", describe(it))
			}
			seen[it.key] = true
			checkItinerary(t, w, q, it)
		}
	})
}

func checkItinerary(t *rapid.T, w *World, q Query, it *Itinerary) {
	if len(it.Journeys) != len(q.Slices) {
		t.Fatalf("%d journeys for %d slices", len(it.Journeys), len(q.Slices))
	}
	for i, j := range it.Journeys {
		asked := q.Slices[i]
		if !slices.Contains(w.catalog.Expand(asked.Origin), j.Origin()) || !slices.Contains(w.catalog.Expand(asked.Destination), j.Destination()) {
			t.Fatalf("%s-%s for %s-%s", j.Origin(), j.Destination(), asked.Origin, asked.Destination)
		}
		if local := flight.DateOf(j.Departure().In(w.catalog.Zone(j.Origin()))); local != asked.Departure {
			t.Fatalf("%s leaves on %s, not %s", describe(it), local, asked.Departure)
		}
		if i > 0 && j.Departure().Before(it.Journeys[i-1].Arrival()) {
			t.Fatalf("%s leaves before it has come", describe(it))
		}
		checkJourney(t, j)
	}
}

func checkJourney(t *rapid.T, j *Journey) {
	var flown, waited time.Duration
	for i, f := range j.Flights {
		flown += f.Duration()
		if f.Duration() < 35*time.Minute || f.Duration() > 28*time.Hour || f.From == f.To {
			t.Fatalf("%s takes %s", f.key(), f.Duration())
		}
		if touch := f.TouchDown; touch != nil && !(f.Departure.Before(touch.Arrival) && touch.Arrival.Before(touch.Departure) && touch.Departure.Before(f.Arrival)) {
			t.Fatalf("%s touches down out of order", f.key())
		}
		aloft := f.Duration()
		if f.TouchDown != nil {
			aloft -= f.TouchDown.Departure.Sub(f.TouchDown.Arrival)
		}
		if speed := float64(f.Kilometres) / aloft.Hours(); speed < 60 || speed > 900 {
			t.Fatalf("%s flies at %.0f km/h", f.key(), speed)
		}
		if i == 0 {
			continue
		}
		before := j.Flights[i-1]
		wait := f.Departure.Sub(before.Arrival)
		waited += wait
		if before.To != f.From || wait < 45*time.Minute {
			t.Fatalf("%s to %s: %s", before.key(), f.key(), wait)
		}
		if !j.SelfTransfer && !before.Airline.sells(f.Airline) {
			t.Fatalf("%s and %s on one ticket", before.Airline.Code, f.Airline.Code)
		}
	}
	if flown+waited != j.Duration() {
		t.Fatalf("%s flown and %s waited are not %s", flown, waited, j.Duration())
	}
}

func TestSameSeedSameWorld(t *testing.T) {
	one, same, other := mustWorld(t, 1), mustWorld(t, 1), mustWorld(t, 2)
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t, 1)
		// In another order of asking, too.
		same.Itineraries(drawQuery(t, 1), today)
		want, got := summary(one, q), summary(same, q)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
	q := oneWay("JFK", "LHR", today.AddDays(30))
	if cmp.Equal(summary(one, q), summary(other, q)) {
		t.Error("seeds 1 and 2 have the same flights and fares")
	}
}

// summary is what is sold for a query, and at what price.
func summary(w *World, q Query) map[string][]Price {
	fares := map[string][]Price{}
	for _, f := range w.Fares(Vantage{Name: "v", Shown: 1000, Brands: 3, Limit: 500}, q, today) {
		fares[describe(f.Itinerary)+f.Brand.Code] = append(fares[describe(f.Itinerary)+f.Brand.Code], f.Adult)
	}
	return fares
}

func TestTrunkRoutesAreWellServedAndHopelessOnesAreNot(t *testing.T) {
	w := mustWorld(t, 1)
	for _, test := range []struct {
		origin, destination string
		least, most         int
	}{
		{"JFK", "LHR", 100, maxItineraries},
		{"NYC", "LON", 100, maxItineraries},
		{"SYD", "LAX", 40, maxItineraries},
		{"SYD", "LHR", 60, maxItineraries},
		{"HND", "SFO", 40, maxItineraries},
		{"DEL", "LHR", 60, maxItineraries},
		{"LHR", "JFK", 100, maxItineraries},
		{"GRU", "MAD", 40, maxItineraries},
		{"CDG", "BKK", 60, maxItineraries},
		{"KTM", "DXB", 10, 60},
		{"AKL", "HNL", 4, 40},
		{"AAA", "AAC", 0, 4}, // From an atoll to the Sinai.
		{"JFK", "EWR", 0, 0}, // Across the town.
		{"JFK", "XXX", 0, 0},
		{"XXX", "JFK", 0, 0},
	} {
		trips := w.Itineraries(oneWay(test.origin, test.destination, today.AddDays(33)), today)
		if len(trips) < test.least || len(trips) > test.most {
			t.Errorf("%s-%s: %d itineraries, want %d to %d", test.origin, test.destination, len(trips), test.least, test.most)
		}
	}
}

func TestBritishAirwaysFliesNonStopToLondonEveryDay(t *testing.T) {
	w := mustWorld(t, 1)
	table := w.timetable()
	for days := 1; days <= 361; days++ {
		found := 0
		for _, f := range table.flights(leg{"JFK", "LHR", today.AddDays(days)}) {
			if f.Airline.Code == "BA" && f.TouchDown == nil {
				found++
			}
		}
		if found == 0 {
			t.Errorf("none on %s", today.AddDays(days))
		}
	}
}

func TestAReturnIsCheaperThanTwoTickets(t *testing.T) {
	w := mustWorld(t, 1)
	q := oneWay("JFK", "LHR", today.AddDays(30))
	q.Slices = append(q.Slices, flight.SliceQuery{Origin: "LHR", Destination: "JFK", Departure: today.AddDays(37)})
	for _, it := range w.Itineraries(q, today) {
		brand := brands(it.Journeys[0].Carrier(), q.Cabin)[0]
		together := w.fare(it, it.Journeys[0].Carrier(), brand, q.Cabin, 1000, today)
		var apart int64
		for _, j := range it.Journeys {
			single := &Itinerary{Journeys: []*Journey{j}}
			apart += w.fare(single, j.Carrier(), brand, q.Cabin, 1000, today).Adult.Base
		}
		partners := it.Journeys[0].Carrier().sells(it.Journeys[1].Carrier())
		if cheaper := together.Adult.Base < apart; cheaper != partners {
			t.Fatalf("%s: %d together, %d apart, partners: %t", describe(it), together.Adult.Base, apart, partners)
		}
	}
}

func TestRetraceFindsEverySoldItinerary(t *testing.T) {
	w := mustWorld(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		for _, it := range w.Itineraries(drawQuery(t, rapid.IntRange(1, 2).Draw(t, "slices")), today) {
			found, ok := w.Retrace(hopsOf(w, it))
			if !ok || found.key != it.key {
				t.Fatalf("%s not found", describe(it))
			}
		}
	})
	nowhere := []Hop{{From: "JFK", To: "LHR", Departure: flight.LocalTime{}, Operator: "BA"}}
	if _, ok := w.Retrace([][]Hop{nowhere}); ok {
		t.Error("a flight without a time was found")
	}
}

func hopsOf(w *World, it *Itinerary) [][]Hop {
	var all [][]Hop
	for _, j := range it.Journeys {
		var hops []Hop
		for _, f := range j.Flights {
			hops = append(hops, Hop{f.From, f.To, flight.At(f.Departure, w.catalog.Zone(f.From)), f.Airline.Code})
		}
		all = append(all, hops)
	}
	return all
}
