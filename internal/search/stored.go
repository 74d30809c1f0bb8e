package search

import (
	"encoding/json"
	"fmt"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// storedAnswer is a providers.Answer as the cache keeps it. Fare families make
// many offers of one itinerary, so itineraries stand once and offers point at
// them: a third of the bytes, and in memory one copy that they share.
type storedAnswer struct {
	Itineraries []json.RawMessage        `json:"itineraries"`
	Offers      []storedOffer            `json:"offers"`
	Rejects     map[providers.Reject]int `json:"rejects,omitempty"`
	Mismatches  int                      `json:"mismatches,omitempty"`
	Cut         bool                     `json:"cut,omitempty"`
	Warnings    []string                 `json:"warnings,omitempty"`
}

// storedOffer is an offer without its itinerary, which is the one at At.
type storedOffer struct {
	flight.Offer
	At int `json:"at"`
}

func encodeAnswer(a providers.Answer) ([]byte, error) {
	stored := storedAnswer{
		Offers: make([]storedOffer, len(a.Offers)), Rejects: a.Rejects, Mismatches: a.Mismatches, Cut: a.Cut, Warnings: a.Warnings,
	}
	places := map[string]int{}
	for i, offer := range a.Offers {
		itinerary, err := json.Marshal(offer.Itinerary)
		if err != nil {
			return nil, fmt.Errorf("search: encoding an itinerary: %w", err)
		}
		at, known := places[string(itinerary)]
		if !known {
			at = len(stored.Itineraries)
			places[string(itinerary)] = at
			stored.Itineraries = append(stored.Itineraries, itinerary)
		}
		offer.Itinerary = flight.Itinerary{}
		stored.Offers[i] = storedOffer{Offer: offer, At: at}
	}
	return json.Marshal(stored)
}

func decodeAnswer(b []byte) (providers.Answer, error) {
	var stored storedAnswer
	if err := json.Unmarshal(b, &stored); err != nil {
		return providers.Answer{}, fmt.Errorf("search: decoding an answer: %w", err)
	}
	itineraries := make([]flight.Itinerary, len(stored.Itineraries))
	for i, raw := range stored.Itineraries {
		if err := json.Unmarshal(raw, &itineraries[i]); err != nil {
			return providers.Answer{}, fmt.Errorf("search: decoding an itinerary: %w", err)
		}
	}
	answer := providers.Answer{
		Offers: make([]flight.Offer, len(stored.Offers)), Rejects: stored.Rejects, Mismatches: stored.Mismatches, Cut: stored.Cut, Warnings: stored.Warnings,
	}
	for i, offer := range stored.Offers {
		if offer.At < 0 || offer.At >= len(itineraries) || !whole(itineraries[offer.At]) {
			return providers.Answer{}, fmt.Errorf("search: offer %d has no itinerary", i)
		}
		answer.Offers[i] = offer.Offer
		answer.Offers[i].Itinerary = itineraries[offer.At]
	}
	return answer, nil
}

// whole reports that an itinerary has slices and each of them segments, which
// its methods rely on.
func whole(it flight.Itinerary) bool {
	for _, slice := range it.Slices {
		if len(slice.Segments) == 0 {
			return false
		}
	}
	return len(it.Slices) > 0
}
