package search

import (
	"context"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// heard is what is known of one source's answer at the end of a search.
type heard struct {
	source Source
	answer providers.Answer
	// offers counts those of the answer, also where the answer itself is not here.
	offers int
	// fetch names the provider call that the answer is from; empty where it is
	// not remembered.
	fetch string
	// fetched is when that call began.
	fetched time.Time
	use     CacheUse
	// fresh is how long the cache would go on giving this answer.
	fresh    time.Time
	err      error
	attempts int
	latency  time.Duration
	span     trace.Span
}

// usable reports that there are fares to show, fresh or stale.
func (h heard) usable() bool { return h.err == nil || h.use == CacheStale }

// ask finds an answer of every source, in their order: what was found where it
// is fresh, else from the provider, side by side, within the soft and the hard
// limit; and what a provider that cannot answer said before, where that is not
// too old and nobody has said that it changed.
func (s *Service) ask(ctx context.Context, req Request, found []fares) []heard {
	all := make([]heard, len(found))
	for i := range found {
		all[i] = heard{source: s.options.Sources[i], use: CacheMiss}
	}
	began := time.Now()
	s.seen.asking(ctx, all, began)
	defer asked(all, began)
	var out []int
	for i, f := range found {
		if f.State == cache.Hit {
			all[i].remember(f, CacheHit)
			s.refreshAhead(ctx, i, req.Query, f)
			continue
		}
		out = append(out, i)
	}
	s.askProviders(ctx, req, found, out, all)
	for _, i := range out {
		if all[i].err != nil && found[i].State == cache.Stale {
			all[i].remember(found[i], CacheStale)
		}
	}
	return all
}

func (h *heard) remember(f fares, use CacheUse) {
	h.answer, h.offers, h.use = f.Value, len(f.Value.Offers), use
	h.fetch, h.fetched, h.fresh = f.ID, f.FetchedAt, f.FreshUntil
}

// askProviders asks those whose index is in out and writes what they said to
// all.
func (s *Service) askProviders(ctx context.Context, req Request, found []fares, out []int, all []heard) {
	if len(out) == 0 {
		return
	}
	place := s.place()
	defer place.end()
	tallies := make([]atomic.Pointer[fanout.Tally], len(all))
	calls := make([]fanout.Call[heard], len(out))
	for n, i := range out {
		span := all[i].span
		calls[n] = fanout.Call[heard]{Name: all[i].source.Provider.Name(), Run: func(ctx context.Context) (heard, error) {
			fetch := s.fetch(i, req.Query, reasonOf(found[i].State), &tallies[i])
			return s.askOne(trace.ContextWithSpan(ctx, span), found[i], place.around(fetch))
		}}
	}
	for n, result := range fanout.Gather(ctx, s.options.Gatherer, s.limits(req, len(out) < len(all)), calls, nil) {
		h := &all[out[n]]
		source, span := h.source, h.span
		*h = result.Value
		h.source, h.span, h.use, h.err, h.latency = source, span, CacheMiss, result.Err, result.Elapsed
		if tally := tallies[out[n]].Load(); tally != nil {
			h.attempts = tally.Attempts()
		}
	}
}

func (s *Service) limits(req Request, haveSome bool) fanout.Limits {
	hard := s.options.Timeout
	if req.Timeout > 0 {
		hard = min(hard, req.Timeout)
	}
	return fanout.Limits{Soft: min(s.options.SoftTimeout, hard), Hard: hard, Have: haveSome}
}

// askOne asks one provider, or waits for another search of this process (with a
// lease: of any) that asks it the same already.
func (s *Service) askOne(ctx context.Context, found fares, fetch cache.Fetch[providers.Answer]) (heard, error) {
	got, err := s.fares.Ask(ctx, found, fetch)
	if err != nil {
		return heard{}, err
	}
	h := heard{answer: got.Value, offers: len(got.Value.Offers), fetch: got.ID, fetched: got.FetchedAt, fresh: got.FreshUntil}
	if found.State == cache.Bypass {
		h.fetch = "" // Nothing was remembered under it.
	}
	return h, nil
}

// fetch asks one provider and stamps its offers with what the adapter does not
// know. The moment of the fetch is taken before the call begins: a price is as
// old as the question.
func (s *Service) fetch(i int, q flight.Query, why reason, tally *atomic.Pointer[fanout.Tally]) cache.Fetch[providers.Answer] {
	source := s.options.Sources[i]
	return func(ctx context.Context) (cache.Filling[providers.Answer], error) {
		ctx, counted := fanout.WithTally(fanout.WithKind(ctx, "search"))
		tally.Store(counted)
		ctx, release := s.options.Memory.Hold(ctx)
		defer release()
		began := s.now()
		answer, err := source.Provider.Search(ctx, q)
		s.seen.called(ctx, source.Provider.Name(), why, s.now().Sub(began), err)
		if err != nil {
			return cache.Filling[providers.Answer]{}, err
		}
		identify(answer.Offers, s.options.Catalog())
		for i := range answer.Offers {
			offer := &answer.Offers[i]
			offer.Provider, offer.Sandbox, offer.FetchedAt = source.Provider.Name(), source.Sandbox, began.UTC().Truncate(time.Millisecond)
		}
		return s.filling(answer), nil
	}
}
