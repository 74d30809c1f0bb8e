package duffel

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

func (d *decoder) itinerary(wires []wireSlice) (flight.Itinerary, providers.Reject) {
	if len(wires) == 0 {
		return flight.Itinerary{}, providers.RejectItinerary
	}
	slices := make([]flight.Slice, len(wires))
	for i, wire := range wires {
		var reject providers.Reject
		if slices[i], reject = d.slice(wire); reject != "" {
			return flight.Itinerary{}, reject
		}
	}
	return flight.Itinerary{Slices: slices}, ""
}

func (d *decoder) slice(wire wireSlice) (flight.Slice, providers.Reject) {
	if len(wire.Segments) == 0 {
		return flight.Slice{}, providers.RejectItinerary
	}
	slice := flight.Slice{Segments: make([]flight.Segment, len(wire.Segments)), Duration: duration(wire.Duration)}
	for i := range wire.Segments {
		var reject providers.Reject
		if slice.Segments[i], reject = d.segment(&wire.Segments[i]); reject != "" {
			return flight.Slice{}, reject
		}
	}
	d.count(providers.PlaceSlice(&slice))
	return slice, ""
}

func (d *decoder) segment(wire *wireSegment) (flight.Segment, providers.Reject) {
	departure, err := flight.ParseWall(wire.DepartingAt)
	if err != nil {
		return flight.Segment{}, providers.RejectTimes
	}
	arrival, err := flight.ParseWall(wire.ArrivingAt)
	if err != nil {
		return flight.Segment{}, providers.RejectTimes
	}
	if wire.Origin.IATACode == "" || wire.Destination.IATACode == "" {
		return flight.Segment{}, providers.RejectPlaces
	}
	marketing := wire.MarketingCarrier.carrier()
	if !marketing.Known() {
		return flight.Segment{}, providers.RejectCarrier
	}
	segment := flight.Segment{
		Marketing:           marketing,
		FlightNumber:        string(wire.MarketingNumber),
		Operating:           wire.OperatingCarrier.carrier(),
		Origin:              wire.Origin.IATACode,
		Destination:         wire.Destination.IATACode,
		Departure:           departure,
		Arrival:             arrival,
		Duration:            duration(wire.Duration),
		Mode:                providers.ModeOf(wire.Aircraft.IATACode),
		Stops:               d.stops(wire.Stops),
		Aircraft:            wire.Aircraft.IATACode,
		Cabin:               cabin(wire.Passengers),
		OriginTerminal:      string(wire.OriginTerminal),
		DestinationTerminal: string(wire.DestinationTerminal),
	}
	d.count(providers.PlaceSegment(&segment, d.location(wire.Origin), d.location(wire.Destination)))
	return segment, ""
}

// stops are touch-downs; a time that cannot be read is not known, for the stop
// itself is.
func (d *decoder) stops(wires []wireStop) []flight.Stop {
	var stops []flight.Stop
	for _, wire := range wires {
		zone := d.location(wire.Airport)
		arrival, _ := flight.ParseWall(wire.ArrivingAt)
		departure, _ := flight.ParseWall(wire.DepartingAt)
		stops = append(stops, flight.Stop{
			Airport:   wire.Airport.IATACode,
			Arrival:   arrival.In(zone),
			Departure: departure.In(zone),
			Duration:  duration(wire.Duration),
		})
	}
	return stops
}

func (d *decoder) count(agrees bool) {
	if !agrees {
		d.answer.Mismatches++
	}
}

func (a wireAirline) carrier() flight.Carrier {
	return flight.Carrier{Code: a.IATACode, Name: a.Name}
}

// cabin is that of the first passenger: a party is searched in one cabin.
func cabin(passengers []wirePassenger) flight.Cabin {
	if len(passengers) == 0 {
		return flight.CabinUnknown
	}
	class, err := flight.ParseCabin(passengers[0].CabinClass)
	if err != nil {
		return flight.CabinUnknown
	}
	return class
}

// duration is zero where Duffel gave none that can be read.
func duration(text string) time.Duration {
	length, err := providers.ParseISODuration(text)
	if err != nil {
		return 0
	}
	return length
}
