package world

import (
	"sync"

	"github.com/maypok86/otter/v2"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// World answers what flies and what it costs. It is immutable and safe for
// concurrent use.
type World struct {
	catalog *refdata.Catalog
	die     die
	sizes   map[string]size
	hubs    map[string]*airfield
	// homes has the airlines of each hub.
	homes map[string][]*Airline
	// hubCodes are the keys of hubs in the order of the airlines, so that nothing
	// depends on the order of a map.
	hubCodes []string
	// betweenHubs is measureHubs, done at the first search.
	betweenHubs func() []int32
	// known remembers itineraries, for all providers are asked at once.
	known *otter.Cache[string, []*Itinerary]
}

// remembered is how many queries the world keeps the itineraries of; each has
// some 300 kB.
const remembered = 48

// New builds the world of a seed. Equal seeds over equal reference data are
// equal worlds.
func New(catalog *refdata.Catalog, seed uint64) *World {
	w := &World{
		catalog: catalog, die: die(fnvOffset).number(int(seed)), sizes: sizes(),
		hubs: map[string]*airfield{}, homes: map[string][]*Airline{},
	}
	for _, a := range airlines() {
		w.found(a)
	}
	w.betweenHubs = sync.OnceValue(w.measureHubs)
	w.known = otter.Must(&otter.Options[string, []*Itinerary]{MaximumSize: remembered})
	return w
}

// found adds an airline with those of its hubs that the reference data know.
func (w *World) found(a *Airline) {
	var hubs []string
	for _, iata := range a.Hubs {
		if w.open(iata) {
			hubs = append(hubs, iata)
			w.homes[iata] = append(w.homes[iata], a)
		}
	}
	a.Hubs = hubs
}

func (w *World) open(iata string) bool {
	if _, ok := w.hubs[iata]; ok {
		return true
	}
	field, ok := w.airfield(iata)
	if ok {
		field.hub = len(w.hubCodes)
		w.hubs[iata] = field
		w.hubCodes = append(w.hubCodes, iata)
	}
	return ok
}

// CarrierName is the name that the airline of a code is known by, the code
// itself where the reference data have none.
func (w *World) CarrierName(code string) string {
	if c, ok := w.catalog.Carrier(code); ok {
		return c.Name
	}
	return code
}

// Catalog is the reference data that the world is built on.
func (w *World) Catalog() *refdata.Catalog { return w.catalog }
