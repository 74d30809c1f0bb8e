package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestOrders(t *testing.T) {
	early := journeyOf(sliceOf(hop(t, "VS", "4", "JFK", "LHR", "2026-12-15T08:00:00", "2026-12-15T20:00:00")))
	blind := ba178(t)
	blind.Slices[0].Segments[0].Operating = flight.Carrier{Code: "XX"}
	blind.Slices[0].Duration, blind.Slices[0].Segments[0].Duration = 0, 0
	offers := []flight.Offer{
		offer("unpriced", flight.Money{Minor: 1, Currency: "XPF"}, journeyOf(sliceOf(hop(t, "AF", "1", "JFK", "LHR", "2026-12-15T01:00:00", "2026-12-15T11:00:00")))),
		offer("direct", usd(420_00), ba178(t)),
		offer("early", usd(410_00), early),
		offer("connecting", usd(400_00), viaDublin(t)),
		offer("blind", usd(900_00), blind),
	}
	for order, want := range map[Sort][]string{
		SortBest:      {"early", "direct", "connecting", "blind", "unpriced"},
		SortCheapest:  {"connecting", "early", "direct", "blind", "unpriced"},
		SortFastest:   {"direct", "early", "connecting", "blind", "unpriced"},
		SortDeparture: {"early", "connecting", "direct", "blind", "unpriced"},
	} {
		t.Run(string(order), func(t *testing.T) {
			for range 5 {
				rand.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
				req := oneWay("JFK", "LHR", "2026-12-15")
				req.View.Sort = order
				result := mustSearch(t, serviceOf(t, &scripted{name: "duffel", answer: answerOf(slices.Clone(offers)...)}), req)
				var got []string
				for _, it := range result.Itineraries {
					got = append(got, it.Offers[0].Ref)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}

func TestSummaryCountsAllThatPassedNotThePage(t *testing.T) {
	req := oneWay("JFK", "LHR", "2026-12-15")
	req.View.Limit = 1
	result := mustSearch(t, serviceOf(t, &scripted{name: "duffel", answer: answerOf(
		offer("a", usd(420_00), ba178(t)), offer("b", usd(430_00), ba178(t)), offer("c", usd(400_00), viaDublin(t)),
	)}), req)
	cheapest := usd(400_00)
	want := Summary{
		Itineraries: 2, Offers: 3, Cheapest: &cheapest, Fastest: ba178(t).Duration(),
		Carriers: map[string]int{"BA": 1, "EI": 1}, Stops: map[int]int{0: 1, 1: 1},
	}
	if diff := cmp.Diff(want, result.Summary); diff != "" {
		t.Error(diff)
	}
	if len(result.Itineraries) != 1 {
		t.Errorf("limit 1 gave %d itineraries", len(result.Itineraries))
	}
}

func TestCarrierNames(t *testing.T) {
	catalog := catalogOf(t)
	named := func(name string) Itinerary {
		it := ba178(t)
		it.Slices[0].Segments[0].Marketing.Name = name
		return Itinerary{Itinerary: it}
	}
	table, _ := catalog.Carrier("BA")
	for _, tc := range []struct {
		name string
		page []Itinerary
		want string
	}{
		{"none given: the table's", []Itinerary{named("")}, table.Name},
		{"capitals: the table's", []Itinerary{named("BRITISH AIRWAYS")}, table.Name},
		{"reassigned code: the provider's", []Itinerary{named("Bravo Air")}, "Bravo Air"},
		{"another offer without a name changes nothing", []Itinerary{named("Bravo Air"), named("")}, "Bravo Air"},
		{"a name after none wins", []Itinerary{named(""), named("Bravo Air")}, "Bravo Air"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, carriers := describe(tc.page, catalog)
			if got := carriers["BA"].Name; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAnUnknownAirportIsEchoedWithoutAName(t *testing.T) {
	it := ba178(t)
	it.Slices[0].Segments[0].Destination = "QQQ"
	places, _ := describe([]Itinerary{{Itinerary: it}}, catalogOf(t))
	if got := places["QQQ"]; got.Known || got.Airport.IATA != "QQQ" || got.Airport.Name != "" {
		t.Errorf("unexpected %+v", got)
	}
	if !places["JFK"].Known {
		t.Error("JFK is not described")
	}
}
