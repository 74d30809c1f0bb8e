package amadeus

import (
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
)

const (
	// currency is asked of every provider; what is shown is converted later.
	currency = "USD"
	// maxOffers is the most that the vendor returns to one search.
	maxOffers = 250
	// coverage is what the vendor itself means by asking for a cabin: at least
	// this one for most of the journey.
	coverage = "MOST_SEGMENTS"

	travelerAdult  = "ADULT"
	travelerChild  = "CHILD"
	travelerInfant = "HELD_INFANT"
	// adultAge is from when on this vendor sells a seat at the adult fare.
	adultAge = 12
)

// request puts a query into the vendor's words. The vendor takes every query
// that is valid.
func request(q flight.Query) searchRequest {
	directions, ids := originDestinations(q.Slices)
	return searchRequest{
		CurrencyCode:       currency,
		OriginDestinations: directions,
		Travelers:          travelers(q.Passengers),
		Sources:            []string{"GDS"},
		SearchCriteria: searchCriteria{
			MaxFlightOffers: maxOffers,
			FlightFilters: flightFilters{CabinRestrictions: []cabinRestriction{{
				Cabin: strings.ToUpper(string(q.Cabin)), Coverage: coverage, OriginDestinationIDs: ids,
			}}},
		},
	}
}

func originDestinations(slices []flight.SliceQuery) (directions []originDestination, ids []string) {
	for i, s := range slices {
		id := strconv.Itoa(i + 1)
		ids = append(ids, id)
		directions = append(directions, originDestination{
			ID:                      id,
			OriginLocationCode:      s.Origin,
			DestinationLocationCode: s.Destination,
			DepartureDateTimeRange:  dateTimeRange{Date: s.Departure.String()},
		})
	}
	return directions, ids
}

// travelers lists adults first, so that the infant with number i sits on the lap
// of the adult with number i. Children of 12 and over count as adults here.
func travelers(p flight.Passengers) []traveler {
	var all []traveler
	add := func(kind, lap string) {
		all = append(all, traveler{ID: strconv.Itoa(len(all) + 1), TravelerType: kind, AssociatedAdultID: lap})
	}
	for range p.Adults {
		add(travelerAdult, "")
	}
	for _, age := range p.ChildAges {
		if age < adultAge {
			add(travelerChild, "")
		} else {
			add(travelerAdult, "")
		}
	}
	for i := range p.Infants {
		add(travelerInfant, all[i].ID)
	}
	return all
}
