package world

import (
	"slices"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Traveller is a kind of person as fares distinguish them.
type Traveller int

// The kinds of traveller. From twelve years on everybody pays like an adult.
const (
	Adult  Traveller = iota
	Child            // 2 to 11, with a seat.
	Infant           // Under 2, on a lap.
)

// TravellerOf is the kind of a person of an age who, under two, sits on a lap.
func TravellerOf(age int) Traveller {
	switch {
	case age < 2:
		return Infant
	case age < 12:
		return Child
	default:
		return Adult
	}
}

// Price is what one traveller pays for the whole trip, in cents of a US dollar.
type Price struct{ Base, Tax int64 }

// Total is fare and taxes.
func (p Price) Total() int64 { return p.Base + p.Tax }

// Fare is one way in which a provider sells an itinerary.
type Fare struct {
	*Itinerary
	// Seller is the airline that issues the ticket; it may sell flights of its
	// partners under numbers of its own.
	Seller *Airline
	Brand  Brand
	Cabin  flight.Cabin
	// Adult is the price that the others follow from.
	Adult Price
	// Seats left at this price, 1 to 9.
	Seats int
}

// Price is what a kind of traveller pays.
func (f *Fare) Price(t Traveller) Price {
	switch t {
	case Child:
		return Price{Base: scale(f.Adult.Base, 750) / 100 * 100, Tax: scale(f.Adult.Tax, 900)}
	case Infant:
		return Price{Base: scale(f.Adult.Base, 100) / 100 * 100, Tax: scale(f.Adult.Tax, 150)}
	default:
		return f.Adult
	}
}

// EmissionsKg is the CO2 of one traveller with a seat on one flight.
func (f *Fare) EmissionsKg(leg *Flight) int {
	permille := map[flight.Cabin]int{flight.CabinPremiumEconomy: 130, flight.CabinBusiness: 245, flight.CabinFirst: 340}[f.Cabin]
	return leg.Kilometres * max(permille, 85) / 1000
}

// Marketing is the airline and number under which the fare sells a flight.
func (w *World) Marketing(f *Fare, leg *Flight) (*Airline, int) {
	if f.Seller == leg.Airline || !w.codeshares(f.Seller, leg) {
		return leg.Airline, leg.Number
	}
	return f.Seller, w.die.cast("codeshare", f.Seller.Code, leg.Airline.Code, leg.From, leg.To).number(leg.Number).within(5000, 8999)
}

// codeshares reports that a seller has put its own number on a flight: on most
// of its partners' flights.
func (w *World) codeshares(seller *Airline, leg *Flight) bool {
	return seller.sells(leg.Airline) && w.die.cast("shared", seller.Code, leg.Airline.Code, leg.From, leg.To).chance(850)
}

// fare prices an itinerary in a brand. The shift is the seller's own margin in
// permille.
func (w *World) fare(it *Itinerary, seller *Airline, brand Brand, cabin flight.Cabin, shift int, today flight.Date) *Fare {
	var base, tax int64
	for _, j := range it.Journeys {
		level := cabinLevel(cabin, j.longest().Kilometres)
		base += scale(scale(w.market(j, today), level), brand.permille) + brand.extra
		tax += taxes(j)
	}
	base = scale(scale(base, loyalty(it)), shift) / 100 * 100
	tax += scale(base, 45)
	facts := w.die.cast("seats", it.key, brand.Code, today.String())
	return &Fare{Itinerary: it, Seller: seller, Brand: brand, Cabin: cabin, Adult: Price{base, tax}, Seats: facts.within(1, 9)}
}

// loyalty makes a trip cheaper that stays with one airline and its partners.
func loyalty(it *Itinerary) int {
	first := it.Journeys[0].Carrier()
	others := slices.ContainsFunc(it.Journeys, func(j *Journey) bool { return !first.sells(j.Carrier()) })
	if len(it.Journeys) == 1 || others {
		return 1000
	}
	return 880
}

// taxes are those of airports and states for each adult, in cents.
func taxes(j *Journey) int64 {
	var sum int64
	for _, f := range j.Flights {
		sum += 560
		if !f.domestic {
			sum += 2190
		}
	}
	return sum
}
