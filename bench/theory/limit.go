package theory

import (
	"math"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
)

// The search goes over delays that grow by 4 % from 5 ms to two seconds, which is
// finer than anybody could measure, and over how much of the budget goes to the
// second attempt and how much to the third.
const (
	firstDelay = 5 * time.Millisecond
	lastDelay  = 2 * time.Second
	delayStep  = 1.04
)

// Limit returns the least quantile q that any chain of at most three attempts
// reaches with so many extra requests per call, and the chain. No single chain is
// best for all quantiles, so a row of limits is a bound for each of its figures.
//
// The lower of two equally good chains' costs wins.
func Limit(l law.Law, extra, q float64) (time.Duration, Policy) {
	best, at := Policy(nil), Policy(nil).Quantile(l, q)
	for _, second := range delays() {
		for _, part := range []float64{1, 0.98, 0.95, 0.92, 0.9, 0.85, 0.8, 0.7} {
			p := Policy{{At: second, Share: affordable(extra*part, l.Survival(second))}}
			for _, chain := range withThird(p, l, extra) {
				if got := chain.Quantile(l, q); got < at {
					best, at = chain, got
				}
			}
		}
	}
	return at, best
}

// withThird returns the chain alone and with each third attempt that the rest of
// the budget pays for. A third attempt before twice the second's age is allowed.
func withThird(p Policy, l law.Law, extra float64) []Policy {
	chains := []Policy{p}
	rest := extra - p.Extra(l)
	if rest <= 0 {
		return chains
	}
	for age := p[0].At; age <= lastDelay; age = time.Duration(float64(age) * delayStep) {
		third := append(p[:1:1], Reissue{At: age, Share: 1})
		third[1].Share = affordable(rest, third.Extra(l)-p.Extra(l))
		chains = append(chains, third)
		if third[1].Share == 1 && third.Extra(l) < extra*0.9 {
			break // Later is cheaper still, and no better.
		}
	}
	return chains
}

// affordable is the share of attempts that a budget pays for at a price.
func affordable(budget, price float64) float64 {
	if price <= 0 {
		return 1
	}
	return math.Min(1, budget/price)
}

func delays() []time.Duration {
	var all []time.Duration
	for d := firstDelay; d <= lastDelay; d = time.Duration(float64(d) * delayStep) {
		all = append(all, d)
	}
	return all
}

// BestConstant returns the constant delay, in whole milliseconds, whose three
// attempts reach the least p95 within so many extra requests per call: what an
// oracle that knows the law would configure.
func BestConstant(l law.Law, extra float64) time.Duration {
	best, least := lastDelay, time.Duration(math.MaxInt64)
	for d := firstDelay; d <= lastDelay; d += time.Millisecond {
		p := Constant(d, 3)
		if p.Extra(l) > extra {
			continue
		}
		if at := p.Quantile(l, 0.95); at < least {
			best, least = d, at
		}
	}
	return best
}
