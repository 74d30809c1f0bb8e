package fanout

import (
	"sync/atomic"
	"time"
)

const (
	// refitEvery bounds how often the plans are made anew.
	refitEvery = 100 * time.Millisecond
	// enough attempts must have been seen, or believed in, before calls are hedged.
	enough = 20
	// priorWeight is how many attempts a declared latency counts for. Seen ones
	// outweigh it within a second of traffic, and it goes with the first half.
	priorWeight = enough
)

// estimator learns the latency of one kind of call and turns it into plans. Its
// methods are safe for concurrent use; reading a plan is one atomic load.
type estimator struct {
	window window
	fixed  time.Duration // Options.Delay.
	limit  time.Duration // Options.Timeout.
	terms  []terms       // By policy.
	plans  []atomic.Pointer[plan]
	fitted atomic.Int64 // When, in Unix nanoseconds.
}

func newEstimator(o *Options, terms []terms, known *histogram, now time.Time) *estimator {
	e := &estimator{fixed: o.Delay, limit: o.Timeout, terms: terms, plans: make([]atomic.Pointer[plan], len(terms))}
	e.begin(known, now)
	return e
}

// begin starts over from what is known.
func (e *estimator) begin(known *histogram, now time.Time) {
	e.window.begin(known, now)
	e.fit(now)
}

// prior is what a declared typical latency makes one believe: answers between half
// and twice of it, evenly over the logarithm. Nil where nothing is declared.
func prior(typical time.Duration, now time.Time) *histogram {
	if typical <= 0 {
		return nil
	}
	h := newHistogram(now)
	low, high := bucketOf(typical/2), bucketOf(2*typical)
	for i := range priorWeight {
		at := low + (high-low)*i/(priorWeight-1)
		h.record((edge(at)+edge(at+1))/2, true)
	}
	return h
}

// observe notes an attempt that answered at an age, or was cut off then.
func (e *estimator) observe(age time.Duration, answered bool, now time.Time) {
	e.window.record(age, answered, now)
}

// plan returns the present plan of a policy.
func (e *estimator) plan(policy int) *plan { return e.plans[policy].Load() }

// refit makes the plans anew when they are old enough. It takes tens of
// microseconds, so it is called where no caller waits.
func (e *estimator) refit(now time.Time) {
	last := e.fitted.Load()
	if now.UnixNano()-last < int64(refitEvery) || !e.fitted.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	e.fit(now)
}

func (e *estimator) fit(now time.Time) {
	e.fitted.Store(now.UnixNano())
	s := survive(e.window.counts())
	for i, t := range e.terms {
		p := e.choose(s, t)
		e.plans[i].Store(&p)
	}
}

func (e *estimator) choose(s *survival, t terms) plan {
	switch {
	case t.attempts < 2:
		return plan{}
	case e.fixed > 0:
		return plan{delay: e.fixed, share: 1, survival: s.at(e.fixed), armed: true}
	case s.total < enough:
		return plan{}
	}
	return bestPlan(s, t, e.limit)
}
