package search

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// Provider is a source of fares: an adapter over one wire format.
type Provider interface {
	// Name is the provider's name in the contract: "duffel".
	Name() string
	// Search asks for offers in USD. It keeps to ctx's deadline, may be called
	// concurrently, and fails with a *providers.Error or an error that wraps
	// ctx's. Finding nothing is no failure. The answer is the caller's to change.
	Search(ctx context.Context, q flight.Query) (providers.Answer, error)
}

// Source is a Provider as this service uses it.
type Source struct {
	Provider Provider
	// Sandbox marks every offer as invented.
	Sandbox bool
	// Metered: the provider bills or limits searches, so that the same question
	// is asked once among all instances.
	Metered bool
}

// askedCurrency is what providers are asked in; any other is a view.
const askedCurrency = "USD"

// Options configure a Service. Admission, Memory, Now, Meter and Tracer
// may be left out.
type Options struct {
	// Sources take part in every search; answers list them in this order.
	Sources []Source
	// Catalog gives the reference data of the moment.
	Catalog func() *refdata.Catalog
	// Gatherer runs provider calls and owns those that outlive their search.
	Gatherer *fanout.Gatherer
	// Cache remembers each provider's answer.
	Cache *cache.Cache
	// FareTTL is how long a fare is fresh at most, StaleTTL how long after that
	// it may still answer when its provider cannot.
	FareTTL, StaleTTL time.Duration
	// SoftTimeout is when an answer stops waiting for further providers once one
	// has answered. Longer than Timeout, it counts as Timeout.
	SoftTimeout time.Duration
	// Timeout is the hard limit of one search.
	Timeout time.Duration
	// Admission bounds the searches that ask providers at a time; nil: nothing
	// does.
	Admission *Admission
	// Memory bounds the answers that are read at a time; nil: nothing does.
	Memory *providers.Memory
	// Now is the clock, time.Now where nil.
	Now func() time.Time
	// Meter and Tracer receive metrics and spans; the global providers' where nil.
	Meter  metric.Meter
	Tracer trace.Tracer
}

// Service answers searches. It is safe for concurrent use.
type Service struct {
	options Options
	now     func() time.Time
	fares   *cache.Typed[providers.Answer]
	seen    *telemetry
	watch   watch
	edition edition
	hot     hot
}

// New checks the options and makes a Service.
func New(o Options) (*Service, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	seen, err := newTelemetry(o.Meter, o.Tracer)
	if err != nil {
		return nil, err
	}
	s := &Service{options: o, now: o.Now, seen: seen, watch: watch{rechecks: seen.rechecks, quiet: map[string]time.Time{}}, hot: hot{seen: map[string]*asking{}}}
	if s.now == nil {
		s.now = time.Now
	}
	s.fares = faresOf(o.Cache, s.replaced)
	return s, nil
}

func (o Options) check() error {
	switch {
	case len(o.Sources) == 0:
		return errors.New("search: no provider takes part")
	case o.Catalog == nil || o.Gatherer == nil || o.Cache == nil:
		return errors.New("search: Catalog, Gatherer and Cache are mandatory")
	case o.Timeout <= 0 || o.SoftTimeout <= 0 || o.FareTTL <= 0 || o.StaleTTL < 0:
		return fmt.Errorf("search: timeouts and times to live must be positive: %s, %s, %s, %s",
			o.SoftTimeout, o.Timeout, o.FareTTL, o.StaleTTL)
	}
	return nil
}

// Search answers one request. To the faults found while decoding it adds its
// own and returns them all as an *InvalidError. A search to which not one
// provider answered is a *NoAnswerError, one that found no place to ask from
// ErrFull, one whose cursor is of another answer ErrCursor. When ctx's deadline
// passes, what has arrived by then is the answer; when the caller leaves, the
// error is context.Canceled.
func (s *Service) Search(ctx context.Context, req Request, faults []flight.Fault) (*Result, error) {
	ctx, span := s.seen.tracer.Start(ctx, "search")
	defer span.End()
	started := s.now()
	result, err := s.search(ctx, req, faults, started)
	s.seen.searched(ctx, result, err, s.now().Sub(started))
	return result, err
}

func (s *Service) search(ctx context.Context, req Request, faults []flight.Fault, started time.Time) (*Result, error) {
	catalog := s.options.Catalog()
	req.Query = req.Query.Normalised()
	if faults = check(req, faults, catalog, started); len(faults) > 0 {
		return nil, &InvalidError{Faults: faults}
	}
	s.hot.note(req.Query)
	h, err := s.hear(ctx, req, catalog)
	if err != nil {
		return nil, err
	}
	all := h.all
	outcomes := s.outcomesOf(all)
	if nobodyAnswered(all) && turnedAway(all) {
		return nil, ErrFull
	}
	if nobodyAnswered(all) {
		return nil, &NoAnswerError{Providers: outcomes, RetryAfter: retryAfter(all)}
	}
	merging := s.now()
	result, err := s.result(ctx, req, h, catalog)
	if err != nil {
		return nil, err
	}
	result.SearchID, result.Request = rand.Text(), req
	result.Providers, result.Complete = outcomes, complete(all)
	done := s.now()
	result.Timing = Timing{Total: done.Sub(started), Cache: h.reading, Merge: done.Sub(merging)}
	return result, nil
}

// result makes the body of an answer, or finds it made.
func (s *Service) result(ctx context.Context, req Request, h hearing, catalog *refdata.Catalog) (result *Result, err error) {
	_, span := s.seen.tracer.Start(ctx, "merge")
	defer span.End()
	defer func() { noteMerge(span, result) }()
	body := h.body
	if body.Encoded == nil {
		body = s.recall(req, h.all, catalog)
	}
	if body.Encoded != nil {
		return &Result{Body: body}, nil
	}
	if result, err = present(req, h.all, catalog, s.now()); err != nil {
		return nil, err
	}
	result.Body = body
	return result, nil
}

// hear finds what every source says, from the cache or by asking. A caller who
// left meanwhile is context.Canceled.
func (s *Service) hear(ctx context.Context, req Request, catalog *refdata.Catalog) (hearing, error) {
	started := s.now()
	if req.View.Cursor != "" {
		all, found, err := s.replay(ctx, req, catalog)
		if err != nil || found {
			return hearing{all: all, reading: s.now().Sub(started)}, err
		}
	}
	if h, known := s.glance(ctx, req, catalog); known {
		h.reading = s.now().Sub(started)
		began := time.Now()
		s.seen.asking(ctx, h.all, began)
		asked(h.all, began)
		return h, nil
	}
	found := s.lookUp(ctx, req, catalog)
	h := hearing{reading: s.now().Sub(started)}
	h.all = s.ask(ctx, req, found)
	if errors.Is(ctx.Err(), context.Canceled) {
		return hearing{}, ctx.Err()
	}
	return h, nil
}

// withdraw invalidates a scope that this instance itself found to have changed.
// Where it does not hold, the fares end by themselves soon.
func (s *Service) withdraw(token string) {
	ctx := context.Background()
	if err := s.options.Cache.Invalidate(ctx, []string{token}); err != nil {
		slog.WarnContext(ctx, "a sharp fare change could not be made known", "scope", token, "error", err)
	}
}
