package search

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// heard is what came of asking one source.
type heard struct {
	source   Source
	answer   providers.Answer
	err      error
	attempts int
	latency  time.Duration
	fetched  time.Time
}

// ask puts the query to all sources side by side and returns, in the order of
// the sources, what has come by the soft or the hard limit.
func (s *Service) ask(ctx context.Context, req Request) []heard {
	hard := s.options.Timeout
	if req.Timeout > 0 {
		hard = min(hard, req.Timeout)
	}
	tallies := make([]atomic.Pointer[fanout.Tally], len(s.options.Sources))
	calls := make([]fanout.Call[heard], len(s.options.Sources))
	for i, source := range s.options.Sources {
		calls[i] = fanout.Call[heard]{Name: source.Provider.Name(), Run: func(ctx context.Context) (heard, error) {
			ctx, tally := fanout.WithTally(ctx)
			tallies[i].Store(tally)
			return s.askOne(ctx, source, req)
		}}
	}
	limits := fanout.Limits{Soft: min(s.options.SoftTimeout, hard), Hard: hard}
	all := make([]heard, len(calls))
	for i, result := range fanout.Gather(ctx, s.options.Gatherer, limits, calls, nil) {
		all[i] = result.Value
		all[i].source, all[i].err = s.options.Sources[i], result.Err
		all[i].latency = result.Elapsed
		if tally := tallies[i].Load(); tally != nil {
			all[i].attempts = tally.Attempts()
		}
	}
	return all
}

// askOne asks one provider and stamps its offers with what the adapter does not
// know. The moment of the fetch is taken before the call begins: a price is as
// old as the question.
func (s *Service) askOne(ctx context.Context, source Source, req Request) (heard, error) {
	fetched := s.now().UTC().Truncate(time.Millisecond)
	answer, err := source.Provider.Search(ctx, req.Query)
	for i := range answer.Offers {
		offer := &answer.Offers[i]
		offer.Provider, offer.Sandbox, offer.FetchedAt = source.Provider.Name(), source.Sandbox, fetched
	}
	return heard{answer: answer, fetched: fetched}, err
}
