package search

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

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
	// ctx's. Finding nothing is no failure.
	Search(ctx context.Context, q flight.Query) (providers.Answer, error)
}

// Source is a Provider as this service uses it.
type Source struct {
	Provider Provider
	// Sandbox marks every offer as invented.
	Sandbox bool
}

// Options configure a Service. All fields but Now are mandatory.
type Options struct {
	// Sources take part in every search; answers list them in this order.
	Sources []Source
	// Catalog gives the reference data of the moment.
	Catalog func() *refdata.Catalog
	// Gatherer runs provider calls and owns those that outlive their search.
	Gatherer *fanout.Gatherer
	// SoftTimeout is when an answer stops waiting for further providers once one
	// has answered. Longer than Timeout, it counts as Timeout.
	SoftTimeout time.Duration
	// Timeout is the hard limit of one search.
	Timeout time.Duration
	// Now is the clock, time.Now where nil.
	Now func() time.Time
}

// Service answers searches. It is safe for concurrent use.
type Service struct {
	options Options
	now     func() time.Time
}

// New checks the options and makes a Service.
func New(o Options) (*Service, error) {
	switch {
	case len(o.Sources) == 0:
		return nil, errors.New("search: no provider takes part")
	case o.Catalog == nil || o.Gatherer == nil:
		return nil, errors.New("search: Catalog and Gatherer are mandatory")
	case o.Timeout <= 0 || o.SoftTimeout <= 0:
		return nil, fmt.Errorf("search: timeouts must be positive, not %s and %s", o.SoftTimeout, o.Timeout)
	}
	now := o.Now
	if now == nil {
		now = time.Now
	}
	return &Service{options: o, now: now}, nil
}

// Search answers one request. To the faults found while decoding it adds its
// own and returns them all as an *InvalidError. A search to which not one
// provider answered is a *NoAnswerError, one whose cursor is of another answer
// ErrCursor. When ctx's deadline passes, what has arrived by then is the answer;
// when the caller leaves, the error is context.Canceled.
func (s *Service) Search(ctx context.Context, req Request, faults []flight.Fault) (*Result, error) {
	started := s.now()
	catalog := s.options.Catalog()
	req.Query = req.Query.Normalised()
	if faults = check(req, faults, catalog, started); len(faults) > 0 {
		return nil, &InvalidError{Faults: faults}
	}
	heard := s.ask(ctx, req)
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, err
	}
	outcomes := outcomesOf(heard)
	if nobodyAnswered(outcomes) {
		return nil, &NoAnswerError{Providers: outcomes, RetryAfter: retryAfter(heard)}
	}
	merging := s.now()
	result, err := present(req, heard, catalog, merging)
	if err != nil {
		return nil, err
	}
	result.SearchID, result.Request = rand.Text(), req
	result.Providers, result.Complete = outcomes, complete(heard)
	result.Timing = Timing{Total: s.now().Sub(started), Merge: s.now().Sub(merging)}
	return result, nil
}

// Drain waits for the provider calls that outlived their search, until ctx ends.
func (s *Service) Drain(ctx context.Context) error { return s.options.Gatherer.Drain(ctx) }
