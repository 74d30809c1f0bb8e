package day

import (
	"context"
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// basePrice is version 0 of every fare, in cents. A version adds a cent, so that
// the price tells which fare was shown.
const basePrice = 40_000

// adapter is a supplier as the product's search asks one.
type adapter struct {
	supplier supplier
	shop     *shop
}

// Name is the supplier's.
func (a adapter) Name() string { return fmt.Sprintf("supplier-%d", a.supplier.number) }

// Search answers with one non-stop flight at the price of the moment.
func (a adapter) Search(ctx context.Context, q flight.Query) (providers.Answer, error) {
	number, err := a.shop.number(q)
	if err != nil {
		return providers.Answer{}, err
	}
	version, err := a.supplier.ask(ctx, number)
	if err != nil {
		return providers.Answer{}, err
	}
	return providers.Answer{Offers: []flight.Offer{{
		Ref: "only", Itinerary: a.shop.itinerary(q), Price: flight.Money{Minor: basePrice + int64(version), Currency: "USD"},
	}}}, nil
}

// number finds a question again; one that the traffic never had is an error.
func (s *shop) number(q flight.Query) (int, error) {
	key := q.Key()
	for k := range s.questions {
		if s.questions[k] == key {
			return k, nil
		}
	}
	return 0, fmt.Errorf("nobody asks %s in this day", key)
}

// itinerary is a non-stop flight of eight hours.
func (s *shop) itinerary(q flight.Query) flight.Itinerary {
	slice := q.Slices[0]
	leave, err := flight.ParseWall(slice.Departure.String() + "T10:00:00")
	if err != nil { // A date and a constant.
		panic(err)
	}
	const hours = 8 * time.Hour
	instant, _ := leave.In(s.catalog.Zone(slice.Origin)).Instant()
	carrier := flight.Carrier{Code: "BA"}
	segment := flight.Segment{
		Marketing: carrier, Operating: carrier, FlightNumber: "1", Origin: slice.Origin, Destination: slice.Destination,
		Departure: leave.In(s.catalog.Zone(slice.Origin)), Arrival: flight.At(instant.Add(hours), s.catalog.Zone(slice.Destination)),
		Duration: hours, Mode: flight.ModeFlight, Cabin: flight.CabinEconomy,
	}
	return flight.Itinerary{Slices: []flight.Slice{{Segments: []flight.Segment{segment}, Duration: hours}}}
}
