package refresh

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

const (
	// lookEvery is how soon an instance notices what another one left: rates, and
	// the withdrawal of a catalogue. A quarter of it is jitter.
	lookEvery = time.Minute
	// catalogEvery is how often the shared catalogue, a hundred times as large, is
	// read without a withdrawal: it changes with a release.
	catalogEvery = time.Hour
)

// Options configure a Refresher. Embedded and Cache are mandatory.
type Options struct {
	// Embedded is the catalogue of this program's release, the floor.
	Embedded *refdata.Catalog
	// Cache is what the instances share.
	Cache *cache.Cache
	// RatesURL is the address of the ECB's daily file, http or https; nil: rates
	// are not fetched.
	RatesURL *url.URL
	// Transport carries the fetch; nil: one of its own with limits.
	Transport http.RoundTripper
	// Meter receives the counts; nil: the global provider's.
	Meter metric.Meter
}

// Refresher holds the reference data of the moment. It is safe for concurrent
// use.
type Refresher struct {
	o      Options
	source *source
	count  *instruments
	// nothing is a catalogue without anything in it.
	nothing *refdata.Catalog
	// started and jitter spread the instances' fetches.
	started time.Time
	jitter  time.Duration

	// shown is what callers see. It is replaced, never changed.
	shown atomic.Pointer[standing]
	// turn has room for the one who works on what follows and replaces shown.
	turn chan struct{}
	// epoch is the last withdrawal of the shared catalogue that was heard of.
	epoch string
	// looked is when the shared catalogue was last read, attempted when the rates
	// were last fetched by this instance, successfully or not.
	looked, attempted time.Time
}

// standing is one state of all that is shown.
type standing struct {
	// base is the catalogue as it was released, with the rates of its release.
	base *refdata.Catalog
	// table is the newest table of rates.
	table table
	// heard is when the rates' source was last read, by any instance.
	heard time.Time
	// catalog is base with the rates of table.
	catalog *refdata.Catalog
}

// New shows the embedded data; Run looks for newer.
func New(o Options) (*Refresher, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("refresh: %w", err)
	}
	nothing, err := refdata.New(refdata.Data{})
	if err != nil {
		return nil, fmt.Errorf("refresh: %w", err)
	}
	r := &Refresher{
		o: o, nothing: nothing, turn: make(chan struct{}, 1),
		started: time.Now(), jitter: rand.N(fetchSpread), //nolint:gosec // spreads load
	}
	if o.RatesURL != nil {
		r.source = newSource(o.RatesURL, o.Transport)
	}
	r.show(standing{base: o.Embedded, table: r.newTable(o.Embedded.Rates(), time.Time{}, FromProgram)})
	if r.count, err = newInstruments(o.Meter, r); err != nil {
		return nil, fmt.Errorf("refresh: %w", err)
	}
	return r, nil
}

func (o Options) check() error {
	if o.Embedded == nil || o.Cache == nil {
		return errors.New("options Embedded and Cache are mandatory")
	}
	if u := o.RatesURL; u != nil && (u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		return fmt.Errorf("the address of the exchange rates %q is not an absolute http or https address", u.Redacted())
	}
	return nil
}

// Catalog is the reference data of the moment. Take it once for each request:
// the next call may give another.
func (r *Refresher) Catalog() *refdata.Catalog { return r.shown.Load().catalog }

// Run looks at once, and from then on every minute, until ctx ends. Call it
// once. Each look is bounded by some seconds.
func (r *Refresher) Run(ctx context.Context) {
	for {
		if err := r.look(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "exchange rates were not refreshed for all instances", "error", err, "held", r.Age().String())
		}
		if !pause(ctx, lookEvery-rand.N(lookEvery/4)) { //nolint:gosec // spreads load
			return
		}
	}
}

// look takes what others left and, when it is time and nobody else does, fetches
// the rates.
func (r *Refresher) look(ctx context.Context) error {
	if err := r.enter(ctx); err != nil {
		return err
	}
	defer r.leave()
	if r.noticeWithdrawal(ctx) || time.Since(r.looked) >= catalogEvery {
		r.loadCatalog(ctx)
	}
	r.loadRates(ctx)
	if r.due(time.Now()) && r.mayFetch(ctx) {
		return r.fetchRates(ctx)
	}
	return nil
}

// show puts s in the place of what is shown.
func (r *Refresher) show(s standing) {
	s.catalog = s.base.WithRates(s.table.rates)
	r.shown.Store(&s)
}

// enter waits for the turn to work.
func (r *Refresher) enter(ctx context.Context) error {
	select {
	case r.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *Refresher) leave() { <-r.turn }

// pause reports whether ctx still runs after d.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
