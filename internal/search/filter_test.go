package search

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestFilters(t *testing.T) {
	direct := offer("direct", usd(400_00), ba178(t))
	direct.CheckedBags = new(1)
	codeshare := ba178(t)
	codeshare.Slices[0].Segments[0].Marketing = flight.Carrier{Code: "AA"}
	shared := offer("shared", usd(390_00), codeshare)
	connecting := offer("connecting", usd(300_00), viaDublin(t))
	connecting.CheckedBags = new(0)
	unknown := offer("unrated", flight.Money{Minor: 10, Currency: "XPF"}, viaDublin(t))
	service := serviceOf(t, &scripted{name: "duffel", answer: answerOf(direct, shared, connecting, unknown)})

	for _, tc := range []struct {
		name   string
		filter Filter
		want   []string
	}{
		{"none", Filter{}, []string{"connecting", "unrated", "shared", "direct"}},
		{"max_stops 0", Filter{MaxStops: new(0)}, []string{"shared", "direct"}},
		{"max_stops 1", Filter{MaxStops: new(1)}, []string{"connecting", "unrated", "shared", "direct"}},
		{"carrier that markets", Filter{Carriers: []string{"AA"}}, []string{"shared"}},
		{"carrier that operates", Filter{Carriers: []string{"BA"}}, []string{"shared", "direct"}},
		{"exclude who markets", Filter{ExcludeCarriers: []string{"AA"}}, []string{"connecting", "unrated", "direct"}},
		{"exclude who operates", Filter{ExcludeCarriers: []string{"BA"}}, []string{"connecting", "unrated"}},
		{"max_price inclusive", Filter{MaxPrice: usd(390_00)}, []string{"connecting", "shared"}},
		{"max_duration", Filter{MaxDuration: 420 * time.Minute}, []string{"shared", "direct"}},
		{"checked bag known", Filter{CheckedBag: true}, []string{"direct"}},
		{"depart after", Filter{Depart: Window{After: new(18 * 60)}}, []string{"shared", "direct"}},
		{"depart before, inclusive", Filter{Depart: Window{Before: new(17*60 + 30)}}, []string{"connecting", "unrated"}},
		{"arrive in a window", Filter{Arrive: Window{After: new(7 * 60), Before: new(8 * 60)}}, []string{"connecting", "unrated"}},
		{"arrive in a window over midnight", Filter{Arrive: Window{After: new(22 * 60), Before: new(7 * 60)}}, []string{"shared", "direct"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := oneWay("JFK", "LHR", "2026-12-15")
			req.View.Filter, req.View.Sort = tc.filter, SortCheapest
			var got []string
			for _, it := range mustSearch(t, service, req).Itineraries {
				for _, o := range it.Offers {
					got = append(got, o.Ref)
				}
				if it.Price != nil && *it.Price != *it.Offers[0].Converted {
					t.Errorf("headline %s is not the cheapest offer left", it.Price)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMaxStopsIsPerSlice(t *testing.T) {
	// IATA ONE-Record#164: one connection out, none back.
	back := sliceOf(hop(t, "BA", "177", "LHR", "JFK", "2026-12-22T11:00:00", "2026-12-22T14:00:00"))
	trip := journeyOf(viaDublin(t).Slices[0], back)
	service := serviceOf(t, &scripted{name: "duffel", answer: answerOf(offer("a", usd(500_00), trip))})
	req := oneWay("JFK", "LHR", "2026-12-15")
	req.Query.Slices = append(req.Query.Slices, flight.SliceQuery{Origin: "LHR", Destination: "JFK", Departure: flight.Date{Year: 2026, Month: 12, Day: 22}})
	for stops, want := range map[int]int{1: 1, 0: 0} {
		req.View.Filter.MaxStops = &stops
		if got := len(mustSearch(t, service, req).Itineraries); got != want {
			t.Errorf("max_stops=%d kept %d, want %d", stops, got, want)
		}
	}
}

func TestFilterThenSortThenCut(t *testing.T) {
	// fli#138: the limit counts what the filter left.
	var offers []flight.Offer
	for i := range 12 {
		it := ba178(t)
		if i%2 == 0 {
			it = viaDublin(t)
		}
		it.Slices[0].Segments[0].FlightNumber = string(rune('A' + i))
		it.Slices[0].Segments[0].Operating = flight.Carrier{Code: string(rune('A' + i))}
		offers = append(offers, offer(string(rune('a'+i)), usd(int64(500-i)), it))
	}
	req := oneWay("JFK", "LHR", "2026-12-15")
	req.View.Filter.MaxStops, req.View.Limit, req.View.Sort = new(0), 3, SortCheapest
	result := mustSearch(t, serviceOf(t, &scripted{name: "duffel", answer: answerOf(offers...)}), req)
	if len(result.Itineraries) != 3 || result.Summary.Itineraries != 6 || result.Itineraries[0].Price.Minor != 489 {
		t.Errorf("page %d of %d, first %s", len(result.Itineraries), result.Summary.Itineraries, result.Itineraries[0].Price)
	}
}
