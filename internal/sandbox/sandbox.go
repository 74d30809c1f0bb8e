package sandbox

import (
	"net/http"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox/amadeus"
	"github.com/hedgehop/hedgehop/internal/sandbox/duffel"
	"github.com/hedgehop/hedgehop/internal/sandbox/skyscanner"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// providers are built by the names that paths and statistics have for them.
var providers = map[string]func(wire.Service) wire.Provider{
	"duffel": duffel.New, "amadeus": amadeus.New, "skyscanner": skyscanner.New,
}

// Options configure a Sandbox. The zero Options are the world of seed 0 without
// latency.
type Options struct {
	// Seed of the world: same seed, same fares.
	Seed uint64
	// Latency of the calls that search or price. Token calls have none.
	Latency Law
	// Now is the clock of all providers; nil means time.Now. Fares depend on its
	// date in UTC alone.
	Now func() time.Time
}

// Sandbox is a set of fare providers. It is safe for concurrent use.
type Sandbox struct {
	gates   map[string]*gate
	routes  map[string]http.Handler
	stopped chan struct{}
	stop    sync.Once
}

// New builds the providers over the reference data of a catalogue.
func New(catalog *refdata.Catalog, opts Options) *Sandbox {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	s := &Sandbox{gates: map[string]*gate{}, routes: map[string]http.Handler{}, stopped: make(chan struct{})}
	w := world.New(catalog, opts.Seed)
	for name, build := range providers {
		g := &gate{law: opts.Latency, stopped: s.stopped}
		p := build(wire.Service{World: w, Now: opts.Now, Guard: g.guard, Factor: factorOf})
		g.refuse = p.Refuse
		s.gates[name], s.routes[name] = g, p.Routes
	}
	return s
}

// Handler serves everything:
//
//	/duffel, /amadeus, /skyscanner   the providers, each at its vendor's own paths
//	GET, DELETE /stats               requests that each provider received
//	PUT, DELETE /faults/{provider}   puts a provider out of order, and in order again
//	GET /health/live                 200 as long as the process runs
func (s *Sandbox) Handler() http.Handler {
	mux := http.NewServeMux()
	for name, routes := range s.routes {
		mux.Handle("/"+name+"/", http.StripPrefix("/"+name, routes))
	}
	s.control(mux)
	mux.HandleFunc("GET /health/live", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, "application/json", map[string]string{"status": "live"})
	})
	return mux
}

// Control serves the statistics and the fault switches alone, at /stats and
// /faults/{provider}.
func (s *Sandbox) Control() http.Handler {
	mux := http.NewServeMux()
	s.control(mux)
	return mux
}

// Close ends the requests that hang, so that a server can stop while a provider
// is out of order. All else goes on.
func (s *Sandbox) Close() { s.stop.Do(func() { close(s.stopped) }) }
