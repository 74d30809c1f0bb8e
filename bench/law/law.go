// Package law has the distributions of latency that the laboratory's providers
// follow. Each can be drawn from and knows its survival function in closed form,
// so that what is measured stands beside what is true.
package law

import (
	"math/rand/v2"
	"time"
)

// Law is a distribution of latency. Implementations are values without state and
// safe for concurrent use.
type Law interface {
	// Draw returns one latency, independent of all others.
	Draw(*rand.Rand) time.Duration
	// Survival returns P(latency > t): 1 for negative t.
	Survival(t time.Duration) float64
}

// LongTail is the law of the published case: nine answers of ten take 10 to 50 ms,
// one takes 500 to 1000 ms.
func LongTail() Law {
	return Mixture{
		Fast: Uniform{10 * time.Millisecond, 50 * time.Millisecond},
		Slow: Uniform{500 * time.Millisecond, time.Second}, Share: 0.1,
	}
}

// Drifted is [LongTail] with its fast mode moved from around 30 ms to around 90 ms.
func Drifted() Law {
	return Mixture{
		Fast: Uniform{70 * time.Millisecond, 110 * time.Millisecond},
		Slow: Uniform{500 * time.Millisecond, time.Second}, Share: 0.1,
	}
}

// OneInHundred is the server of "The Tail at Scale" (Dean and Barroso, CACM 2013,
// figure 1): around 10 ms, but one second once in a hundred.
func OneInHundred() Law {
	return Mixture{
		Fast: Uniform{5 * time.Millisecond, 15 * time.Millisecond},
		Slow: Uniform{time.Second, 1100 * time.Millisecond}, Share: 0.01,
	}
}

// Uniform is any latency between two, each as likely.
type Uniform struct{ From, To time.Duration }

// Draw returns one latency.
func (u Uniform) Draw(r *rand.Rand) time.Duration {
	return u.From + time.Duration(r.Float64()*float64(u.To-u.From))
}

// Survival falls from 1 to 0 in a straight line.
func (u Uniform) Survival(t time.Duration) float64 {
	return min(1, max(0, float64(u.To-t)/float64(u.To-u.From)))
}

// Constant is always the same latency.
type Constant time.Duration

// Draw returns the latency.
func (c Constant) Draw(*rand.Rand) time.Duration { return time.Duration(c) }

// Survival is one step.
func (c Constant) Survival(t time.Duration) float64 {
	if t < time.Duration(c) {
		return 1
	}
	return 0
}

// Mixture is Slow for a share of the answers, else Fast.
type Mixture struct {
	Fast, Slow Law
	Share      float64
}

// Draw returns one latency.
func (m Mixture) Draw(r *rand.Rand) time.Duration {
	if r.Float64() < m.Share {
		return m.Slow.Draw(r)
	}
	return m.Fast.Draw(r)
}

// Survival is the weighted mean of both.
func (m Mixture) Survival(t time.Duration) float64 {
	return (1-m.Share)*m.Fast.Survival(t) + m.Share*m.Slow.Survival(t)
}
