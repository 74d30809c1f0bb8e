package fanout

import "time"

// doubt is how many unseen attempts are believed to be slower than any seen: a
// tenth of one. It keeps the tail from ever looking empty, so that a provider seen
// to be fast a hundred times is still hedged when it is not.
const doubt = 0.1

// survival is the share of attempts that are still out at an age, S(t), estimated
// by Kaplan and Meier ("Nonparametric Estimation from Incomplete Observations",
// JASA 1958). An attempt that was cut off, since another won or time was up, says
// that it was alive at its age, no more; left out, or counted as an answer, it
// would teach that slow attempts are quick, and the delay would follow its own
// success.
type survival struct {
	total   float64              // Attempts that it rests on.
	seen    time.Duration        // The age that one of them reached at most.
	atEdge  [buckets + 1]float64 // S at edge(i).
	area    [buckets + 1]float64 // The integral of S from 0 to edge(i), in seconds.
	answers []answerMass         // Where answers lie, earliest first.
}

// answerMass is the probability that an attempt answers in one bucket.
type answerMass struct{ at, probability float64 } // Seconds.

// survive estimates S. Attempts cut off within a bucket count as at risk for half
// of it, the actuarial convention.
func survive(c *counts) *survival {
	s := &survival{total: c.total}
	s.atEdge[0] = 1
	atRisk := c.total + doubt
	for i := range buckets {
		hazard := 0.0
		if c.answered[i] > 0 {
			hazard = c.answered[i] / max(atRisk-c.cut[i]/2, c.answered[i])
		}
		s.step(i, hazard)
		if c.answered[i]+c.cut[i] > 0 {
			s.seen = edge(i + 1)
		}
		atRisk -= c.answered[i] + c.cut[i]
	}
	return s
}

func (s *survival) step(i int, hazard float64) {
	before := s.atEdge[i]
	after := before * (1 - hazard)
	from, to := edge(i).Seconds(), edge(i+1).Seconds()
	s.atEdge[i+1] = after
	s.area[i+1] = s.area[i] + (before+after)/2*(to-from)
	if hazard > 0 {
		s.answers = append(s.answers, answerMass{at: (from + to) / 2, probability: before - after})
	}
}

// at returns S at an age.
func (s *survival) at(age time.Duration) float64 {
	i := bucketOf(age)
	from, to := edge(i), edge(i+1)
	part := min(1, float64(age-from)/float64(to-from))
	return s.atEdge[i] + part*(s.atEdge[i+1]-s.atEdge[i])
}

// areaTo returns the integral of S from 0 to an age in seconds: the mean latency
// of attempts that are cut off there.
func (s *survival) areaTo(seconds float64) float64 {
	age := time.Duration(seconds * float64(time.Second))
	i := bucketOf(age)
	from, to := edge(i), edge(i+1)
	part := min(1, float64(age-from)/float64(to-from))
	return s.area[i] + part*(s.area[i+1]-s.area[i])
}

// horizon is when those are believed to end that no answer was seen of: after
// three times the age that any reached. Where copies win, slow attempts are always
// cut off, so the end of the tail is never seen. Left out, or taken to end where it
// was cut, it would make copies look useless; taken to last until the timeout, the
// few left at the very end would outweigh all others.
func (s *survival) horizon(timeout time.Duration) time.Duration {
	return min(timeout, 3*s.seen)
}

// median returns the age that half of the attempts are out for, at most limit.
func (s *survival) median(limit time.Duration) time.Duration {
	for i := range buckets {
		if s.atEdge[i+1] <= 0.5 {
			return min(edge(i+1), limit)
		}
	}
	return limit
}
