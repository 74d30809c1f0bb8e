package search

import (
	"cmp"
	"slices"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// filter keeps what passes. What belongs to the journey (stops, durations,
// times) removes itineraries; what belongs to an offer (price, bags, who sells
// the seat) removes offers, and the itinerary with its last one. A fact that is
// unknown does not pass a filter that asks for it. Filters that a provider
// could have applied are applied here all the same, so that none is silently
// ignored.
func filter(journeys []Itinerary, f Filter) []Itinerary {
	kept := journeys[:0]
	for _, journey := range journeys {
		if !f.keepsJourney(journey.Itinerary) {
			continue
		}
		if journey.Offers = f.offers(journey); len(journey.Offers) == 0 {
			continue
		}
		kept = append(kept, journey.withNumbersOfCheapest())
	}
	return kept
}

func (f Filter) keepsJourney(it flight.Itinerary) bool {
	for _, slice := range it.Slices {
		if f.MaxStops != nil && slice.Stops() > *f.MaxStops {
			return false
		}
		if f.MaxDuration > 0 && (slice.Duration == 0 || slice.Duration > f.MaxDuration) {
			return false
		}
	}
	outbound := it.Slices[0]
	return f.Depart.contains(outbound.Departure()) && f.Arrive.contains(outbound.Arrival())
}

func (f Filter) offers(journey Itinerary) []Offer {
	return slices.DeleteFunc(journey.Offers, func(o Offer) bool {
		if f.CheckedBag && !o.IncludesCheckedBag() {
			return true
		}
		if !f.MaxPrice.IsZero() && (o.Converted == nil || o.Converted.Minor > f.MaxPrice.Minor) {
			return true
		}
		if len(f.Carriers) > 0 && !flownBy(o, journey, f.Carriers) {
			return true
		}
		return flownBy(o, journey, f.ExcludeCarriers)
	})
}

// flownBy reports that one of the carriers sells or operates a segment of the
// offer. Who operates may be known from another provider's offer alone.
func flownBy(o Offer, journey Itinerary, carriers []string) bool {
	for s, slice := range o.Itinerary.Slices {
		for g, segment := range slice.Segments {
			if slices.Contains(carriers, segment.Marketing.Code) ||
				slices.Contains(carriers, journey.Slices[s].Segments[g].Operating.Code) {
				return true
			}
		}
	}
	return false
}

// withNumbersOfCheapest puts price, numbers and cabins of the cheapest offer
// that is left in the headline; the completed facts of the flights stay.
func (it Itinerary) withNumbersOfCheapest() Itinerary {
	cheapest := it.Offers[0]
	it.Price = cheapest.Converted
	for s := range it.Slices {
		for g := range it.Slices[s].Segments {
			segment, own := &it.Slices[s].Segments[g], cheapest.Itinerary.Slices[s].Segments[g]
			segment.Marketing, segment.FlightNumber = own.Marketing, own.FlightNumber
			segment.Cabin = cmp.Or(own.Cabin, segment.Cabin)
		}
	}
	return it
}

// contains reports that the time of day lies in the window, both ends included.
func (w Window) contains(t flight.LocalTime) bool {
	minute := t.MinuteOfDay()
	switch {
	case w.After == nil && w.Before == nil:
		return true
	case w.After == nil:
		return minute <= *w.Before
	case w.Before == nil:
		return minute >= *w.After
	case *w.After > *w.Before:
		return minute >= *w.After || minute <= *w.Before
	}
	return minute >= *w.After && minute <= *w.Before
}
