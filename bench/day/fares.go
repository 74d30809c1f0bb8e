package day

import (
	"math/rand/v2"
	"sync"
	"time"
)

// suppliers is how many providers there are.
const suppliers = 3

// fare is one provider's price for one question: a version that rises.
type fare struct {
	version int
	changes time.Time // When it next changes without notice.
}

// fares are all prices as they are at the providers. Safe for concurrent use.
type fares struct {
	mu     sync.Mutex
	random *rand.Rand
	silent time.Duration
	all    map[[2]int]*fare
}

func newFares(t Traffic) *fares {
	return &fares{random: rand.New(rand.NewPCG(t.Seed, 7)), silent: t.Silent, all: map[[2]int]*fare{}}
}

// version returns the price of the moment.
func (f *fares) version(provider, question int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at(provider, question).version
}

// change changes the prices of a question at all providers, as an event announces.
func (f *fares) change(question int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for provider := range suppliers {
		f.at(provider, question).version++
	}
}

// at brings a fare up to now. The caller holds mu.
func (f *fares) at(provider, question int) *fare {
	now := time.Now()
	key := [2]int{provider, question}
	if f.all[key] == nil {
		f.all[key] = &fare{changes: now.Add(f.life())}
	}
	x := f.all[key]
	for !x.changes.After(now) {
		x.version++
		x.changes = x.changes.Add(f.life())
	}
	return x
}

func (f *fares) life() time.Duration { return next(f.random, 1/f.silent.Seconds()) }
