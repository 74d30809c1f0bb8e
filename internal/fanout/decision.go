package fanout

import (
	"net/http"
	"time"
)

// win ends the race with a good answer.
func (c *call) win(a *attempt) {
	if a.hedge {
		c.policy.won.Add(1)
	}
	c.endHedge(a, hedgeWon)
	c.decide(a)
}

// decide ends the race: the attempt to keep, if any, keeps its context; all others
// are cut off, and what they still bring is discarded, away from the caller since
// reading may block.
func (c *call) decide(keep *attempt) {
	c.deciding.Lock()
	c.decided = true
	unwanted := c.arrived
	c.deciding.Unlock()
	for _, a := range c.attempts {
		if a != keep {
			a.lost.Store(keep != nil)
			a.cancel()
			c.endHedge(a, hedgeLost)
		}
	}
	if c.failed != nil && c.failed != keep {
		go c.failed.drop()
	}
	for _, a := range unwanted {
		go a.drop()
	}
}

// leave ends the call without an answer. Hedges that had no time to win have not
// lost.
func (c *call) leave(cause error) error {
	now := time.Now()
	for _, a := range c.attempts {
		if a.hedge {
			c.policy.guard.left(a.ticket, now)
		}
	}
	c.decide(nil)
	c.causes = append(c.causes, cause)
	return c.failure()
}

func (c *call) failure() error {
	return &AttemptsError{Name: c.transport.options.Name, Causes: c.causes}
}

// handOver gives the response to the caller; its body's end ends the attempt.
func (a *attempt) handOver() *http.Response {
	tie(a.response, a.cancel)
	return a.response
}

// drop ends an attempt whose answer, if it has one, nobody wants.
func (a *attempt) drop() {
	a.cancel()
	discard(a.response)
}
