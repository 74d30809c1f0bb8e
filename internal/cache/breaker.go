package cache

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"
)

const (
	// breakerFailures in a row open a breaker.
	breakerFailures = 3
	// breakerPause is how long an open breaker waits before one request tries
	// again: within it a dead Redis costs nothing, and recovery is noticed.
	breakerPause = 500 * time.Millisecond
)

// errAbandoned marks a failure that tells nothing of Redis: the caller left.
var errAbandoned = errors.New("abandoned by the caller")

type breaker = gobreaker.CircuitBreaker[struct{}]

func newBreaker(name string) *breaker {
	return gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name:         name,
		Timeout:      breakerPause,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakerFailures },
		IsSuccessful: answered,
		IsExcluded:   func(err error) bool { return errors.Is(err, errAbandoned) },
	})
}

// answered reports whether err came from a server that answers in time. An
// error reply is such an answer, of a full Redis say, which still serves
// lookups; only what costs a caller time opens the breaker.
func answered(err error) bool {
	var reply redis.Error
	return err == nil || errors.Is(err, redis.Nil) || errors.As(err, &reply) && !errors.Is(err, context.DeadlineExceeded)
}

// errOverLimit is the cause of a context that our own limit ended.
var errOverLimit = errors.New("cache: Redis took longer than the limit")

// guarded runs op within limit and behind b. What the caller's own context
// ended is not held against Redis.
func guarded(ctx context.Context, b *breaker, limit time.Duration, op func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := b.Execute(func() (struct{}, error) {
		err := op(bounded)
		if err != nil && ctx.Err() != nil && !errors.Is(context.Cause(ctx), errOverLimit) {
			err = errors.Join(errAbandoned, err)
		}
		return struct{}{}, err
	})
	return err
}
