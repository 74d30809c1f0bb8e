package refresh

import (
	"bytes"
	"context"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// catalogBlob is where a release's catalogue is shared.
const (
	catalogBlob = "refdata:catalog"
	catalogTTL  = 24 * time.Hour
)

// release is the day on which a catalogue's data was made.
func release(c *refdata.Catalog) flight.Date { return c.Rates().AsOf }

// loadCatalog takes the catalogue of a newer release, or leaves the one held
// where there is none that could be used.
func (r *Refresher) loadCatalog(ctx context.Context) {
	blob, _, err := r.o.Cache.Blob(ctx, catalogBlob)
	if err != nil {
		r.count.load(ctx, setCatalog, FromInstance, failed)
		return
	}
	r.looked = time.Now()
	shared, got := r.judgeCatalog(blob)
	r.count.load(ctx, setCatalog, FromInstance, got)
	switch got {
	case taken:
		r.showBase(shared)
	case absent, older, unusable, withdrawn:
		_ = r.shareCatalog(ctx) // Tried again after a while.
	default: // As good as ours, or of a release that this one cannot follow.
	}
}

// showBase puts a catalogue under the rates; those of its release count where
// they are newer.
func (r *Refresher) showBase(base *refdata.Catalog) {
	next := *r.shown.Load()
	next.base = base
	if next.table.rates.AsOf.Before(release(base)) {
		next.table = r.newTable(base.Rates(), time.Time{}, FromInstance)
	}
	r.show(next)
}

// judgeCatalog reads a shared catalogue: the epoch it was left in, then its
// encoding.
func (r *Refresher) judgeCatalog(blob []byte) (*refdata.Catalog, outcome) {
	if blob == nil {
		return nil, absent
	}
	epoch, encoded, _ := bytes.Cut(blob, []byte("\n"))
	if string(epoch) != r.epoch {
		return nil, withdrawn
	}
	shared, err := refdata.Decode(encoded)
	if err != nil || toCome(release(shared)) {
		return nil, unusable
	}
	ours := release(r.shown.Load().base)
	switch {
	case release(shared).Before(ours):
		return nil, older
	case release(shared) == ours:
		return nil, same
	case !covers(shared, r.o.Embedded):
		return nil, refused
	default:
		return shared, taken
	}
}

// shareCatalog leaves the catalogue that is held for the other instances.
func (r *Refresher) shareCatalog(ctx context.Context) error {
	blob := append([]byte(r.epoch+"\n"), r.shown.Load().base.Encode()...)
	return r.o.Cache.SetBlob(ctx, catalogBlob, blob, catalogTTL)
}

// covers reports that c knows whatever floor knows and puts every place into the
// same city: a fare's scope is made of city codes, and an event that one instance
// takes must reach the fares of all.
func covers(c, floor *refdata.Catalog) bool {
	for a := range floor.Airports() {
		if c.CityOf(a.IATA) != a.CityCode || c.CityOf(a.CityCode) != floor.CityOf(a.CityCode) {
			return false
		}
	}
	for carrier := range floor.Carriers() {
		if _, ok := c.Carrier(carrier.IATA); !ok {
			return false
		}
	}
	known := map[string]bool{}
	for _, currency := range c.Currencies() {
		known[currency.Code] = true
	}
	for _, currency := range floor.Currencies() {
		if !known[currency.Code] {
			return false
		}
	}
	return true
}
