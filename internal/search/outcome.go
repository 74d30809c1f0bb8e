package search

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/providers"
)

func (s *Service) outcomesOf(all []heard) []Outcome {
	now := s.now()
	outcomes := make([]Outcome, len(all))
	for i, h := range all {
		status, text := statusOf(h.err)
		outcomes[i] = Outcome{
			Name: h.source.Provider.Name(), Status: status, Offers: h.offers,
			Latency: h.latency, Attempts: h.attempts, Cache: h.use,
			Sandbox: h.source.Sandbox, Error: text, Warnings: h.answer.Warnings,
		}
		if h.use != CacheMiss {
			outcomes[i].Age, outcomes[i].Fresh = max(0, now.Sub(h.fetched)), h.fresh.Sub(now)
		}
	}
	return outcomes
}

// statusOf maps a failure to the contract's word for it and a sentence. What a
// provider said is passed on; what a transport said is not, for it may name
// addresses.
func statusOf(err error) (Status, string) {
	var failure *providers.Error
	isFailure := errors.As(err, &failure)
	if repeated, ok := errors.AsType[*repeatedError](err); ok {
		return repeated.status, repeated.Error()
	}
	switch {
	case err == nil:
		return StatusOK, ""
	case errors.Is(err, ErrFull):
		return StatusUnavailable, "not asked: this instance asks for as many searches as it can"
	case errors.Is(err, fanout.ErrCircuitOpen):
		return StatusUnavailable, "not asked: it failed repeatedly and is left alone for a moment"
	case errors.Is(err, fanout.ErrRateLimited), isFailure && failure.Kind == providers.KindRateLimited:
		return StatusRateLimited, "its rate limit is reached"
	case isFailure && failure.Kind == providers.KindUnsupported:
		return StatusUnsupported, sentence(failure, "cannot do this kind of search")
	case errors.Is(err, fanout.ErrStillOut):
		return StatusTimeout, "had not answered when the search ended"
	case isFailure && failure.Kind == providers.KindTimeout, errors.Is(err, context.DeadlineExceeded):
		return StatusTimeout, "did not answer in time"
	case isFailure:
		return StatusError, sentence(failure, string(failure.Kind))
	default:
		return StatusError, "failed"
	}
}

func sentence(failure *providers.Error, otherwise string) string {
	if failure.Detail != "" {
		return failure.Detail
	}
	return otherwise
}

// complete reports that every source that supports the query gave all its
// fares, fresh or stale.
func complete(all []heard) bool {
	for _, h := range all {
		if !h.usable() && !h.unsupported() || h.answer.Cut {
			return false
		}
	}
	return true
}

func (h heard) unsupported() bool {
	status, _ := statusOf(h.err)
	return status == StatusUnsupported
}

// nobodyAnswered: every provider that supports the query failed and nothing it
// said before is left. That none supports it is an answer, an empty one.
func nobodyAnswered(all []heard) bool {
	failed := false
	for _, h := range all {
		if h.usable() {
			return false
		}
		failed = failed || !h.unsupported()
	}
	return failed
}

// turnedAway: some provider was not asked because there was no place.
func turnedAway(all []heard) bool {
	return slices.ContainsFunc(all, func(h heard) bool { return errors.Is(h.err, ErrFull) })
}

// retryAfter is the longest wait asked for: before it, that provider would
// refuse again.
func retryAfter(all []heard) time.Duration {
	wait := time.Second
	for _, h := range all {
		if failure, ok := errors.AsType[*providers.Error](h.err); ok {
			wait = max(wait, failure.RetryAfter)
		}
	}
	return wait
}
