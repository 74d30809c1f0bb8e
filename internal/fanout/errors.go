package fanout

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	// ErrCircuitOpen says that nothing was sent because the provider's circuit
	// breaker is open.
	ErrCircuitOpen = errors.New("circuit open")
	// ErrRateLimited says that nothing was sent because Options.Limit refused.
	ErrRateLimited = errors.New("rate limit reached")
	// ErrStillOut marks the result of a call that had not come back when its
	// gathering ended.
	ErrStillOut = errors.New("still out")
	// ErrDraining is the cause with which the last laggards are cancelled when
	// [Gatherer.Drain] runs out of time.
	ErrDraining = errors.New("gatherer draining")
	// ErrTooManyLaggards is the cause with which a laggard is cancelled when as
	// many as the gatherer allows are out already.
	ErrTooManyLaggards = errors.New("too many laggards")
)

// AttemptsError is returned by [Transport.RoundTrip] when no attempt of a call
// brought a response. It unwraps to all causes, so errors.Is finds
// [ErrCircuitOpen], [ErrRateLimited], context.DeadlineExceeded and transport errors.
type AttemptsError struct {
	Name   string  // The provider, as in Options.Name.
	Causes []error // One per failed attempt, in order of failure; last, why the call ended.
}

// Error names the provider and every cause.
func (e *AttemptsError) Error() string {
	causes := make([]string, len(e.Causes))
	for i, cause := range e.Causes {
		causes[i] = cause.Error()
	}
	return e.Name + ": " + strings.Join(causes, "; ")
}

// Unwrap returns the causes.
func (e *AttemptsError) Unwrap() []error { return e.Causes }

// Timeout reports whether the time ran out; it makes AttemptsError a timeout in
// the sense of [net.Error].
func (e *AttemptsError) Timeout() bool { return errors.Is(e, context.DeadlineExceeded) }

// StatusError is the cause left by an attempt that was answered with a failing
// status, where the call could not hand out that answer itself.
type StatusError struct{ Status int }

// Error names the status.
func (e *StatusError) Error() string { return fmt.Sprintf("answered with status %d", e.Status) }

// StillOutError is Result.Err of a call that was still out when its gathering
// ended. It unwraps to [ErrStillOut] and to why the gathering ended:
// context.DeadlineExceeded for its time limits, else the caller's own cause.
type StillOutError struct {
	Name  string        // The call.
	After time.Duration // How long it had been out.
	Cause error         // Why the gathering ended.
}

// Error names the call and how long it was waited for.
func (e *StillOutError) Error() string {
	return fmt.Sprintf("%s: still out after %v: %v", e.Name, e.After, e.Cause)
}

// Unwrap returns ErrStillOut and the cause.
func (e *StillOutError) Unwrap() []error { return []error{ErrStillOut, e.Cause} }

// PanicError is Result.Err of a call that panicked.
type PanicError struct {
	Value any    // What was passed to panic.
	Stack []byte // The stack of the panicking goroutine.
}

// Error names the value; the stack is for logs.
func (e *PanicError) Error() string { return fmt.Sprintf("call panicked: %v", e.Value) }
