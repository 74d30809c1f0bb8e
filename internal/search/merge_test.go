package search

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestTheCheapestIsTheHeadlineWhoeverAnsweredFirst(t *testing.T) {
	// MikkoParkkola/trvl#480: the headline has the bags of its own price.
	withBag := offer("a", usd(100_00), ba178(t))
	withBag.CheckedBags = new(1)
	without := offer("b", usd(90_00), ba178(t))
	without.CheckedBags = new(0)
	for name, answers := range map[string][2]flight.Offer{"bag first": {withBag, without}, "bag last": {without, withBag}} {
		t.Run(name, func(t *testing.T) {
			result := mustSearch(t, serviceOf(t,
				&scripted{name: "duffel", answer: answerOf(answers[0])},
				&scripted{name: "amadeus", answer: answerOf(answers[1])},
			), oneWay("JFK", "LHR", "2026-12-15"))
			if len(result.Itineraries) != 1 {
				t.Fatalf("want one itinerary, got %d", len(result.Itineraries))
			}
			head := result.Itineraries[0]
			if head.Price.String() != "90.00 USD" || *head.Offers[0].CheckedBags != 0 || len(head.Offers) != 2 {
				t.Errorf("headline %s with %d bags of %d offers", head.Price, *head.Offers[0].CheckedBags, len(head.Offers))
			}
		})
	}
}

func TestPricesWithoutACommonCurrencyAreNotCompared(t *testing.T) {
	// trvl#489: the number 15 is smaller than 80, but of another currency.
	unrated := offer("a", flight.Money{Minor: 15_00, Currency: "XPF"}, ba178(t))
	unrated.Price = flight.Money{Minor: 15, Currency: "XPF"}
	rated := offer("b", flight.Money{Minor: 80_00, Currency: "EUR"}, ba178(t))
	alone := offer("c", flight.Money{Minor: 1, Currency: "XPF"}, viaDublin(t))
	result := mustSearch(t, serviceOf(t, &scripted{name: "duffel", answer: answerOf(alone, unrated, rated)}), oneWay("JFK", "LHR", "2026-12-15"))

	first, last := result.Itineraries[0], result.Itineraries[1]
	if first.Offers[0].Price.Currency != "EUR" || first.Offers[1].Converted != nil {
		t.Errorf("the unpriced offer is not last and marked: %+v", first.Offers)
	}
	if last.Price != nil || len(last.Offers) != 1 || last.Offers[0].Price.Minor != 1 {
		t.Errorf("the unpriced itinerary is not kept last with its own price: %+v", last)
	}
}

func TestConvertedPricesKeepTheOriginal(t *testing.T) {
	req := oneWay("JFK", "LHR", "2026-12-15")
	req.View.Currency = "EUR"
	result := mustSearch(t, serviceOf(t, &scripted{name: "duffel", answer: answerOf(offer("a", usd(114_15), ba178(t)))}), req)
	got := result.Itineraries[0].Offers[0]
	want, ok := result.Rates.Convert(usd(114_15), "EUR")
	if !ok || *got.Converted != want || got.Price != usd(114_15) {
		t.Errorf("converted %v, original %v, want %v and 114.15 USD", got.Converted, got.Price, want)
	}
	if result.Rates.AsOf.IsZero() || result.Rates.Source == "" {
		t.Errorf("the rates do not say their date and source: %+v", result.Rates)
	}
}

func TestCodesharesAreOneItinerary(t *testing.T) {
	// travelport-uapi-tutorial#128: LH404 and UA8843 are one aircraft.
	lh := hop(t, "LH", "404", "FRA", "JFK", "2026-12-15T17:10:00", "2026-12-15T19:45:00")
	ua := lh
	ua.Marketing, ua.FlightNumber = flight.Carrier{Code: "UA"}, "8843"
	lh.Operating = flight.Carrier{}
	result := mustSearch(t, serviceOf(t,
		&scripted{name: "duffel", answer: answerOf(offer("a", usd(500_00), journeyOf(sliceOf(lh))))},
		&scripted{name: "amadeus", answer: answerOf(offer("b", usd(510_00), journeyOf(sliceOf(ua))))},
	), oneWay("FRA", "JFK", "2026-12-15"))
	if len(result.Itineraries) != 1 {
		t.Fatalf("want one itinerary, got %d", len(result.Itineraries))
	}
	it := result.Itineraries[0]
	numbers := []string{it.Offers[0].Itinerary.Slices[0].Segments[0].FlightNumber, it.Offers[1].Itinerary.Slices[0].Segments[0].FlightNumber}
	if diff := cmp.Diff([]string{"404", "8843"}, numbers); diff != "" {
		t.Errorf("offers lost their own numbers: %s", diff)
	}
	if it.Slices[0].Segments[0].Operating.Code != "LH" {
		t.Errorf("the operating carrier that one provider knew is lost: %+v", it.Slices[0].Segments[0])
	}
}

func TestATouchDownThatOneProviderKnowsCounts(t *testing.T) {
	silent := ba178(t)
	telling := ba178(t)
	telling.Slices[0].Segments[0].Stops = []flight.Stop{{Airport: "SNN"}}
	none := 0
	req := oneWay("JFK", "LHR", "2026-12-15")
	service := serviceOf(t,
		&scripted{name: "skyscanner", answer: answerOf(offer("a", usd(90_00), silent))},
		&scripted{name: "duffel", answer: answerOf(offer("b", usd(100_00), telling))},
	)
	result := mustSearch(t, service, req)
	if got := result.Itineraries[0]; got.Stops() != 1 || got.Slices[0].Segments[0].Stops[0].Airport != "SNN" {
		t.Errorf("want the stop at SNN named, got %+v", got.Slices[0].Segments[0].Stops)
	}
	req.View.Filter.MaxStops = &none
	if result = mustSearch(t, service, req); len(result.Itineraries) != 0 {
		t.Error("max_stops=0 kept a flight that touches down")
	}
	if len(silent.Slices[0].Segments[0].Stops) != 0 {
		t.Error("merging wrote into a provider's answer")
	}
}

func TestExpiredOffersAreDropped(t *testing.T) {
	gone := offer("a", usd(90_00), ba178(t))
	gone.ExpiresAt = noon
	good := offer("b", usd(95_00), ba178(t))
	good.ExpiresAt = noon.Add(time.Second)
	result := mustSearch(t, serviceOf(t, &scripted{name: "duffel", answer: answerOf(gone, good)}), oneWay("JFK", "LHR", "2026-12-15"))
	if offers := result.Itineraries[0].Offers; len(offers) != 1 || offers[0].Ref != "b" {
		t.Errorf("want offer b alone, got %+v", offers)
	}
}

func TestACarrierThatIsOnlyNamedIsFoundByItsName(t *testing.T) {
	coded := hop(t, "U2", "8621", "LGW", "NCE", "2026-12-15T07:00:00", "2026-12-15T10:00:00")
	named := coded
	named.Marketing, named.Operating = flight.Carrier{Name: "easyJet"}, flight.Carrier{Name: "EASYJET"}
	unknown := coded
	unknown.Marketing, unknown.Operating = flight.Carrier{Name: "Nobody's Air"}, flight.Carrier{}
	result := mustSearch(t, serviceOf(t,
		&scripted{name: "duffel", answer: answerOf(offer("a", usd(90_00), journeyOf(sliceOf(coded))))},
		&scripted{name: "skyscanner", answer: answerOf(
			offer("b", usd(80_00), journeyOf(sliceOf(named))), offer("c", usd(70_00), journeyOf(sliceOf(unknown))))},
	), oneWay("LGW", "NCE", "2026-12-15"))
	if len(result.Itineraries) != 2 || len(result.Itineraries[1].Offers) != 2 {
		t.Fatalf("easyJet under its code and under its name are not one itinerary of two: %+v", result.Summary)
	}
	if result.Summary.Carriers["U2"] != 1 || result.Itineraries[0].Slices[0].Segments[0].Marketing.Code != "" {
		t.Errorf("carriers %v; a code was made up for %+v", result.Summary.Carriers, result.Itineraries[0].Slices[0].Segments[0].Marketing)
	}
}
