package search

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// merge groups offers by physical journey, the cheapest first in each, and
// completes the description of the journey from all of them. The order of
// journeys is that of their first offer.
func merge(offers []Offer) []Itinerary {
	places := make(map[string]int, len(offers))
	journeys := make([]Itinerary, 0, len(offers))
	for _, offer := range offers {
		key := offer.Itinerary.Key()
		i, known := places[key]
		if !known {
			i = len(journeys)
			places[key] = i
			journeys = append(journeys, Itinerary{ID: offer.Itinerary.ID()})
		}
		journeys[i].Offers = append(journeys[i].Offers, offer)
	}
	for i := range journeys {
		slices.SortStableFunc(journeys[i].Offers, compareOffers)
		journeys[i].headline()
		journeys[i].complete()
	}
	return journeys
}

// headline takes price and description from the cheapest offer, whichever
// answered first.
func (it *Itinerary) headline() {
	it.Price = it.Offers[0].Converted
	it.Itinerary = it.Offers[0].Itinerary
}

// complete fills what the cheapest offer's provider left unsaid about the
// flights from those who said it: a touch-down that only one of them names is
// still a stop. The numbers stay those of the cheapest offer.
func (it *Itinerary) complete() {
	it.Slices = slices.Clone(it.Slices)
	for s := range it.Slices {
		slice := &it.Slices[s]
		slice.Segments = slices.Clone(slice.Segments)
		for _, offer := range it.Offers[1:] {
			other := offer.Itinerary.Slices[s]
			slice.Duration = cmp.Or(slice.Duration, other.Duration)
			for g := range slice.Segments {
				completeSegment(&slice.Segments[g], other.Segments[g])
			}
		}
	}
}

func completeSegment(segment *flight.Segment, other flight.Segment) {
	segment.Duration = cmp.Or(segment.Duration, other.Duration)
	segment.Aircraft = cmp.Or(segment.Aircraft, other.Aircraft)
	segment.OriginTerminal = cmp.Or(segment.OriginTerminal, other.OriginTerminal)
	segment.Cabin = cmp.Or(segment.Cabin, other.Cabin)
	segment.DestinationTerminal = cmp.Or(segment.DestinationTerminal, other.DestinationTerminal)
	if len(segment.Stops) == 0 {
		segment.Stops = other.Stops
	}
	if !segment.Operating.Known() {
		segment.Operating = other.Operating
	}
	if segment.Mode == flight.ModeFlight {
		segment.Mode = other.Mode
	}
}

// compareOffers puts the cheapest first and the unpriced last. Equal prices are
// ordered by what does not change between two searches.
func compareOffers(a, b Offer) int {
	return cmp.Or(
		comparePrices(a.Converted, b.Converted),
		strings.Compare(a.Provider, b.Provider),
		strings.Compare(a.Seller, b.Seller),
		slices.Compare(a.Brands, b.Brands),
		strings.Compare(a.ID, b.ID),
	)
}

// comparePrices orders amounts of one currency, nil last.
func comparePrices(a, b *flight.Money) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(a.Minor, b.Minor)
}

// offerID names an offer by who made it and by that provider's own reference.
func offerID(o flight.Offer) string {
	sum := sha256.Sum256([]byte(o.Provider + "\x00" + o.Ref))
	return o.Provider + "_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:15]))
}
