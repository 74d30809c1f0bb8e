package flight

import "time"

// Carrier is an airline or other operator as a provider names it. Either part
// may be empty: some carriers have no IATA code, some answers no name. The zero
// Carrier means that none is known.
type Carrier struct {
	Code string `json:"code,omitempty"`
	Name string `json:"name,omitempty"`
}

// Known reports that the provider said which carrier it is.
func (c Carrier) Known() bool { return c != Carrier{} }

// Mode is the means of transport of a segment; railways and buses are sold under
// flight numbers.
type Mode string

// The modes that providers sell.
const (
	ModeFlight Mode = "flight"
	ModeRail   Mode = "rail"
	ModeBus    Mode = "bus"
)

// Stop is a touch-down inside a segment: same flight number, same seat. Times
// and duration are zero where the provider did not give them.
type Stop struct {
	Airport   string        `json:"airport"`
	Arrival   LocalTime     `json:"arrival"`
	Departure LocalTime     `json:"departure"`
	Duration  time.Duration `json:"duration,omitempty"`
}

// Segment is one flight number from one airport to another.
type Segment struct {
	// Marketing sells the seat under FlightNumber (digits alone, "178").
	Marketing    Carrier `json:"marketing"`
	FlightNumber string  `json:"flight_number"`
	// Operating flies it; the zero Carrier where the provider did not say.
	Operating Carrier `json:"operating"`
	// Origin and Destination are IATA codes, known to the reference data or not.
	Origin      string    `json:"origin"`
	Destination string    `json:"destination"`
	Departure   LocalTime `json:"departure"`
	Arrival     LocalTime `json:"arrival"`
	// Duration is the provider's own where it gave one, else the difference of
	// the two times; zero where neither is known.
	Duration time.Duration `json:"duration"`
	Mode     Mode          `json:"mode"`
	Stops    []Stop        `json:"stops,omitempty"`
	// Aircraft is the IATA type code ("77W"), empty where unknown.
	Aircraft            string `json:"aircraft,omitempty"`
	Cabin               Cabin  `json:"cabin,omitempty"`
	OriginTerminal      string `json:"origin_terminal,omitempty"`
	DestinationTerminal string `json:"destination_terminal,omitempty"`
}

// Slice is one direction of travel. Its methods need at least one segment.
type Slice struct {
	Segments []Segment `json:"segments"`
	// Duration is from first departure to last arrival, layovers included; the
	// provider's own where it gave one. Zero where it cannot be known.
	Duration time.Duration `json:"duration"`
}

// Origin is where the first segment leaves from.
func (s Slice) Origin() string { return s.Segments[0].Origin }

// Destination is where the last segment lands.
func (s Slice) Destination() string { return s.Segments[len(s.Segments)-1].Destination }

// Departure is when the first segment leaves.
func (s Slice) Departure() LocalTime { return s.Segments[0].Departure }

// Arrival is when the last segment lands.
func (s Slice) Arrival() LocalTime { return s.Segments[len(s.Segments)-1].Arrival }

// Stops counts connections and the touch-downs inside segments.
func (s Slice) Stops() int {
	stops := len(s.Segments) - 1
	for i := range s.Segments {
		stops += len(s.Segments[i].Stops)
	}
	return stops
}

// AirportChange reports a connection that leaves from another airport than the
// one arrived at.
func (s Slice) AirportChange() bool {
	for i := 1; i < len(s.Segments); i++ {
		if s.Segments[i].Origin != s.Segments[i-1].Destination {
			return true
		}
	}
	return false
}

// Layovers are the waits between segments, one less than there are segments.
// Zero stands for a wait that is not known: the zone of an airport is missing,
// or the provider has the next segment leave before this one lands.
func (s Slice) Layovers() []time.Duration {
	layovers := make([]time.Duration, len(s.Segments)-1)
	for i := range layovers {
		wait, _ := s.Segments[i+1].Departure.Sub(s.Segments[i].Arrival)
		layovers[i] = max(wait, 0)
	}
	return layovers
}

// Itinerary is the whole journey. It has at least one slice, and each of them
// at least one segment.
type Itinerary struct {
	Slices []Slice `json:"slices"`
}

// Duration sums the slices, or is zero where one of them is unknown.
func (it Itinerary) Duration() time.Duration {
	var sum time.Duration
	for _, s := range it.Slices {
		if s.Duration == 0 {
			return 0
		}
		sum += s.Duration
	}
	return sum
}

// Stops sums the slices.
func (it Itinerary) Stops() int {
	stops := 0
	for _, s := range it.Slices {
		stops += s.Stops()
	}
	return stops
}
