// Package theory computes what hedging can reach at best: the latency of a policy
// in closed form, the same by Monte Carlo, and the best policy under a budget.
//
// Attempts are independent and follow one law; a copy is sent only while its call
// is still out. Then the call outlives t exactly if each attempt that was sent
// does, and the survival of the call is a product of survivals of the law (Kaler,
// He and Elnikety, "Optimal Reissue Policies for Reducing Tail Latency", SPAA 2017,
// section 2). Nothing queues and no answer costs anybody time, so the figures are
// a bound that real engines come close to and do not pass.
package theory

import (
	"math"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
)

// Reissue is one further attempt: sent when the call reaches an age, with a
// probability.
type Reissue struct {
	At    time.Duration
	Share float64
}

// Policy is a chain of further attempts: each is sent only if the one before was,
// and only while the call is out. Ages rise. An empty policy does not hedge.
type Policy []Reissue

// Constant is the textbook: a copy after each delay, up to so many attempts.
func Constant(delay time.Duration, attempts int) Policy {
	var p Policy
	for n := 1; n < attempts; n++ {
		p = append(p, Reissue{At: time.Duration(n) * delay, Share: 1})
	}
	return p
}

// Survival returns P(call > t).
func (p Policy) Survival(l law.Law, t time.Duration) float64 {
	return p.from(l, 0, t)
}

// from is the probability that an attempt sent at an age, and all that follow it
// in p, are out at t.
func (p Policy) from(l law.Law, at, t time.Duration) float64 {
	out := l.Survival(t - at)
	if len(p) == 0 || t < p[0].At {
		return out
	}
	next := p[0]
	return out * (1 - next.Share + next.Share*p[1:].from(l, next.At, t))
}

// Extra returns the mean number of attempts beyond the first.
func (p Policy) Extra(l law.Law) float64 {
	extra, sent := 0.0, 1.0
	for n, next := range p {
		sent *= next.Share
		out := l.Survival(next.At)
		for _, earlier := range p[:n] {
			out *= l.Survival(next.At - earlier.At)
		}
		extra += sent * out
	}
	return extra
}

// longest is beyond any latency of any law here.
const longest = time.Minute

// Quantile returns the smallest t that a share q of the calls do not exceed.
func (p Policy) Quantile(l law.Law, q float64) time.Duration {
	low, high := time.Duration(0), longest
	for high-low > time.Microsecond {
		middle := (low + high) / 2
		// 1e-12 forgives 0.1 × 0.1 × … the last digits of a float.
		if p.Survival(l, middle) <= 1-q+1e-12 {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// FanOut returns the quantile of single calls that gives quantile q of searches
// which wait for n independent ones: all n must be below it.
func FanOut(q float64, n int) float64 { return math.Pow(q, 1/float64(n)) }
