package fanout

import "time"

// minDelay is the floor of a learnt delay: below it the noise of schedulers and
// garbage collectors would be hedged (twitter/finagle#905).
const minDelay = 5 * time.Millisecond

// terms are the conditions on which the calls of one class are hedged.
type terms struct {
	share float64 // Extra requests as a share of first ones.
	// price is what an extra request must save at least, as a multiple of the
	// median latency: an answer's worth of the provider's work is not asked for to
	// gain a millisecond.
	price float64
	// late is how few may still be out when the first copy is sent; 1: no condition.
	late     float64
	least    float64 // The burst when little is in flight.
	attempts int     // Sent at most per call.
}

// termsOf returns the conditions of a class. Metered calls are hedged after the
// 95th percentile only, within a tenth of the budget (the 2 % extra of "The Tail
// at Scale" where it is 20 %), and once.
func termsOf(class Class, options *Options) terms {
	if class == Metered {
		return terms{share: options.Budget / 10, price: 1, late: 0.05, least: 1, attempts: min(options.MaxAttempts, 2)}
	}
	return terms{share: options.Budget, price: 0.25, late: 1, least: smallBurst, attempts: options.MaxAttempts}
}

// plan says when calls are hedged. It is never changed once made.
type plan struct {
	delay    time.Duration // Sent at this age, and again this long after the latest attempt.
	share    float64       // The probability of it, q(d).
	survival float64       // S(delay), the share of attempts still out then.
	armed    bool          // False: too little is known to hedge.
}

// bestPlan chooses the delay d that minimises the predicted mean latency plus the
// price of the extra requests, hedging with probability q(d) = min(1, budget/S(d))
// (the SingleR policy of Kaler, He and Elnikety, "Optimal Reissue Policies for
// Reducing Tail Latency", SPAA 2017).
//
// With X and Y the latencies of the first attempt and its copy, neither longer than
// the estimate's horizon, that mean is
//
//	(1-q) E[X] + q E[min(X, d+Y)]
//
// and a saving is worth having if each extra request, of which there are q S(d) per
// call, saves its price. Of delays that are as good the latest is taken. So the
// delay comes to stand where the fast answers end, instead of at a quantile fixed
// beforehand: near the share of slow answers a quantile stands on a cliff.
func bestPlan(s *survival, t terms, timeout time.Duration) plan {
	latest := timeout / 2
	best := planAt(s, t, latest)
	horizon := s.horizon(timeout)
	price := t.price * s.median(horizon).Seconds()
	unhedged := s.areaTo(horizon.Seconds())
	most := 0.0
	for i := bucketOf(min(latest, horizon-1)); edge(i) >= minDelay; i-- {
		p := planAt(s, t, edge(i))
		if p.survival > t.late {
			break // Earlier, even more are out.
		}
		saved := p.share * (unhedged - s.meanHedged(edge(i), horizon) - price*p.survival)
		if saved > most*worthIt(best, p) {
			most, best = saved, p
		}
	}
	return best
}

// worthIt is how much more an earlier delay must save. Where it would cast dice for
// more calls it must save a tenth more: of two policies with one mean, the one that
// leaves nobody out has the shorter tail.
func worthIt(later, earlier plan) float64 {
	if earlier.share < later.share {
		return 1.1
	}
	return 1.0001
}

// planAt spends four fifths of the budget: the rest is for third attempts and
// for failures.
func planAt(s *survival, t terms, delay time.Duration) plan {
	out := s.at(delay)
	share := 1.0
	if out > 0 {
		share = min(1, 0.8*t.share/out)
	}
	return plan{delay: delay, share: share, survival: out, armed: true}
}

// meanHedged is E[min(X, d+Y)] in seconds: the time up to d, and from there the
// time that X is out until the copy answers, over all times Y that it may take.
func (s *survival) meanHedged(d, horizon time.Duration) float64 {
	limit := horizon.Seconds()
	delay := d.Seconds()
	until := s.areaTo(delay)
	mean := until
	missing := 1.0
	for _, y := range s.answers {
		mean += y.probability * (s.areaTo(min(delay+y.at, limit)) - until)
		missing -= y.probability
	}
	return mean + missing*(s.areaTo(limit)-until)
}
