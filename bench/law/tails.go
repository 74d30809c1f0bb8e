package law

import (
	"math"
	"math/rand/v2"
	"time"
)

// LogNormal is the usual shape of a service's latency: many small delays that
// multiply. Sigma is the deviation of the logarithm.
type LogNormal struct {
	Median time.Duration
	Sigma  float64
}

// Draw returns one latency.
func (l LogNormal) Draw(r *rand.Rand) time.Duration {
	return time.Duration(float64(l.Median) * math.Exp(l.Sigma*r.NormFloat64()))
}

// Survival is the upper tail of the normal distribution at the logarithm of t.
func (l LogNormal) Survival(t time.Duration) float64 {
	if t <= 0 {
		return 1
	}
	z := math.Log(float64(t)/float64(l.Median)) / l.Sigma
	return math.Erfc(z/math.Sqrt2) / 2
}

// Pareto has a tail without scale: P(X > t) = (Least/t)^Alpha up to Most, where
// all that is left answers.
type Pareto struct {
	Least, Most time.Duration
	Alpha       float64
}

// Draw returns one latency.
func (p Pareto) Draw(r *rand.Rand) time.Duration {
	u := 1 - r.Float64() // Over 0, at most 1.
	return min(p.Most, time.Duration(float64(p.Least)*math.Pow(u, -1/p.Alpha)))
}

// Survival is the power law between Least and Most.
func (p Pareto) Survival(t time.Duration) float64 {
	switch {
	case t < p.Least:
		return 1
	case t >= p.Most:
		return 0
	}
	return math.Pow(float64(p.Least)/float64(t), p.Alpha)
}
