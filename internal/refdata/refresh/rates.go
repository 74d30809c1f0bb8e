package refresh

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// ratesBlob is where the rates are shared. They are left again with every fetch,
// so that they end only when nobody fetches any more.
const (
	ratesBlob = "refdata:rates"
	ratesTTL  = 48 * time.Hour
)

// mustKnow is the currency that providers are asked in: without its rate no
// price could be shown in another.
const mustKnow = "USD"

// Origin says where what is shown came from.
type Origin string

// The origins.
const (
	FromProgram  Origin = "embedded"
	FromInstance Origin = "shared"
	FromSource   Origin = "fetched"
)

// table is one table of rates.
type table struct {
	rates refdata.Rates
	// encoded is the same as a catalogue of nothing else.
	encoded []byte
	// read is when it was read at the source, zero for the embedded one.
	read time.Time
	from Origin
}

// newTable encodes rates with the help of a catalogue of nothing.
func (r *Refresher) newTable(rates refdata.Rates, read time.Time, from Origin) table {
	return table{rates: rates, encoded: r.nothing.WithRates(rates).Encode(), read: read, from: from}
}

// share is the table as it lies in the cache: when it was read, then the table.
func (t table) share() []byte {
	return append([]byte(t.read.UTC().Format(time.RFC3339Nano)+"\n"), t.encoded...)
}

func (r *Refresher) parseShared(blob []byte) (table, error) {
	when, encoded, _ := bytes.Cut(blob, []byte("\n"))
	read, err := time.Parse(time.RFC3339Nano, string(when))
	if err != nil {
		return table{}, fmt.Errorf("when the rates were read: %w", err)
	}
	alone, err := refdata.Decode(encoded)
	if err != nil {
		return table{}, err
	}
	return r.newTable(alone.Rates(), read, FromInstance), nil
}

// loadRates takes the rates that another instance left. Where there are none, or
// older ones, it leaves those that this instance knows from the source.
func (r *Refresher) loadRates(ctx context.Context) {
	blob, _, err := r.o.Cache.Blob(ctx, ratesBlob)
	if err != nil {
		r.count.load(ctx, setRates, FromInstance, failed)
		return
	}
	got := absent
	if blob != nil {
		got = r.takeShared(blob)
	}
	r.count.load(ctx, setRates, FromInstance, got)
	if held := r.shown.Load().table; (got == absent || got == older || got == unusable) && held.from != FromProgram {
		_ = r.shareRates(ctx, held) // Tried again at the next look.
	}
}

func (r *Refresher) takeShared(blob []byte) outcome {
	t, err := r.parseShared(blob)
	if err != nil || t.read.After(time.Now().Add(clockError)) {
		return unusable
	}
	return r.take(t)
}

// take shows t if it is better than what is held, and notes that the source was
// heard.
func (r *Refresher) take(t table) outcome {
	next := *r.shown.Load()
	got := r.judge(t, next.table)
	if got == unusable {
		return got
	}
	if t.read.After(next.heard) {
		next.heard = t.read
	}
	if got == taken {
		next.table = t
	}
	r.show(next)
	return got
}

// judge compares a table with the one that is held.
func (r *Refresher) judge(t, held table) outcome {
	switch {
	case !r.plausible(t.rates):
		return unusable
	case t.rates.AsOf.Before(held.rates.AsOf):
		return older
	case bytes.Equal(t.encoded, held.encoded):
		return same
	case t.rates.AsOf == held.rates.AsOf && !t.read.After(held.read):
		return older
	default:
		return taken
	}
}

// plausible refuses a table of a day to come, which no other would ever replace,
// and one that lacks what the embedded one knows: currencies come and go one by
// one, not by half.
func (r *Refresher) plausible(rates refdata.Rates) bool {
	known, lacking := 0, 0
	for _, c := range r.o.Embedded.Currencies() {
		switch {
		case rates.Known(c.Code):
			known++
		case c.HasRate:
			lacking++
		}
	}
	return !toCome(rates.AsOf) && rates.Known(mustKnow) && known >= lacking
}

// toCome reports a day that has begun nowhere on Earth.
func toCome(d flight.Date) bool {
	return flight.DateOf(time.Now().UTC()).AddDays(1).Before(d)
}

// fetchRates reads the source, shows what it says if that is better, and leaves
// what is held then for the others, who learn from it that the source was read.
func (r *Refresher) fetchRates(ctx context.Context) error {
	r.attempted = time.Now()
	rates, err := r.source.fetch(ctx)
	if err != nil {
		r.count.load(ctx, setRates, FromSource, failed)
		return err
	}
	got := r.take(r.newTable(rates, r.attempted, FromSource))
	r.count.load(ctx, setRates, FromSource, got)
	if got == unusable {
		return fmt.Errorf("exchange rates of %s from %s: a day to come, or too few currencies", rates.AsOf, r.o.RatesURL.Redacted())
	}
	return r.shareRates(ctx, r.shown.Load().table)
}

// shareRates leaves a table for the other instances, as one that the source
// stands by.
func (r *Refresher) shareRates(ctx context.Context, t table) error {
	t.read = r.shown.Load().heard
	return r.o.Cache.SetBlob(ctx, ratesBlob, t.share(), ratesTTL)
}

// fleetBudget is what all instances together may fetch. It is also how long a
// failed fetch is not repeated.
func fleetBudget() cache.Budget {
	return cache.Budget{Name: "exchange-rates", Limits: []cache.Limit{{Count: 1, Per: retryAfter}}}
}

// mayFetch asks for the fleet's one fetch. Without an answer this instance
// fetches by itself, which its own pause between attempts bounds.
func (r *Refresher) mayFetch(ctx context.Context) bool {
	verdict, err := r.o.Cache.Spend(ctx, fleetBudget(), 1)
	return err != nil || verdict.OK
}
