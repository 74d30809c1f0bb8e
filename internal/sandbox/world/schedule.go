package world

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Flight is one flight of one day.
type Flight struct {
	// Airline operates it under Number.
	Airline  *Airline
	Number   int
	From, To string
	// Departure and Arrival are instants, in UTC.
	Departure, Arrival time.Time
	// Aircraft is an IATA type code.
	Aircraft string
	// TouchDown is the stop on the way; nil for most flights.
	TouchDown *TouchDown
	// Kilometres flown.
	Kilometres int

	domestic bool
}

// TouchDown is a stop inside a flight.
type TouchDown struct {
	Airport            string
	Arrival, Departure time.Time
}

// Duration is from gate to gate.
func (f *Flight) Duration() time.Duration { return f.Arrival.Sub(f.Departure) }

// key names the flight among all flights.
func (f *Flight) key() string {
	return f.Airline.Code + strconv.Itoa(f.Number) + f.From + f.To + f.Departure.Format("0601021504")
}

// leg is a question to the timetable: who flies here on this day, local to the
// airport of departure.
type leg struct {
	from, to string
	date     flight.Date
}

// timetable keeps the legs that one search has asked for, since connections ask
// for the same ones again and again. It belongs to one goroutine.
type timetable struct {
	world *World
	known map[leg][]*Flight
}

func (w *World) timetable() *timetable {
	return &timetable{world: w, known: map[leg][]*Flight{}}
}

// flights lists those of a leg by departure.
func (t *timetable) flights(l leg) []*Flight {
	if known, ok := t.known[l]; ok {
		return known
	}
	flights := t.world.flights(l)
	t.known[l] = flights
	return flights
}

func (w *World) flights(l leg) []*Flight {
	from, known := w.airfield(l.from)
	to, too := w.airfield(l.to)
	if !known || !too {
		return nil
	}
	var flights []*Flight
	for _, a := range w.between(l.from, l.to) {
		if r, ok := w.route(a, from, to); ok {
			flights = append(flights, w.day(r, from, to, l.date)...)
		}
	}
	slices.SortFunc(flights, func(a, b *Flight) int {
		return cmp.Or(a.Departure.Compare(b.Departure), cmp.Compare(a.Airline.Code, b.Airline.Code), a.Number-b.Number)
	})
	return flights
}

// between lists the airlines at home at either end.
func (w *World) between(from, to string) []*Airline {
	list := w.homes[from]
	for _, a := range w.homes[to] {
		if a.hubRank(from) < 0 {
			list = append(slices.Clip(list), a)
		}
	}
	return list
}

// day lists the flights of a route on one day in one direction.
func (w *World) day(r route, from, to *airfield, date flight.Date) []*Flight {
	zone := w.catalog.Zone(from.IATA)
	if zone == nil || w.catalog.Zone(to.IATA) == nil {
		return nil
	}
	n := w.frequency(r)
	if n == 1 && trunk(r) == 0 && !w.facts("weekday", r).number(weekday(date)).chance(720) {
		return nil
	}
	block := blockTime(from, to, r.km)
	opens, closes := window(from, to, r.km)
	flights := make([]*Flight, 0, n)
	for i := range n {
		minute := opens + (closes-opens)*i/n + w.facts("slot", r).cast(from.IATA).number(i).below(max(1, (closes-opens)/n))
		off := time.Date(date.Year, date.Month, date.Day, 0, minute/5*5, 0, 0, zone).UTC()
		flights = append(flights, w.flight(r, from, to, off, block, i))
	}
	return flights
}

func (w *World) flight(r route, from, to *airfield, off time.Time, block time.Duration, i int) *Flight {
	f := &Flight{
		Airline: r.airline, Number: w.flightNumber(r, from, i), From: from.IATA, To: to.IATA,
		Departure: off, Arrival: off.Add(block), Aircraft: w.aircraft(r), Kilometres: r.km,
		domestic: from.Country == to.Country,
	}
	if r.via != nil {
		first, second := w.distance(from, r.via), w.distance(r.via, to)
		lands := off.Add(blockTime(from, r.via, first))
		leaves := lands.Add(time.Duration(w.facts("ground", r).within(9, 18)*5) * time.Minute)
		f.TouchDown = &TouchDown{Airport: r.via.IATA, Arrival: lands, Departure: leaves}
		f.Arrival, f.Kilometres = leaves.Add(blockTime(r.via, to, second)), first+second
	}
	return f
}

// flightNumber is even away from the hub and odd towards it; long routes have
// the short numbers.
func (w *World) flightNumber(r route, from *airfield, i int) int {
	base := w.facts("number", r).within(500, 2400)
	if r.km > 4500 {
		base = w.facts("number", r).within(1, 480)
	}
	n := 2 * (base + i)
	if from.IATA != r.hub.IATA {
		n++
	}
	return n
}

// blockTime is half an hour for taxiing and climbing, and then 815 km/h, a
// little more eastbound and less westbound for the winds of the middle
// latitudes; in steps of five minutes.
func blockTime(from, to *airfield, km int) time.Duration {
	speed := 815 + min(55, max(-55, eastward(from, to)))
	minutes := 30 + float64(km)/speed*60
	return time.Duration((int(minutes)+4)/5*5) * time.Minute
}

// eastward is how many degrees of longitude the short way goes east, negative
// westward.
func eastward(from, to *airfield) float64 {
	degrees := to.Lon - from.Lon
	switch {
	case degrees > 180:
		degrees -= 360
	case degrees < -180:
		degrees += 360
	}
	return degrees
}

// window is when flights leave, in minutes of the local day: long eastbound
// flights in the evening to land in the morning, the others by day.
func window(from, to *airfield, km int) (opens, closes int) {
	switch {
	case km > 4800 && eastward(from, to) > 30:
		return 16 * 60, 23*60 + 30
	case km > 4800:
		return 9 * 60, 22 * 60
	default:
		return 6 * 60, 22 * 60
	}
}

func weekday(d flight.Date) int {
	return int(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Weekday())
}
