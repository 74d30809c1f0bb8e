package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/search"
)

// Searcher answers searches. It must be safe for concurrent use.
type Searcher interface {
	// Search answers a request within ctx's deadline. To the faults found while
	// decoding it adds its own and, where there are any, asks nobody and returns
	// them all as a *search.InvalidError, those handed in first. It fails with a
	// *search.NoAnswerError where not one provider answered, and with
	// search.ErrCursor where the view's cursor continues no answer of now. With
	// search.ErrFull it was not asked for at all.
	Search(ctx context.Context, req search.Request, faults []flight.Fault) (*search.Result, error)
	// Remember is given the encoded body of a result that had none, for the
	// Encoded of results to come. The bytes stay as they are.
	Remember(result *search.Result, encoded []byte)
}

// Options are what the handler works with. Fields without a remark are
// mandatory.
type Options struct {
	Searcher Searcher
	// Catalog gives the reference data of the moment; it is called for every
	// request that shows some.
	Catalog func() *refdata.Catalog
	// Ready says whether searches can be answered. It must return soon: probes
	// wait for it.
	Ready func(ctx context.Context) Readiness
	// SearchTimeout is the hard limit of one search and the most that a caller's
	// timeout_ms may ask for.
	SearchTimeout time.Duration
	// Metrics answers /metrics; nil: there is none.
	Metrics http.Handler
	// Sandbox answers below /sandbox/, which is cut off the paths that it sees;
	// nil: there is none.
	Sandbox http.Handler
	// Events says who may tell of changes; the zero Events closes the endpoint.
	Events Events
	// APIKeys are those of the frontends, one of which every request for flights
	// or reference data must carry; empty: none is asked for.
	APIKeys []string
	// ClientLimits hold together, for each client and all that APIKeys open; empty:
	// there are none.
	ClientLimits []ClientLimit
	// TrustedProxyHops is how many entries of X-Forwarded-For, from the right, were
	// written by proxies of ours; 0: the peer is the client.
	TrustedProxyHops int
	// CORSOrigins are the web origins that browsers may call from, "*" for all;
	// empty: none but our own.
	CORSOrigins []string
}

type server struct {
	options Options
	decoder decoder
	gate    gate
}

// New makes the handler of the whole service.
func New(o Options) http.Handler {
	s := &server{options: o, decoder: newDecoder(o.SearchTimeout), gate: newGate(o.Events)}
	r := chi.NewRouter()
	r.Use(
		observe, // First, so that the one log line covers all below, panics included.
		recoverPanics,
		answerHeaders,
		crossOrigin(o.CORSOrigins), // Before routing: a preflight has no route.
		compress,
		middleware.GetHead,
	)
	r.NotFound(handler(noSuchAddress).ServeHTTP)
	r.MethodNotAllowed(methodNotAllowed(r).ServeHTTP)
	s.mount(r)
	return r
}

func (s *server) mount(r chi.Router) {
	s.mountForClients(r.With(
		limitClients(s.options.ClientLimits, s.options.TrustedProxyHops), // Before the keys, so that they cannot be tried at will.
		requireKey(s.options.APIKeys),
	))
	r.Method(http.MethodPost, "/v1/events", handler(s.postEvent))
	r.Method(http.MethodGet, "/health/live", handler(live))
	r.Method(http.MethodGet, "/health/ready", handler(s.ready))
	r.Method(http.MethodGet, "/openapi.yaml", handler(contract))
	if s.options.Metrics != nil {
		r.Method(http.MethodGet, "/metrics", s.options.Metrics)
	}
	if s.options.Sandbox != nil {
		r.Mount("/sandbox", http.StripPrefix("/sandbox", s.options.Sandbox))
	}
}

// mountForClients mounts what keys open and clients are held to limits for.
func (s *server) mountForClients(r chi.Router) {
	r.Method(http.MethodGet, "/v1/flights/search", handler(s.searchByQuery))
	r.Method(http.MethodPost, "/v1/flights/search", handler(s.searchByBody))
	r.Method(http.MethodGet, "/v1/airports/{iata}", handler(s.airport))
	r.Method(http.MethodGet, "/v1/airlines/{iata}", handler(s.airline))
	r.Method(http.MethodGet, "/v1/currencies", handler(s.currencies))
}

// handler is a route that fails with an error; what the caller sees of it is
// decided in one place, problemOf.
type handler func(http.ResponseWriter, *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		fail(w, r, err)
	}
}
