package cache

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"
)

func TestBreakerOpensAndRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, tried := newBreaker("b"), 0
		try := func(err error) error {
			return guarded(t.Context(), b, time.Second, func(context.Context) error { tried++; return err })
		}
		timeout := errors.New("i/o timeout")
		for range breakerFailures {
			_ = try(timeout)
		}
		if err := try(nil); !errors.Is(err, gobreaker.ErrOpenState) || tried != breakerFailures {
			t.Fatalf("after %d failures: %v, %d tried", breakerFailures, err, tried)
		}
		<-time.After(breakerPause + time.Millisecond)
		_ = try(timeout) // The probe fails …
		if try(nil) == nil {
			t.Fatal("a failed probe closed the breaker")
		}
		<-time.After(breakerPause + time.Millisecond)
		mustSucceed(t, try(nil)) // … the next does not.
		mustSucceed(t, try(nil))
	})
}

func TestWhatIsNoFailure(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	late, end := context.WithTimeoutCause(t.Context(), 0, errOverLimit)
	defer end()
	for name, test := range map[string]struct {
		ctx   context.Context //nolint:containedctx // a table of contexts
		err   error
		opens bool
	}{
		"nothing found":          {t.Context(), redis.Nil, false},
		"an error reply":         {t.Context(), fmt.Errorf("wrapped: %w", replyError("OOM command not allowed")), false},
		"a caller that left":     {gone, context.Canceled, false},
		"the caller's deadline":  {gone, context.DeadlineExceeded, false},
		"a lookup over its time": {late, context.DeadlineExceeded, true},
		"a timeout":              {t.Context(), context.DeadlineExceeded, true},
		"a broken connection":    {t.Context(), errors.New("EOF"), true},
		"an exhausted pool":      {t.Context(), redis.ErrPoolTimeout, true},
		"an unbounded reply":     {t.Context(), errReplyTooLarge, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBreaker("b")
			for range breakerFailures {
				_ = guarded(test.ctx, b, time.Second, func(context.Context) error { return test.err })
			}
			if open := b.State() == gobreaker.StateOpen; open != test.opens {
				t.Errorf("open %v, want %v", open, test.opens)
			}
		})
	}
}

// replyError is an error reply as the client has them.
type replyError string

func (e replyError) Error() string { return string(e) }
func (replyError) RedisError()     {}
