package amadeus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// traveller is one person of a search.
type traveller struct {
	ID, Type, AdultID string
}

// kind is how the world prices a traveller of an Amadeus type.
func (t traveller) kind() world.Traveller {
	switch t.Type {
	case "CHILD", "SEATED_INFANT":
		return world.Child
	case "HELD_INFANT":
		return world.Infant
	default:
		return world.Adult
	}
}

var travellerTypes = []string{"ADULT", "CHILD", "SENIOR", "YOUNG", "HELD_INFANT", "SEATED_INFANT", "STUDENT"}

// search is a valid request for flight offers, whether it came by GET or POST.
type search struct {
	slices     []flight.SliceQuery
	cabin      flight.Cabin
	travellers []traveller
	currency   string
	max        int
	filter     filter
}

// maxOffers is both the default and the limit of max.
const maxOffers = 250

// key is equal for searches that are answered alike.
func (s search) key() string {
	var b strings.Builder
	for _, slice := range s.slices {
		fmt.Fprintf(&b, "%s-%s@%s/", slice.Origin, slice.Destination, slice.Departure)
	}
	fmt.Fprintf(&b, "%s %v %s %d %+v", s.cabin, s.travellers, s.currency, s.max, s.filter)
	return b.String()
}

// filter is what a search leaves out.
type filter struct {
	included, excluded []string
	connections        int   // At most, in each slice.
	price              int64 // At most for each adult, in whole units; 0 for any.
	bagsOnly           bool
}

// passes judges a fare by everything but its price.
func (f filter) passes(fare *world.Fare) bool {
	for _, j := range fare.Journeys {
		if len(j.Flights)-1 > f.connections {
			return false
		}
		for _, leg := range j.Flights {
			carrier := leg.Airline.Code
			if slices.Contains(f.excluded, carrier) || len(f.included) > 0 && !slices.Contains(f.included, carrier) {
				return false
			}
		}
	}
	return !f.bagsOnly || fare.Brand.CheckedBags > 0
}

var cabins = map[string]flight.Cabin{
	"ECONOMY": flight.CabinEconomy, "PREMIUM_ECONOMY": flight.CabinPremiumEconomy,
	"BUSINESS": flight.CabinBusiness, "FIRST": flight.CabinFirst,
}

// check judges what both forms of request have in common. Faults name the places
// that at gives them.
func (s *service) check(q search, at func(field string, index int) source) []fault {
	var faults []fault
	for i, slice := range q.slices {
		if !wire.IsPlace(slice.Origin) {
			faults = append(faults, bad(codeInvalidFormat, "City/Airport - 3 characters IATA code from which the traveler will depart.", at("originLocationCode", i)))
		}
		if !wire.IsPlace(slice.Destination) {
			faults = append(faults, bad(codeInvalidFormat, "City/Airport - 3 characters IATA code to which the traveler is going.", at("destinationLocationCode", i)))
		}
		faults = append(faults, s.checkDate(q.slices, i, at)...)
	}
	if !s.World.Catalog().Rates().Known(q.currency) {
		faults = append(faults, bad(codeInvalidFormat, "The currency is not supported", at("currencyCode", 0)))
	}
	if q.max < 1 || q.max > maxOffers {
		faults = append(faults, bad(codeInvalidData, "The maximum number of flight offers must be from 1 to 250", at("max", 0)))
	}
	if len(q.filter.included) > 0 && len(q.filter.excluded) > 0 {
		faults = append(faults, bad(codeCombination, "Included and excluded airlines cannot be combined", at("includedAirlineCodes", 0)))
	}
	return append(faults, checkTravellers(q.travellers, at)...)
}

func (s *service) checkDate(all []flight.SliceQuery, i int, at func(string, int) source) []fault {
	date := all[i].Departure
	switch {
	case date.IsZero():
		return []fault{bad(codeInvalidFormat, "The date must be of the form YYYY-MM-DD", at("departureDate", i))}
	case s.Past(date, all[i].Origin):
		return []fault{bad(codeInvalidDate, "Date/Time is in the past", at("departureDate", i))}
	case s.TooFar(date):
		return []fault{bad(codeInvalidDate, "Date/Time is too far in the future", at("departureDate", i))}
	case i > 0 && date.Before(all[i-1].Departure):
		return []fault{bad(codeInvalidDate, "Dates must be in chronological order", at("departureDate", i))}
	}
	return nil
}

func checkTravellers(travellers []traveller, at func(string, int) source) []fault {
	seats, adults, held := 0, 0, 0
	var faults []fault
	for i, t := range travellers {
		switch {
		case !slices.Contains(travellerTypes, t.Type):
			faults = append(faults, bad(codeInvalidFormat, "The traveler type is not known", at("travelerType", i)))
		case t.Type == "HELD_INFANT":
			held++
		default:
			seats++
		}
		if t.kind() == world.Adult {
			adults++
		}
	}
	switch {
	case len(faults) > 0:
	case adults == 0:
		faults = append(faults, bad(codeInvalidData, "At least one adult is needed", at("adults", 0)))
	case seats > flight.MaxSeats:
		faults = append(faults, bad(codeTooMany, "The number of seated travelers is at most nine", at("adults", 0)))
	case held > adults:
		faults = append(faults, bad(codeInvalidData, "The number of infants cannot exceed the number of adults", at("infants", 0)))
	}
	return faults
}
