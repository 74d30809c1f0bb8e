package world

import (
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// World answers what flies and what it costs. It is immutable and safe for
// concurrent use.
type World struct {
	catalog  *refdata.Catalog
	die      die
	sizes    map[string]size
	hubs     map[string]*airfield
	carriers []*Airline
	byCode   map[string]*Airline
	// homes has the airlines of each hub, in the order of carriers.
	homes map[string][]*Airline
	// hubCodes are the keys of hubs in the order of carriers, so that nothing
	// depends on the order of a map.
	hubCodes []string
}

// New builds the world of a seed. Equal seeds over equal reference data are
// equal worlds.
func New(catalog *refdata.Catalog, seed uint64) *World {
	w := &World{
		catalog: catalog, die: die(fnvOffset).number(int(seed)), sizes: sizes(),
		hubs: map[string]*airfield{}, byCode: map[string]*Airline{}, homes: map[string][]*Airline{},
	}
	for _, a := range airlines() {
		w.found(a)
	}
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
	w.carriers = append(w.carriers, a)
	w.byCode[a.Code] = a
}

func (w *World) open(iata string) bool {
	if _, ok := w.hubs[iata]; ok {
		return true
	}
	field, ok := w.survey(iata)
	if ok {
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
