package fanout

import (
	"errors"
	"fmt"
	"time"

	"github.com/sony/gobreaker/v2"
)

const (
	// breakerRun of failures and nothing else opens the circuit.
	breakerRun = 10
	// breakerVolume outcomes within the window, breakerShare of them failures, open
	// it too. The share is high because second attempts mend a coin-toss provider.
	breakerVolume = 50
	breakerShare  = 0.8
	// breakerTimeouts is the window in timeouts of a call: a run of calls that each
	// hang until then, one after the other, must fit in.
	breakerTimeouts = breakerRun + 2
	breakerBuckets  = 12
	// breakerPause is how long the circuit stays open before one probe is let through.
	breakerPause = 5 * time.Second
)

// errUnjudged is reported to the breaker for attempts that say nothing about the
// provider: lost hedges, callers who left, attempts never sent. They give a
// half-open slot back.
var errUnjudged = errors.New("attempt not judged")

// breaker stops asking a provider that only fails. It judges attempts, not calls.
type breaker struct {
	circuit *gobreaker.CircuitBreaker[struct{}]
}

func newBreaker(name string, timeout time.Duration) breaker {
	window := breakerTimeouts * timeout
	return breaker{gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name:         name,
		MaxRequests:  1,
		Interval:     window,
		BucketPeriod: window / breakerBuckets,
		Timeout:      breakerPause,
		ReadyToTrip:  readyToTrip,
		IsExcluded:   func(err error) bool { return errors.Is(err, errUnjudged) },
	})}
}

func readyToTrip(counts gobreaker.Counts) bool {
	judged := counts.TotalSuccesses + counts.TotalFailures
	return counts.ConsecutiveFailures >= breakerRun ||
		judged >= breakerVolume && float64(counts.TotalFailures) >= breakerShare*float64(judged)
}

// judge runs an attempt and counts the verdict that it returns: nil, a failure, or
// [errUnjudged]. Where the circuit forbids it, nothing is run and the error is
// [ErrCircuitOpen].
func (b breaker) judge(attempt func() error) error {
	allowed := false
	_, err := b.circuit.Execute(func() (struct{}, error) {
		allowed = true
		return struct{}{}, attempt()
	})
	if !allowed {
		return fmt.Errorf("%w: %w", ErrCircuitOpen, err)
	}
	return nil
}

// state returns "closed", "half-open" or "open".
func (b breaker) state() string { return b.circuit.State().String() }
