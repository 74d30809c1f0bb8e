package world

import "github.com/hedgehop/hedgehop/internal/flight"

// Hop is what is known of a flight that was sold.
type Hop struct {
	From, To string
	// Departure is the clock reading at the airport.
	Departure flight.LocalTime
	// Operator is the code of the airline that flies it.
	Operator string
}

// Retrace finds the itinerary of sold flights again, from the hops of each
// direction. It is false where one of them does not exist, or where they do not
// connect any more.
func (w *World) Retrace(directions [][]Hop) (*Itinerary, bool) {
	t := w.timetable()
	it := &Itinerary{}
	for _, hops := range directions {
		j, ok := t.retrace(hops)
		if !ok {
			return nil, false
		}
		it.Journeys = append(it.Journeys, j)
		it.key += j.key() + "/"
	}
	return it, len(it.Journeys) > 0
}

func (t *timetable) retrace(hops []Hop) (*Journey, bool) {
	j := &Journey{}
	for i, hop := range hops {
		f := t.find(hop)
		if f == nil {
			return nil, false
		}
		if i > 0 {
			ok, self := connects(j.Flights[i-1], f)
			if !ok || j.Flights[i-1].To != f.From {
				return nil, false
			}
			j.SelfTransfer = j.SelfTransfer || self
		}
		j.Flights = append(j.Flights, f)
	}
	if len(j.Flights) == 0 {
		return nil, false
	}
	from, _ := t.world.airfield(j.Origin())
	to, _ := t.world.airfield(j.Destination())
	j.km = t.world.distance(from, to)
	return j, true
}

func (t *timetable) find(hop Hop) *Flight {
	for _, f := range t.flights(leg{hop.From, hop.To, hop.Departure.Date()}) {
		if f.Airline.Code == hop.Operator && flight.At(f.Departure, t.world.catalog.Zone(f.From)).Wall() == hop.Departure.Wall() {
			return f
		}
	}
	return nil
}
