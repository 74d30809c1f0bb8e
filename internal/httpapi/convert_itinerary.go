package httpapi

import (
	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

func itinerary(it search.Itinerary) api.Itinerary {
	shown := api.Itinerary{
		ID:              it.ID,
		Price:           price(it.Price),
		DurationMinutes: minutes(it.Duration()),
		Stops:           it.Stops(),
		Slices:          make([]api.Slice, 0, len(it.Slices)),
		Offers:          make([]api.Offer, 0, len(it.Offers)),
	}
	for _, s := range it.Slices {
		shown.Slices = append(shown.Slices, slice(s))
	}
	for _, o := range it.Offers {
		shown.Offers = append(shown.Offers, offer(o, it.Itinerary))
	}
	return shown
}

func slice(s flight.Slice) api.Slice {
	shown := api.Slice{
		Origin:          s.Origin(),
		Destination:     s.Destination(),
		DepartureAt:     s.Departure().String(),
		ArrivalAt:       s.Arrival().String(),
		DurationMinutes: minutes(s.Duration),
		Stops:           s.Stops(),
		AirportChange:   s.AirportChange(),
		Segments:        make([]api.Segment, 0, len(s.Segments)),
	}
	for _, seg := range s.Segments {
		shown.Segments = append(shown.Segments, segment(seg))
	}
	return shown
}

func segment(s flight.Segment) api.Segment {
	shown := api.Segment{
		MarketingCarrier:    carrierCode(s.Marketing),
		FlightNumber:        known(s.FlightNumber),
		OperatingCarrier:    carrierCode(s.Operating),
		Origin:              s.Origin,
		Destination:         s.Destination,
		DepartureAt:         s.Departure.String(),
		ArrivalAt:           s.Arrival.String(),
		DurationMinutes:     minutes(s.Duration),
		Mode:                api.Mode(s.Mode),
		Stops:               make([]api.Stop, 0, len(s.Stops)),
		Aircraft:            known(s.Aircraft),
		Cabin:               known(api.Cabin(s.Cabin)),
		OriginTerminal:      known(s.OriginTerminal),
		DestinationTerminal: known(s.DestinationTerminal),
	}
	for _, stop := range s.Stops {
		shown.Stops = append(shown.Stops, api.Stop{
			Airport:         stop.Airport,
			ArrivalAt:       known(stop.Arrival.String()),
			DepartureAt:     known(stop.Departure.String()),
			DurationMinutes: minutes(stop.Duration),
		})
	}
	return shown
}

func carrierCode(c flight.Carrier) *string { return known(codeOrName(c)) }

// codeOrName is the carrier's code, or its name where it has none: some railways
// and small operators are sold without. Empty where neither is known.
func codeOrName(c flight.Carrier) string {
	if c.Code != "" {
		return c.Code
	}
	return c.Name
}
