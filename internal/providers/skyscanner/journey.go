package skyscanner

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// legs builds each leg of the results once, though many itineraries share it.
type legs struct {
	zones    providers.Zones
	wire     map[string]leg
	segments map[string]segment
	places   map[string]place
	carriers map[string]carrier

	built      map[string]builtLeg
	mismatches int
}

type builtLeg struct {
	slice  flight.Slice
	reject providers.Reject
}

func newLegs(wire *results, zones providers.Zones) *legs {
	return &legs{
		zones:    zones,
		wire:     table[leg](wire.Legs),
		segments: table[segment](wire.Segments),
		places:   table[place](wire.Places),
		carriers: table[carrier](wire.Carriers),
		built:    map[string]builtLeg{},
	}
}

// journey has one slice for each leg, and as many as were asked for.
func (l *legs) journey(ids []string, slicesAsked int) (flight.Itinerary, providers.Reject) {
	if len(ids) != slicesAsked {
		return flight.Itinerary{}, providers.RejectItinerary
	}
	journey := flight.Itinerary{Slices: make([]flight.Slice, 0, len(ids))}
	for _, id := range ids {
		built, known := l.built[id]
		if !known {
			built.slice, built.reject = l.slice(id)
			l.built[id] = built
		}
		if built.reject != "" {
			return flight.Itinerary{}, built.reject
		}
		journey.Slices = append(journey.Slices, built.slice)
	}
	return journey, ""
}

func (l *legs) slice(id string) (flight.Slice, providers.Reject) {
	wire := l.wire[id]
	if len(wire.SegmentIDs) == 0 {
		return flight.Slice{}, providers.RejectItinerary
	}
	slice := flight.Slice{Duration: minutes(wire.DurationInMinutes)}
	for _, segmentID := range wire.SegmentIDs {
		segment, reject := l.segment(segmentID)
		if reject != "" {
			return flight.Slice{}, reject
		}
		slice.Segments = append(slice.Segments, segment)
	}
	if len(slice.Segments) == 1 && wire.StopCount > 0 {
		// One flight number that touches down: where, the vendor does not say.
		slice.Segments[0].Stops = make([]flight.Stop, min(wire.StopCount, maxTouchDowns))
	}
	l.note(providers.PlaceSlice(&slice))
	return slice, ""
}

// maxTouchDowns bounds the stops of one segment; no flight number has more.
const maxTouchDowns = 9

func (l *legs) segment(id string) (flight.Segment, providers.Reject) {
	wire, known := l.segments[id]
	if !known {
		return flight.Segment{}, providers.RejectItinerary
	}
	segment := flight.Segment{
		Marketing:    l.carrier(wire.MarketingCarrierID),
		FlightNumber: string(wire.MarketingFlightNumber),
		Operating:    l.carrier(wire.OperatingCarrierID),
		Origin:       l.airport(wire.OriginPlaceID),
		Destination:  l.airport(wire.DestinationPlaceID),
		Departure:    wire.DepartureDateTime.wall(),
		Arrival:      wire.ArrivalDateTime.wall(),
		Duration:     minutes(wire.DurationInMinutes),
		Mode:         flight.ModeFlight,
	}
	switch {
	case segment.Origin == "" || segment.Destination == "":
		return flight.Segment{}, providers.RejectPlaces
	case segment.Departure.IsZero() || segment.Arrival.IsZero():
		return flight.Segment{}, providers.RejectTimes
	case !segment.Marketing.Known():
		return flight.Segment{}, providers.RejectCarrier
	}
	l.note(providers.PlaceSegment(&segment, l.zones(segment.Origin), l.zones(segment.Destination)))
	return segment, ""
}

// airport is empty where the id leads nowhere or to a place without a code.
func (l *legs) airport(id string) string {
	code, err := flight.ParsePlace(l.places[id].IATA)
	if err != nil {
		return ""
	}
	return code
}

// carrier is in the answer's own words; an id that leads nowhere is the zero
// Carrier.
func (l *legs) carrier(id string) flight.Carrier {
	wire := l.carriers[id]
	return flight.Carrier{Code: wire.IATA, Name: wire.Name}
}

// note counts a duration that contradicts the zones.
func (l *legs) note(agree bool) {
	if !agree {
		l.mismatches++
	}
}

// wall is the zero time where the vendor's fields are no moment of the calendar.
func (d dateTime) wall() flight.LocalTime {
	t := time.Date(d.Year, time.Month(d.Month), d.Day, d.Hour, d.Minute, d.Second, 0, time.UTC)
	same := dateTime{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second()}
	if d.Year < 1 || same != d {
		return flight.LocalTime{}
	}
	return flight.Wall(t)
}

// maxMinutes bounds a duration that is believed: no journey takes ten weeks.
const maxMinutes = 100_000

// minutes is zero, which means unknown, where the number cannot be a duration.
func minutes(n int) time.Duration {
	if n < 0 || n > maxMinutes {
		return 0
	}
	return time.Duration(n) * time.Minute
}
