package httpapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
)

// TestOwnSegments: an offer shows its own numbers exactly where it sells other
// ones than the itinerary shows.
func TestOwnSegments(t *testing.T) {
	t.Parallel()
	journey := func(marketing flight.Carrier, number string, cabin flight.Cabin) flight.Itinerary {
		return flight.Itinerary{Slices: []flight.Slice{{Segments: []flight.Segment{
			{Marketing: marketing, FlightNumber: number, Cabin: cabin},
		}}}}
	}
	lufthansa := flight.Carrier{Code: "LH", Name: "Lufthansa"}
	shown := journey(lufthansa, "404", flight.CabinEconomy)
	for name, test := range map[string]struct {
		own  flight.Itinerary
		want []api.OfferSegment
	}{
		"the same":             {shown, nil},
		"name spelt otherwise": {journey(flight.Carrier{Code: "LH", Name: "LUFTHANSA"}, "404", flight.CabinEconomy), nil},
		"codeshare": {
			journey(flight.Carrier{Code: "UA"}, "8843", flight.CabinEconomy),
			[]api.OfferSegment{{MarketingCarrier: new("UA"), FlightNumber: new("8843"), Cabin: new(api.CabinEconomy)}},
		},
		"another number": {
			journey(lufthansa, "9404", flight.CabinEconomy),
			[]api.OfferSegment{{MarketingCarrier: new("LH"), FlightNumber: new("9404"), Cabin: new(api.CabinEconomy)}},
		},
		"another cabin": {
			journey(lufthansa, "404", flight.CabinUnknown),
			[]api.OfferSegment{{MarketingCarrier: new("LH"), FlightNumber: new("404")}},
		},
	} {
		if diff := cmp.Diff(test.want, ownSegments(test.own, shown)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
