package skyscanner

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

const (
	// market and locale are the point of sale and the language of names. They
	// are the same for everybody, so that one search is one entry of a cache.
	market = "US"
	locale = "en-US"
	// currency is asked of every provider; what is shown is converted later. The
	// vendor's amounts come without one.
	currency = "USD"
	// infantAge stands for every lap infant: all ages under 2 travel alike.
	infantAge = 1
)

// Bounds of a party at this vendor.
const (
	maxAdults   = 8
	maxChildren = 8
)

// unsupported says why the vendor cannot take a valid query, or is nil.
func unsupported(q flight.Query) error {
	party := q.Passengers
	children := len(party.ChildAges) + party.Infants
	var detail string
	switch {
	case party.Adults > maxAdults:
		detail = fmt.Sprintf("takes at most %d adults, not %d", maxAdults, party.Adults)
	case children > maxChildren:
		detail = fmt.Sprintf("takes at most %d children and infants, not %d", maxChildren, children)
	default:
		return nil
	}
	return &providers.Error{Kind: providers.KindUnsupported, Detail: detail}
}

// createBody puts a query into the vendor's words.
func createBody(q flight.Query) ([]byte, error) {
	query := searchQuery{
		Market:       market,
		Locale:       locale,
		Currency:     currency,
		CabinClass:   "CABIN_CLASS_" + strings.ToUpper(string(q.Cabin)),
		Adults:       q.Passengers.Adults,
		ChildrenAges: childrenAges(q.Passengers),
	}
	for _, s := range q.Slices {
		query.QueryLegs = append(query.QueryLegs, queryLeg{
			OriginPlaceID:      queryPlace{IATA: s.Origin},
			DestinationPlaceID: queryPlace{IATA: s.Destination},
			Date:               queryDate{Year: s.Departure.Year, Month: int(s.Departure.Month), Day: s.Departure.Day},
		})
	}
	body, err := json.Marshal(createRequest{Query: query})
	if err != nil {
		return nil, fmt.Errorf("writing the search request: %w", err)
	}
	return body, nil
}

// childrenAges names everybody under 18. The vendor has no other word for an
// infant.
func childrenAges(party flight.Passengers) []int {
	ages := make([]int, 0, len(party.ChildAges)+party.Infants)
	ages = append(ages, party.ChildAges...)
	for range party.Infants {
		ages = append(ages, infantAge)
	}
	return ages
}
