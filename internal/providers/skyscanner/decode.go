package skyscanner

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// decode reads the results of a search for so many slices. Every pricing option
// of an itinerary is an offer; a bad one costs only itself and is counted with
// its reason. Equal results give equal answers, in the order of their ids.
func decode(wire *results, zones providers.Zones, slicesAsked int) (providers.Answer, error) {
	itineraries := table[itinerary](wire.Itineraries)
	if itineraries == nil {
		return providers.Answer{}, providers.BodyError(http.StatusOK, errors.New("no itineraries"))
	}
	d := newDecoder(wire, zones)
	for _, id := range slices.Sorted(maps.Keys(itineraries)) {
		it := itineraries[id]
		d.itinerary(id, &it, slicesAsked)
	}
	d.answer.Mismatches = d.legs.mismatches
	return d.answer, nil
}

// table reads one map by id. A value of an unexpected type is absent afterwards;
// the offers that need it are dropped. It is nil where there is no map.
func table[T any](raw json.RawMessage) map[string]T {
	var entries map[string]T
	// What is not valid JSON has been refused before; encoding/json leaves out
	// what is only of the wrong type.
	_ = json.Unmarshal(raw, &entries)
	return entries
}

// decoder turns itineraries into offers.
type decoder struct {
	legs   *legs
	agents map[string]agent
	refs   map[string]int // How often each was met.
	answer providers.Answer
}

func newDecoder(wire *results, zones providers.Zones) *decoder {
	return &decoder{
		legs:   newLegs(wire, zones),
		agents: table[agent](wire.Agents),
		refs:   map[string]int{},
		answer: providers.Answer{Offers: []flight.Offer{}, Rejects: map[providers.Reject]int{}},
	}
}

func (d *decoder) itinerary(id string, wire *itinerary, slicesAsked int) {
	journey, reject := d.legs.journey(wire.LegIDs, slicesAsked)
	if len(wire.PricingOptions) == 0 {
		// Nobody sells it, or not yet.
		d.answer.Rejects[providers.RejectPrice]++
	}
	for i := range wire.PricingOptions {
		offer, unusable := flight.Offer{}, reject
		if unusable == "" {
			offer, unusable = d.offer(id, &wire.PricingOptions[i], wire.LegIDs)
		}
		if unusable != "" {
			d.answer.Rejects[unusable]++
			continue
		}
		offer.Itinerary, offer.Ref = journey, d.unique(offer.Ref)
		d.answer.Offers = append(d.answer.Offers, offer)
	}
}

// unique numbers references that repeat, so that each offer has its own: two
// options of one itinerary may share what names them.
func (d *decoder) unique(ref string) string {
	d.refs[ref]++
	if n := d.refs[ref]; n > 1 {
		return ref + "#" + strconv.Itoa(n)
	}
	return ref
}
