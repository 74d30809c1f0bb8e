package world

import (
	"slices"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Journey is one direction of travel: one flight, or several that connect.
type Journey struct {
	Flights []*Flight
	// SelfTransfer: two tickets of airlines that know nothing of each other.
	SelfTransfer bool

	km    int // Great circle between the ends.
	score int
}

// Departure is the instant of leaving, in UTC.
func (j *Journey) Departure() time.Time { return j.Flights[0].Departure }

// Arrival is the instant of landing for good, in UTC.
func (j *Journey) Arrival() time.Time { return j.Flights[len(j.Flights)-1].Arrival }

// Duration is from first departure to last arrival.
func (j *Journey) Duration() time.Duration { return j.Arrival().Sub(j.Departure()) }

// Origin is where the journey begins.
func (j *Journey) Origin() string { return j.Flights[0].From }

// Destination is where it ends.
func (j *Journey) Destination() string { return j.Flights[len(j.Flights)-1].To }

// Carrier is the airline that a journey is known by: that of its longest flight.
func (j *Journey) Carrier() *Airline { return j.longest().Airline }

func (j *Journey) longest() *Flight {
	best := j.Flights[0]
	for _, f := range j.Flights[1:] {
		if f.Kilometres > best.Kilometres {
			best = f
		}
	}
	return best
}

func (j *Journey) key() string {
	var b strings.Builder
	for _, f := range j.Flights {
		b.WriteString(f.key())
	}
	return b.String()
}

// Bounds of a connection.
const (
	leastDomestic = 45 * time.Minute
	leastLayover  = 65 * time.Minute
	leastSelf     = 3 * time.Hour
	mostSelf      = 10 * time.Hour
	mostLayover   = 15 * time.Hour
	// onwards is how many connecting flights of each first one are looked at.
	onwards = 2
)

// connects reports whether a passenger can change from one flight to the next,
// and whether that takes two tickets.
func connects(before, after *Flight) (ok, self bool) {
	wait := after.Departure.Sub(before.Arrival)
	if before.Airline.sells(after.Airline) {
		least := leastLayover
		if before.domestic && after.domestic {
			least = leastDomestic
		}
		return wait >= least && wait <= mostLayover, false
	}
	cheap := before.Airline.kind == lowCost || after.Airline.kind == lowCost
	return cheap && wait >= leastSelf && wait <= mostSelf, true
}

// extend adds one flight to a journey in the ways that leave soonest: few for
// through tickets, one for a transfer on one's own.
func (t *timetable) extend(j *Journey, to string) []*Journey {
	last := j.Flights[len(j.Flights)-1]
	date := flight.DateOf(last.Arrival.In(t.world.catalog.Zone(last.To)))
	var longer []*Journey
	through, alone := 0, 0
	for day := range 2 {
		for _, next := range t.flights(leg{last.To, to, date.AddDays(day)}) {
			ok, self := connects(last, next)
			switch {
			case !ok || self && (alone > 0 || len(j.Flights) > 1 || j.SelfTransfer):
				continue
			case self:
				alone++
			case through == onwards:
				continue
			default:
				through++
			}
			longer = append(longer, &Journey{
				Flights: append(slices.Clip(j.Flights), next), SelfTransfer: self || j.SelfTransfer,
			})
		}
	}
	return longer
}
