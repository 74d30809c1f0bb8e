package fanout

import (
	"sync/atomic"
	"time"
)

// denial is why a hedge or second try was not sent.
type denial int

const (
	notDenied     denial = iota
	deniedShare          // The dice fell below q(d).
	deniedBudget         // No token.
	deniedPause          // The provider asked for time.
	deniedCircuit        // Its circuit is not closed.
	deniedLimit          // The rate limit refused.
	denials              // How many there are.
)

var denialNames = [denials]string{"", "share", "budget", "pause", "circuit", "limit"}

func (d denial) String() string { return denialNames[d] }

// policy is the hedging of one class at one provider: its conditions, its budget,
// its guard, and the counts of what became of it.
type policy struct {
	terms  terms
	bucket *bucket
	guard  guard

	sent, won, failovers atomic.Int64
	denied               [denials]atomic.Int64
}

func newPolicy(t terms) *policy {
	return &policy{terms: t, bucket: newBucket(t.least)}
}

// feed pays a first attempt's share into the bucket, a tenth of it in a brown-out,
// and returns what did not fit.
func (p *policy) feed(inFlight int64, now time.Time) (overflow float64) {
	share := p.terms.share
	if p.guard.brownOut(now) {
		share *= brownOutRefill
	}
	return p.bucket.feed(share, p.terms.share, inFlight)
}

func (p *policy) deny(reason denial) { p.denied[reason].Add(1) }
