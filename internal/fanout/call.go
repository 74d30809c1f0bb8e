package fanout

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// call is one RoundTrip: a race of attempts that the caller's goroutine decides.
// The attempts' goroutines only send and deliver.
type call struct {
	transport *Transport
	caller    context.Context //nolint:containedctx // The caller's, for as long as RoundTrip runs.
	request   *http.Request
	marks     *marks
	estimator *estimator
	policy    *policy // Nil: sent once.
	plan      *plan
	replica   uint64 // Where its first attempt goes.
	began     time.Time
	deadline  time.Time

	first    attempt // Most calls need no other.
	room     [maxAttempts]*attempt
	attempts []*attempt // What was sent, in room.
	running  int
	allowed  int // How many attempts may still be sent.
	timer    *time.Timer
	due      time.Time // When the timer should fire.
	graced   bool      // The stall guard's grace is used up.
	failed   *attempt  // The latest one that was answered with a failing status.
	causes   []error

	arrival   chan struct{} // Has a token while arrived is not empty.
	deciding  sync.Mutex
	decided   bool       // Later deliveries are discarded. Guarded by deciding, as arrived.
	arrived   []*attempt // Delivered and not yet taken.
	arrivedIn [1]*attempt
}

// once sends the request a single time, on the caller's goroutine.
func (c *call) once() (*http.Response, error) {
	a := c.prepare(1, false)
	a.send()
	if a.response != nil {
		return a.handOver(), nil
	}
	a.cancel()
	c.causes = append(c.causes, a.cause())
	return nil, c.failure()
}

// race sends the first attempt, others when it takes long or fails, and returns
// the first good answer.
func (c *call) race() (*http.Response, error) {
	c.attempts, c.arrived = c.room[:0], c.arrivedIn[:0]
	c.arrival = make(chan struct{}, 1)
	c.launch(c.prepare(1, false), c.began)
	defer c.timer.Stop()
	for {
		select {
		case <-c.arrival:
			if resp, over, err := c.takeAll(); over {
				return resp, err
			}
		case <-c.timer.C:
			now := time.Now()
			if !now.Before(c.deadline) {
				return nil, c.leave(context.DeadlineExceeded)
			}
			c.tick(now)
		case <-c.caller.Done():
			return nil, c.leave(whyDone(c.caller))
		}
	}
}

// whyDone is both the context's error, which net/http looks for, and its cause.
func whyDone(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == err { //nolint:errorlint // The very same error, not one of its kind.
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// prepare readies attempt number n, aimed at a replica of its own.
func (c *call) prepare(n int, hedge bool) *attempt {
	a := &c.first
	if n > 1 {
		a = &attempt{}
	}
	a.call, a.number, a.hedge = c, n, hedge
	ctx, cancel := context.WithDeadline(c.caller, c.deadline)
	a.cancel = cancel
	a.ctx, a.span = c.transport.startSpan(ctx, n, hedge)
	a.request = c.request.WithContext(c.transport.traceConnections(a.ctx))
	c.transport.replicas.aim(a.request, c.replica, n)
	return a
}

// launch sends an attempt on a goroutine of its own and sets the timer for the next.
func (c *call) launch(a *attempt, now time.Time) {
	c.attempts = append(c.attempts, a)
	c.allowed--
	c.running++
	c.wait(c.plan.delay, now)
	go func() {
		a.send()
		c.deliver(a)
		if !a.outcome.unsent() {
			c.estimator.refit(a.began.Add(a.age))
		}
	}()
}

// wait sets the timer: for the next hedge if there can be one, else for the end.
func (c *call) wait(d time.Duration, now time.Time) {
	c.due = now.Add(d)
	if !c.plan.armed || c.allowed == 0 || c.due.After(c.deadline) {
		c.due = c.deadline
	}
	if c.timer == nil {
		c.timer = time.NewTimer(c.due.Sub(now))
		return
	}
	c.timer.Reset(c.due.Sub(now))
}

// deliver hands the attempt to the race, or discards it if that is over.
func (c *call) deliver(a *attempt) {
	c.deciding.Lock()
	late := c.decided
	if !late {
		c.arrived = append(c.arrived, a)
	}
	c.deciding.Unlock()
	if late {
		a.drop()
		return
	}
	select {
	case c.arrival <- struct{}{}:
	default: // The race has yet to look at an earlier one, and will see both.
	}
}

// takeAll judges what has been delivered, in that order; over says that the call is.
func (c *call) takeAll() (resp *http.Response, over bool, err error) {
	for !over {
		a := c.next()
		if a == nil {
			break
		}
		resp, over, err = c.take(a)
	}
	return resp, over, err
}

func (c *call) next() *attempt {
	c.deciding.Lock()
	defer c.deciding.Unlock()
	if len(c.arrived) == 0 {
		return nil
	}
	a := c.arrived[0]
	c.arrived = c.arrived[1:]
	return a
}

// take judges a finished attempt.
func (c *call) take(a *attempt) (resp *http.Response, over bool, err error) {
	c.running--
	switch {
	case a.outcome == answered:
		c.win(a)
		return a.handOver(), true, nil
	case a.outcome.unsent() && a.number > 1:
		c.giveBack(a)
	default:
		c.fail(a)
	}
	if c.running > 0 {
		return nil, false, nil
	}
	if last := c.failed; last != nil {
		c.decide(last)
		return last.handOver(), true, nil
	}
	return nil, true, c.failure()
}

// fail notes a failure and sends the next attempt at once, if that may be.
func (c *call) fail(a *attempt) {
	c.causes = append(c.causes, a.cause())
	c.endHedge(a, hedgeLost)
	c.keep(a)
	if a.outcome.unsent() || a.outcome == timedOut || a.outcome == abandoned {
		return
	}
	if reason := c.again(false, time.Now()); reason != notDenied {
		c.policy.deny(reason)
	}
}

// keep holds on to the latest failing answer, in case there is no better one.
func (c *call) keep(a *attempt) {
	if a.outcome != refused {
		a.cancel()
		return
	}
	if c.failed != nil {
		go c.failed.drop()
	}
	c.failed = a
}
