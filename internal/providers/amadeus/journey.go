package amadeus

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// maxTouchDowns bounds the stops of one segment that are counted without being
// described; no flight number has more.
const maxTouchDowns = 9

// journey reads the directions of an offer, one for each slice asked.
func (d *decoder) journey(wire []itinerary, fares fares) (flight.Itinerary, providers.Reject) {
	if len(wire) != d.slices {
		return flight.Itinerary{}, providers.RejectItinerary
	}
	journey := flight.Itinerary{Slices: make([]flight.Slice, 0, len(wire))}
	for i := range wire {
		slice, reject := d.slice(&wire[i], fares)
		if reject != "" {
			return flight.Itinerary{}, reject
		}
		journey.Slices = append(journey.Slices, slice)
	}
	return journey, ""
}

func (d *decoder) slice(wire *itinerary, fares fares) (flight.Slice, providers.Reject) {
	if len(wire.Segments) == 0 {
		return flight.Slice{}, providers.RejectItinerary
	}
	slice := flight.Slice{
		Segments: make([]flight.Segment, 0, len(wire.Segments)),
		Duration: duration(wire.Duration),
	}
	for i := range wire.Segments {
		segment, reject := d.segment(&wire.Segments[i])
		if reject != "" {
			return flight.Slice{}, reject
		}
		segment.Cabin = fares.cabin(wire.Segments[i].ID)
		slice.Segments = append(slice.Segments, segment)
	}
	d.note(providers.PlaceSlice(&slice))
	return slice, ""
}

func (d *decoder) segment(wire *segment) (flight.Segment, providers.Reject) {
	origin, reject := endpointOf(wire.Departure)
	if reject != "" {
		return flight.Segment{}, reject
	}
	destination, reject := endpointOf(wire.Arrival)
	if reject != "" {
		return flight.Segment{}, reject
	}
	if wire.CarrierCode == "" {
		return flight.Segment{}, providers.RejectCarrier
	}
	segment := flight.Segment{
		Marketing:           d.carrier(wire.CarrierCode),
		FlightNumber:        string(wire.Number),
		Operating:           d.carrier(wire.Operating.CarrierCode),
		Origin:              origin.airport,
		Destination:         destination.airport,
		Departure:           origin.at,
		Arrival:             destination.at,
		Duration:            duration(wire.Duration),
		Mode:                providers.ModeOf(string(wire.Aircraft.Code)),
		Stops:               d.stops(wire),
		Aircraft:            string(wire.Aircraft.Code),
		OriginTerminal:      string(wire.Departure.Terminal),
		DestinationTerminal: string(wire.Arrival.Terminal),
	}
	d.note(providers.PlaceSegment(&segment, d.zones(segment.Origin), d.zones(segment.Destination)))
	return segment, ""
}

type placedTime struct {
	airport string
	at      flight.LocalTime
}

func endpointOf(wire endpoint) (placedTime, providers.Reject) {
	airport, err := flight.ParsePlace(wire.IATACode)
	if err != nil {
		return placedTime{}, providers.RejectPlaces
	}
	at, err := flight.ParseWall(wire.At)
	if err != nil {
		return placedTime{}, providers.RejectTimes
	}
	return placedTime{airport: airport, at: at}, ""
}

// stops are the touch-downs. One that is counted and not described still is one:
// its airport stays empty.
func (d *decoder) stops(wire *segment) []flight.Stop {
	var stops []flight.Stop
	for _, s := range wire.Stops {
		zone := d.zones(s.IATACode)
		stops = append(stops, flight.Stop{
			Airport:   s.IATACode,
			Arrival:   wallTime(s.ArrivalAt).In(zone),
			Departure: wallTime(s.DepartureAt).In(zone),
			Duration:  duration(s.Duration),
		})
	}
	if counted := wire.NumberOfStops.count(); counted != nil {
		for len(stops) < min(*counted, maxTouchDowns) {
			stops = append(stops, flight.Stop{})
		}
	}
	return stops
}

// carrier names a carrier in the answer's own words, which win over any table:
// codes are given to new carriers in time. No code gives the zero Carrier.
func (d *decoder) carrier(code string) flight.Carrier {
	return flight.Carrier{Code: code, Name: d.carriers[code]}
}

// note counts a duration that contradicts the zones.
func (d *decoder) note(agree bool) {
	if !agree {
		d.mismatches++
	}
}

// duration is zero, which means unknown, where it is absent or unreadable.
func duration(s string) time.Duration {
	parsed, err := providers.ParseISODuration(s)
	if err != nil {
		return 0
	}
	return parsed
}

// wallTime is the zero time, which means unknown, where it is absent or
// unreadable.
func wallTime(s string) flight.LocalTime {
	parsed, err := flight.ParseWall(s)
	if err != nil {
		return flight.LocalTime{}
	}
	return parsed
}
