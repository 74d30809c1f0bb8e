package world

import (
	"cmp"
	"slices"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Bounds of what one direction offers.
const (
	// maxJourneys is how many ways from one airport to another are kept.
	maxJourneys = 120
	// maxByHub is how many of them may change at the same airport.
	maxByHub = 6
	// maxSelfTransfers is how many of them may be two tickets.
	maxSelfTransfers = 10
	// scarce is how few ways with one change make travellers accept two.
	scarce = 20
	// reachableHubs is how many airports are tried at each end for two changes.
	reachableHubs = 8
)

// journeys lists the ways from one airport to another that leave on a day, the
// most attractive first.
func (t *timetable) journeys(from, to *airfield, date, today flight.Date) []*Journey {
	all := t.direct(from, to, date)
	hubs := t.world.detours(from, to)
	for _, hub := range hubs {
		all = append(all, t.over(from, to, hub, date)...)
	}
	if len(all) < scarce {
		all = append(all, t.twoChanges(from, to, hubs, date)...)
	}
	return t.world.attractive(all, from, to, today)
}

func (t *timetable) direct(from, to *airfield, date flight.Date) []*Journey {
	var journeys []*Journey
	for _, f := range t.flights(leg{from.IATA, to.IATA, date}) {
		journeys = append(journeys, &Journey{Flights: []*Flight{f}})
	}
	return journeys
}

// over lists the best journeys that change once, at hub.
func (t *timetable) over(from, to, hub *airfield, date flight.Date) []*Journey {
	var journeys []*Journey
	for _, first := range t.direct(from, hub, date) {
		journeys = append(journeys, t.extend(first, to.IATA)...)
	}
	return quickest(journeys, maxByHub)
}

// twoChanges lists journeys over two of the hubs, for places that one change
// does not reach.
func (t *timetable) twoChanges(from, to *airfield, hubs []*airfield, date flight.Date) []*Journey {
	var firsts [][]*Journey
	for _, hub := range hubs {
		if journeys := t.direct(from, hub, date); len(journeys) > 0 && len(firsts) < reachableHubs {
			firsts = append(firsts, journeys)
		}
	}
	var all []*Journey
	for _, last := range t.world.gateways(to, hubs, date, t) {
		for _, group := range firsts {
			all = append(all, t.overTwo(group, last, to.IATA)...)
		}
	}
	return all
}

func (t *timetable) overTwo(firsts []*Journey, second *airfield, to string) []*Journey {
	var journeys []*Journey
	for _, first := range firsts {
		if first.Destination() == second.IATA {
			continue
		}
		for _, middle := range quickest(t.extend(first, second.IATA), onwards) {
			journeys = append(journeys, t.extend(middle, to)...)
		}
	}
	return quickest(journeys, onwards)
}

// gateways are the hubs that have flights to a place on that day or the next.
func (w *World) gateways(to *airfield, hubs []*airfield, date flight.Date, t *timetable) []*airfield {
	var gateways []*airfield
	for _, hub := range hubs {
		served := len(t.flights(leg{hub.IATA, to.IATA, date})) + len(t.flights(leg{hub.IATA, to.IATA, date.AddDays(1)}))
		if served > 0 && len(gateways) < reachableHubs {
			gateways = append(gateways, hub)
		}
	}
	return gateways
}

// detours lists the hubs that lie more or less on the way, the shortest way
// first.
func (w *World) detours(from, to *airfield) []*airfield {
	type detour struct {
		hub *airfield
		km  int
	}
	limit := w.distance(from, to)*140/100 + 900
	var detours []detour
	for _, iata := range w.hubCodes {
		hub := w.hubs[iata]
		if km := w.distance(from, hub) + w.distance(hub, to); km <= limit && iata != from.IATA && iata != to.IATA {
			detours = append(detours, detour{hub, km})
		}
	}
	slices.SortStableFunc(detours, func(a, b detour) int { return cmp.Compare(a.km, b.km) })
	hubs := make([]*airfield, len(detours))
	for i, d := range detours {
		hubs[i] = d.hub
	}
	return hubs
}

func quickest(journeys []*Journey, n int) []*Journey {
	slices.SortStableFunc(journeys, func(a, b *Journey) int { return cmp.Compare(a.Duration(), b.Duration()) })
	return journeys[:min(n, len(journeys))]
}

// attractive drops the journeys that nobody would take and orders the rest by
// fare, time and changes, as a traveller weighs them.
func (w *World) attractive(all []*Journey, from, to *airfield, today flight.Date) []*Journey {
	if len(all) == 0 {
		return nil
	}
	km := w.distance(from, to)
	patience := quickest(all, 1)[0].Duration()*2 + 9*time.Hour
	kept := all[:0]
	for _, j := range all {
		if j.Duration() > patience {
			continue
		}
		j.km = km
		j.score = int(w.market(j, today)/100) + int(j.Duration().Minutes())*2/5 + 40*(len(j.Flights)-1)
		kept = append(kept, j)
	}
	return best(kept)
}

// best orders journeys by score and keeps the first maxJourneys, few of them
// self transfers.
func best(journeys []*Journey) []*Journey {
	slices.SortStableFunc(journeys, func(a, b *Journey) int { return cmp.Compare(a.score, b.score) })
	selves := 0
	journeys = slices.DeleteFunc(journeys, func(j *Journey) bool {
		if j.SelfTransfer {
			selves++
		}
		return j.SelfTransfer && selves > maxSelfTransfers
	})
	return journeys[:min(maxJourneys, len(journeys))]
}
