package search

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// fares is what the cache knows of one provider's answer to one query.
type fares = cache.Found[providers.Answer]

// faresVersion is the version of the encoding of a providers.Answer. Change it
// with any change of meaning in that type or in package flight.
const faresVersion = 3

const (
	// shortTTL is how long "found nothing" and a list that was cut are kept:
	// enough to spare the provider a burst, not enough to hide a new flight.
	shortTTL = 30 * time.Second
	// hotUses is from how many uses in one process an entry is renewed ahead, and
	// hotShare the share of its life that must have passed.
	hotUses  = 3
	hotShare = 0.6
)

func faresOf(c *cache.Cache, replaced func(cache.Replacement[providers.Answer])) *cache.Typed[providers.Answer] {
	return cache.For(c, cache.TypedOptions[providers.Answer]{
		Encode: encodeAnswer, Decode: decodeAnswer, Version: faresVersion, Replaced: replaced,
	})
}

// lookUp reads what the cache has for every source, in one round trip.
func (s *Service) lookUp(ctx context.Context, req Request, catalog *refdata.Catalog) []fares {
	ctx, span := s.seen.tracer.Start(ctx, "cache.lookup")
	defer span.End()
	found := s.fares.Lookup(ctx, bucketOf(req.Query, catalog), s.questions(req, catalog))
	noteLookup(span, found)
	return found
}

func (s *Service) questions(req Request, catalog *refdata.Catalog) []cache.Question {
	key := req.Query.Key()
	questions := make([]cache.Question, len(s.options.Sources))
	for i, source := range s.options.Sources {
		name := source.Provider.Name()
		questions[i] = cache.Question{Kind: name, Query: key, Tokens: tokensFor(req.Query, name, catalog), Lease: source.Metered}
		if req.MaxAge != nil {
			questions[i].NotBefore = s.now().Add(-*req.MaxAge)
		}
	}
	return questions
}

// filling says how long an answer is remembered: the configured times for fares,
// a short one for what may be better in a moment, and never past the first
// offer's expiry.
func (s *Service) filling(answer providers.Answer) cache.Filling[providers.Answer] {
	f := cache.Filling[providers.Answer]{
		Value: answer, FreshFor: s.options.FareTTL, StaleFor: s.options.StaleTTL, Summary: summaryOf(answer),
	}
	if len(answer.Offers) == 0 || answer.Cut {
		f.FreshFor, f.StaleFor = min(f.FreshFor, shortTTL), 0
	}
	for _, o := range answer.Offers {
		if !o.ExpiresAt.IsZero() && (f.Expires.IsZero() || o.ExpiresAt.Before(f.Expires)) {
			f.Expires = o.ExpiresAt
		}
	}
	return f
}

// refreshAhead renews an entry that is asked for often before it ends, so that
// nobody waits for it.
func (s *Service) refreshAhead(ctx context.Context, i int, q flight.Query, f fares) {
	life := f.FreshUntil.Sub(f.FetchedAt)
	if f.Uses < hotUses || s.now().Sub(f.FetchedAt) < time.Duration(hotShare*float64(life)) {
		return
	}
	fetch := s.fetch(i, q, reasonRefresh, new(atomic.Pointer[fanout.Tally]))
	ctx = providers.WithCall(ctx, providers.CallRefresh)
	s.fares.Refresh(ctx, f, s.options.Admission.spare(fetch))
}
