package fanout

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// jitter is how inexact timers and schedulers are taken to be.
const jitter = 3 * time.Millisecond

// tick is the timer: the call takes long. A reply that waits in the channel goes
// first, and a timer that fired late grants the same time once more.
func (c *call) tick(now time.Time) {
	if len(c.arrival) > 0 {
		c.wait(0, now)
		return
	}
	if grace := stalled(c.due, now, c.plan.delay); grace > 0 && !c.graced {
		c.graced = true
		c.wait(grace, now)
		return
	}
	if early := c.early(now); early > jitter {
		c.wait(early, now)
		return
	}
	if reason := c.again(true, now); reason != notDenied {
		c.policy.deny(reason)
		c.wait(pauseAfter(reason, c.plan.delay), now)
	}
}

// early is how much of its delay the first attempt has left. It may have waited for
// its turn under the rate limit, or still wait, and that is not the provider's time.
func (c *call) early(now time.Time) time.Duration {
	left := c.first.left.Load()
	if left == 0 {
		return max(c.plan.delay, minDelay)
	}
	return c.plan.delay - now.Sub(c.began.Add(time.Duration(left-1)))
}

// pauseAfter is when a denied hedge asks again. The dice are cast once per delay,
// or they would all fall well in the end; a token may come any moment.
func pauseAfter(reason denial, delay time.Duration) time.Duration {
	if reason == deniedShare {
		return delay
	}
	return minDelay
}

// stalled is the stall guard: how much later than due a timer fired. If it is more
// than a scheduler's jitter, this process was held up (a garbage collection, a
// throttled container), replies may lie unread, and a hedge would answer to our
// own slowness.
func stalled(due, now time.Time, delay time.Duration) time.Duration {
	late := now.Sub(due)
	if late < jitter {
		return 0
	}
	return min(late, delay)
}

// again sends one more attempt if somebody pays for it, or says why not. Without
// attempts left it does nothing.
func (c *call) again(hedge bool, now time.Time) denial {
	if c.allowed == 0 {
		return notDenied
	}
	reason, fleet := c.admit(hedge, now)
	if reason != notDenied {
		return reason
	}
	a, err := c.repeat(hedge)
	if err != nil { // Its body cannot be had again: what runs is all there will be.
		c.refund(fleet)
		c.causes = append(c.causes, err)
		c.allowed = 0
		c.wait(c.plan.delay, now)
		return notDenied
	}
	a.fleet = fleet
	if hedge {
		a.ticket = c.policy.guard.began(now, c.plan.delay)
	}
	c.launch(a, now)
	return notDenied
}

// admit asks all who may forbid another attempt, the budget last, since it pays.
func (c *call) admit(hedge bool, now time.Time) (reason denial, fleet bool) {
	switch {
	case c.transport.pushback.paused(now):
		return deniedPause, false
	case hedge && c.plan.share < 1 && rand.Float64() >= c.plan.share:
		return deniedShare, false
	case c.policy.bucket.take(len(c.attempts) + 1):
		return notDenied, false
	case c.mayDrawOnFleet(now) && c.transport.options.Fleet.take():
		return notDenied, true
	}
	return deniedBudget, false
}

// mayDrawOnFleet: a whole search waits for this call, it costs nobody money, and
// hedging is not known to be in vain.
func (c *call) mayDrawOnFleet(now time.Time) bool {
	return c.marks.alone != nil && c.marks.alone.Load() &&
		c.policy == c.transport.policies[freePolicy] && !c.policy.guard.brownOut(now)
}

// repeat prepares a further attempt with a header and body of its own.
func (c *call) repeat(hedge bool) (*attempt, error) {
	n := len(c.attempts) + 1
	body := c.request.Body
	if c.request.GetBody != nil {
		var err error
		if body, err = c.request.GetBody(); err != nil {
			return nil, fmt.Errorf("attempt %d: body: %w", n, err)
		}
	}
	a := c.prepare(n, hedge)
	a.request.Header = c.request.Header.Clone()
	a.request.Body = body
	return a, nil
}

// giveBack undoes an attempt beyond the first that was never sent.
func (c *call) giveBack(a *attempt) {
	a.cancel()
	c.refund(a.fleet)
	c.endHedge(a, hedgeVoid)
	c.attempts = slices.DeleteFunc(c.attempts, func(other *attempt) bool { return other == a })
	c.allowed++
	reason := deniedLimit
	if a.outcome == circuitOpen {
		reason = deniedCircuit
	}
	c.policy.deny(reason)
}

func (c *call) refund(fleet bool) {
	if fleet {
		c.transport.options.Fleet.refund()
		return
	}
	c.policy.bucket.refund()
}

func (c *call) endHedge(a *attempt, result hedgeResult) {
	if a.hedge {
		c.policy.guard.ended(a.ticket, result)
	}
}
