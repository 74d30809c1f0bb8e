package main

import (
	"context"
	"errors"
	"time"

	limits "golang.org/x/time/rate"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// refreshKeeps is the share of every limit that a refresh ahead leaves to
// searches that somebody waits for.
const refreshKeeps = 0.3

// errNoPlace: the rate limit has no place before the caller's deadline.
var errNoPlace = errors.New("no place within the rate limit before the deadline")

// limiter waits for a place within the credential's limits, which all instances
// share and hedges count in, or fails at once where the place would come after
// the caller's deadline. Searches and polls are limited apart. Nil where there is
// no limit.
func limiter(name string, searches, polls rates, remembered *cache.Cache) func(context.Context) error {
	if len(searches) == 0 {
		return nil
	}
	search := newAllowance(name+":search", searches, remembered)
	poll := search
	if len(polls) > 0 {
		poll = newAllowance(name+":poll", polls, remembered)
	}
	return func(ctx context.Context) error {
		switch providers.CallOf(ctx) {
		case providers.CallPoll:
			return poll.wait(ctx, 0)
		case providers.CallRefresh:
			return search.wait(ctx, refreshKeeps)
		default:
			return search.wait(ctx, 0)
		}
	}
}

// allowance is what one credential may send of one call.
type allowance struct {
	remembered *cache.Cache
	budget     cache.Budget
	own        []*limits.Limiter
}

func newAllowance(name string, all rates, remembered *cache.Cache) *allowance {
	a := &allowance{remembered: remembered, budget: cache.Budget{Name: name}}
	for _, r := range all {
		a.budget.Limits = append(a.budget.Limits, cache.Limit{Count: r.requests, Per: r.per})
		a.own = append(a.own, limits.NewLimiter(limits.Limit(float64(r.requests)/r.per.Seconds()), 1))
	}
	return a
}

// wait spends one request from what all instances share. Where that cannot be
// asked, this instance spaces its own requests evenly instead.
func (a *allowance) wait(ctx context.Context, keep float64) error {
	budget := a.budget
	budget.Keep = keep
	for {
		verdict, err := a.remembered.Spend(ctx, budget, 1)
		switch {
		case err != nil:
			return a.waitAlone(ctx)
		case verdict.OK:
			return nil
		}
		if err := pause(ctx, verdict.RetryAfter); err != nil {
			return err
		}
	}
}

func (a *allowance) waitAlone(ctx context.Context) error {
	for _, own := range a.own {
		if err := own.Wait(ctx); err != nil {
			return errors.Join(errNoPlace, err)
		}
	}
	return nil
}

// pause fails at once where it would outlast ctx.
func pause(ctx context.Context, wait time.Duration) error {
	if deadline, limited := ctx.Deadline(); limited && time.Now().Add(wait).After(deadline) {
		return errNoPlace
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
