package world

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Query is what travellers ask the world for; who they are changes only what
// they pay.
type Query struct {
	// Slices are in the order of travel; places are airports or cities.
	Slices []flight.SliceQuery
	// Cabin of the longest flight of each slice; CabinUnknown means economy.
	Cabin flight.Cabin
}

// Itinerary is the whole trip: a journey for each slice.
type Itinerary struct {
	Journeys []*Journey

	key   string
	score int
}

// Flights are those of all journeys in order.
func (it *Itinerary) Flights() []*Flight {
	var all []*Flight
	for _, j := range it.Journeys {
		all = append(all, j.Flights...)
	}
	return all
}

// SelfTransfer reports that one of the journeys is two tickets.
func (it *Itinerary) SelfTransfer() bool {
	return slices.ContainsFunc(it.Journeys, func(j *Journey) bool { return j.SelfTransfer })
}

// Bounds of a trip of several slices, where everything combines with
// everything.
const (
	maxItineraries = 120
	// maxPerSlice is how many journeys of each slice are combined.
	maxPerSlice = 40
	// turnaround is the least time between two slices.
	turnaround = time.Hour
)

// Itineraries lists the trips that answer a query, the most attractive first,
// at most maxItineraries. Unknown places and empty markets give none. Today
// decides the fares, by which trips are ordered and chosen. The trips are shared:
// callers must not write to them.
func (w *World) Itineraries(q Query, today flight.Date) []*Itinerary {
	key := fmt.Sprint(q, today)
	trips, err := w.known.Get(context.Background(), key, otter.LoaderFunc[string, []*Itinerary](
		func(context.Context, string) ([]*Itinerary, error) { return w.plan(q, today), nil },
	))
	if err != nil {
		return w.plan(q, today) // Whoever planned it for all has failed.
	}
	return trips
}

func (w *World) plan(q Query, today flight.Date) []*Itinerary {
	t := w.timetable()
	trips := []*Itinerary{{}}
	for _, s := range q.Slices {
		journeys := w.withCabin(t.slice(s, today), q.Cabin)
		if len(q.Slices) > 1 {
			journeys = journeys[:min(maxPerSlice, len(journeys))]
		}
		trips = combine(trips, journeys)
	}
	for _, it := range trips {
		for _, j := range it.Journeys {
			it.key += j.key() + "/"
		}
	}
	return trips
}

// slice lists the journeys between all airports that two places mean.
func (t *timetable) slice(s flight.SliceQuery, today flight.Date) []*Journey {
	var all []*Journey
	for _, origin := range t.world.catalog.Expand(s.Origin) {
		for _, destination := range t.world.catalog.Expand(s.Destination) {
			from, _ := t.world.airfield(origin)
			to, _ := t.world.airfield(destination)
			if t.world.distance(from, to) >= shortest {
				all = append(all, t.journeys(from, to, s.Departure, today)...)
			}
		}
	}
	return best(all)
}

func (w *World) withCabin(journeys []*Journey, cabin flight.Cabin) []*Journey {
	return slices.DeleteFunc(journeys, func(j *Journey) bool { return !w.offers(j.longest(), cabin) })
}

// combine adds a journey to each trip in every way that leaves time to turn
// around, and keeps the most attractive. Trips that stay with one airline and
// its partners are what return fares are made for.
func combine(trips []*Itinerary, journeys []*Journey) []*Itinerary {
	var longer []*Itinerary
	for _, it := range trips {
		for _, j := range journeys {
			if n := len(it.Journeys); n > 0 {
				before := it.Journeys[n-1]
				if j.Departure().Sub(before.Arrival()) < turnaround {
					continue
				}
			}
			longer = append(longer, it.with(j))
		}
	}
	slices.SortStableFunc(longer, func(a, b *Itinerary) int { return cmp.Compare(a.score, b.score) })
	return longer[:min(maxItineraries, len(longer))]
}

// strangers is what it weighs against a trip, in dollars, when two of its
// airlines do not sell each other.
const strangers = 120

func (it *Itinerary) with(j *Journey) *Itinerary {
	longer := &Itinerary{Journeys: append(slices.Clip(it.Journeys), j), score: it.score + j.score}
	if len(it.Journeys) > 0 && !it.Journeys[0].Carrier().sells(j.Carrier()) {
		longer.score += strangers
	}
	return longer
}
