// Package day plays a travel site's day in virtual time: what callers wait and what
// providers are asked, from a service that does everything one after the other to
// the product, one step after the other.
//
// Waiting is played exactly; computing takes no time but a round trip to the store.
// What a step computes is measured elsewhere (cmd/service-lab).
package day

import (
	"math/rand/v2"
	"time"
)

// Traffic is what callers ask and how fares change meanwhile.
type Traffic struct {
	Span time.Duration
	Rate float64 // Searches per second on average, bursts included.
	// Questions is how many routes and dates there are, at most 2,000; the k-th is
	// asked for in proportion to 1/(k+1)^Skew. Skew must exceed 1.
	Questions int
	Skew      float64
	// BurstShare of the searches come as bursts of BurstSize that ask the same at
	// once: a page that asks for every traveller who follows a link.
	BurstShare float64
	BurstSize  int
	// Silent is how long a fare stays the same on average before it changes without
	// notice; Events is how many changes a second are announced.
	Silent time.Duration
	Events float64
	Seed   uint64
}

// Usual is the traffic of the case: two searches a second over 600 routes and
// dates, a fifth of them in bursts of ten.
func Usual() Traffic {
	return Traffic{
		Span: time.Hour, Rate: 2, Questions: 600, Skew: 1.1, BurstShare: 0.2, BurstSize: 10,
		Silent: 20 * time.Minute, Events: 0.1, Seed: 1,
	}
}

// Busy is a site with many callers for its routes, where 95 of a hundred searches
// find their fares remembered.
func Busy() Traffic {
	t := Usual()
	t.Rate, t.Span, t.Skew, t.Questions = 40, 20*time.Minute, 1.3, 200
	return t
}

// arrival is one search, or, where change is set, the announced change of a fare.
type arrival struct {
	at       time.Duration
	question int
	change   bool
}

// arrivals draws the day, in order of time.
func (t Traffic) arrivals() []arrival {
	r := rand.New(rand.NewPCG(t.Seed, 99))
	popular := rand.NewZipf(r, t.Skew, 1, uint64(t.Questions-1))
	singles := t.Rate * (1 - t.BurstShare)
	bursts := t.Rate * t.BurstShare / float64(max(1, t.BurstSize))
	total := singles + bursts + t.Events
	var all []arrival
	for at := next(r, total); at < t.Span; at += next(r, total) {
		a := arrival{at: at, question: int(popular.Uint64())}
		copies := 1
		switch x := r.Float64() * total; {
		case x < bursts:
			copies = t.BurstSize
		case x < bursts+t.Events:
			a.change = true
		}
		for range copies {
			all = append(all, a)
		}
	}
	return all
}

// next is the time to the next of so many events a second (a Poisson process).
func next(r *rand.Rand, perSecond float64) time.Duration {
	return time.Duration(r.ExpFloat64() / perSecond * float64(time.Second))
}
