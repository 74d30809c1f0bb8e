package world

import (
	"slices"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Vantage is what one provider sees and sells of the world.
type Vantage struct {
	// Name keeps the provider's choices apart from those of others.
	Name string
	// Without are the codes of airlines that it does not sell, by blanks.
	Without string
	// Shown is how many of a thousand itineraries it has.
	Shown int
	// Partners is how many of a thousand it sells under a partner's numbers.
	Partners int
	// Brands is how many fare families of an itinerary it shows at most.
	Brands int
	// SelfTransfers: it sells trips of two tickets.
	SelfTransfers bool
	// Limit is how many fares it shows at most.
	Limit int
}

// Fares lists what the vantage sells for a query, in the order of Itineraries
// and within one of them the cheapest brand first.
func (w *World) Fares(v Vantage, q Query, today flight.Date) []*Fare {
	if q.Cabin == flight.CabinUnknown {
		q.Cabin = flight.CabinEconomy
	}
	var fares []*Fare
	for _, it := range w.Itineraries(q, today) {
		if !w.visible(v, it) {
			continue
		}
		fares = append(fares, w.Brands(v, it, q.Cabin, today)...)
		if len(fares) >= v.Limit {
			return fares[:v.Limit]
		}
	}
	return fares
}

// Brands lists the fares of one itinerary.
func (w *World) Brands(v Vantage, it *Itinerary, cabin flight.Cabin, today flight.Date) []*Fare {
	facts := w.die.cast("vantage", v.Name, it.key)
	seller := w.seller(it, facts.cast("seller").chance(v.Partners))
	families := brands(it.Journeys[0].Carrier(), cabin)
	shown := min(len(families), v.Brands)
	if shown > 1 && facts.cast("brands").chance(450) {
		shown--
	}
	var fares []*Fare
	for _, brand := range families[:shown] {
		shift := facts.cast("shift", brand.Code).within(965, 1040)
		fares = append(fares, w.fare(it, seller, brand, cabin, shift, today))
	}
	return fares
}

func (w *World) visible(v Vantage, it *Itinerary) bool {
	if it.SelfTransfer() && !v.SelfTransfers || !w.die.cast("visible", v.Name, it.key).chance(v.Shown) {
		return false
	}
	hidden := strings.Fields(v.Without)
	return !slices.ContainsFunc(it.Flights(), func(f *Flight) bool {
		return slices.Contains(hidden, f.Airline.Code)
	})
}

// seller is the airline of the first journey, or a partner of it that is at home
// at one of the ends, if there is one and it is asked for.
func (w *World) seller(it *Itinerary, partner bool) *Airline {
	first := it.Journeys[0]
	own := first.Carrier()
	if !partner || it.SelfTransfer() {
		return own
	}
	var candidates []*Airline
	for _, a := range w.between(first.Origin(), first.Destination()) {
		if a != own && a.sells(own) {
			candidates = append(candidates, a)
		}
	}
	if len(candidates) == 0 {
		return own
	}
	return candidates[w.die.cast("partner", it.key).below(len(candidates))]
}
