package fanout

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// outcome is what became of one attempt.
type outcome int

const (
	answered     outcome = iota // A good answer.
	refused                     // A failing status: 5xx, 408, 425 or 429.
	broken                      // No answer: the transport failed.
	timedOut                    // No answer in the time of a call.
	lost                        // Cut off, since another attempt won.
	abandoned                   // Cut off, since the caller left.
	circuitOpen                 // Never sent: the circuit is open.
	rateLimited                 // Never sent: the rate limit refused.
	outcomeKinds                // How many there are.
)

var outcomeNames = [outcomeKinds]string{
	"answered", "refused", "broken", "timed_out", "lost", "abandoned", "circuit_open", "rate_limited",
}

func (o outcome) String() string { return outcomeNames[o] }

// unsent reports whether the attempt never left.
func (o outcome) unsent() bool { return o == circuitOpen || o == rateLimited }

// attempt is one sending of a call's request. It is written by the goroutine that
// sends it and read by the call once it is delivered, but for its atomics.
type attempt struct {
	call    *call
	number  int  // 1 is the first attempt.
	hedge   bool // Sent because the call took long, not because another failed.
	ticket  int  // In the guard, of a hedge.
	fleet   bool // Paid for by the fleet.
	request *http.Request
	ctx     context.Context //nolint:containedctx // An attempt is the unit that is cancelled.
	cancel  context.CancelFunc
	span    trace.Span   // Nil where nobody records.
	left    atomic.Int64 // When it left, in nanoseconds since 1 before the call began; 0: not yet.
	lost    atomic.Bool  // Set before it is cancelled because another attempt won.

	began    time.Time
	age      time.Duration // When it ended.
	response *http.Response
	err      error
	outcome  outcome
}

// send sends the request and notes what became of it.
func (a *attempt) send() {
	t := a.call.transport
	if err := t.breaker.judge(a.trySend); err != nil {
		a.outcome, a.err = circuitOpen, err
	}
	if a.outcome.unsent() {
		a.closeBody()
	}
	t.outcomes[a.outcome].Add(1)
	a.endSpan()
}

// trySend asks the rate limit, exchanges request for answer and returns the
// verdict for the breaker.
func (a *attempt) trySend() error {
	t := a.call.transport
	if err := t.permit(a.ctx); err != nil {
		a.outcome, a.err = rateLimited, err
		return errUnjudged
	}
	a.exchange(t.pool(a.number))
	return a.verdict()
}

// exchange is the round trip itself.
func (a *attempt) exchange(pool http.RoundTripper) {
	a.began = time.Now()
	a.left.Store(int64(a.began.Sub(a.call.began)) + 1)
	a.count()
	a.response, a.err = roundTrip(pool, a.request) //nolint:bodyclose // The winner's body is the caller's, the others are discarded.
	now := time.Now()
	a.age = now.Sub(a.began)
	a.outcome = a.judge(now)
	if a.outcome == refused {
		a.call.transport.pushback.heed(a.response, now)
	}
	a.learn(now)
}

// count counts an attempt that leaves.
func (a *attempt) count() {
	a.call.marks.tally.add()
	switch p := a.call.policy; {
	case a.hedge:
		p.sent.Add(1)
	case a.number > 1:
		p.failovers.Add(1)
	}
}

// roundTrip keeps a faulty round tripper's fault to the attempt.
func roundTrip(pool http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			resp, err = nil, &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	resp, err = pool.RoundTrip(req)
	if err == nil && resp == nil {
		err = errors.New("round tripper returned neither response nor error")
	}
	return resp, err
}

// judge says what became of the attempt. A cancellation that is neither ours nor
// the caller's is a failure like any other.
func (a *attempt) judge(now time.Time) outcome {
	switch {
	case a.err == nil && failing(a.response.StatusCode):
		return refused
	case a.err == nil:
		return answered
	case errors.Is(a.ctx.Err(), context.DeadlineExceeded) || !now.Before(a.call.deadline):
		return timedOut
	case a.lost.Load():
		return lost
	case a.call.caller.Err() != nil:
		return abandoned
	}
	return broken
}

// failing reports whether a status says that another try may fare better: server
// errors, Request Timeout, Too Early, Too Many Requests.
func failing(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= http.StatusInternalServerError
}

// learn tells the estimate. A failure says nothing about how long answers take.
func (a *attempt) learn(now time.Time) {
	switch a.outcome {
	case answered:
		a.call.estimator.observe(a.age, true, now)
	case timedOut, lost, abandoned:
		a.call.estimator.observe(a.age, false, now)
	default:
	}
}

// verdict is what the breaker is told. A deadline counts against the provider
// only where it was given the better part of a call's time: callers in a hurry
// indict nobody.
func (a *attempt) verdict() error {
	switch a.outcome {
	case answered:
		return nil
	case refused:
		return &StatusError{Status: a.response.StatusCode}
	case timedOut:
		if a.age < a.call.transport.options.Timeout/2 {
			return errUnjudged
		}
	case lost, abandoned:
		return errUnjudged
	default:
	}
	return a.err
}

// cause is what the attempt adds to the causes of a failed call.
func (a *attempt) cause() error {
	err := a.err
	if err == nil {
		err = &StatusError{Status: a.response.StatusCode}
	}
	return fmt.Errorf("attempt %d: %w", a.number, err)
}

// closeBody closes the body of a request that no round tripper has taken over.
func (a *attempt) closeBody() {
	if a.request.Body != nil {
		_ = a.request.Body.Close()
	}
}
