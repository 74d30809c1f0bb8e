package day

import (
	"sync"
	"time"
)

const (
	// freshFor is the product's FARE_TTL.
	freshFor = 3 * time.Minute
	// roundTrip is what one look into the store takes.
	roundTrip = time.Millisecond
	// aheadUses and aheadShare are the product's conditions for a renewal ahead.
	aheadUses  = 3
	aheadShare = 0.6
)

// store is the model's cache with its calls under way, shared by all containers as
// Redis and its leases are.
type store struct {
	mu    sync.Mutex
	known map[[2]int]*entry
	calls map[[2]int]*sharedCall
}

type entry struct {
	version int
	fetched time.Time
	uses    int
}

// sharedCall is a provider call that others may wait for.
type sharedCall struct {
	done    chan struct{}
	version int
}

func newStore() *store {
	return &store{known: map[[2]int]*entry{}, calls: map[[2]int]*sharedCall{}}
}

// look returns a fresh entry's price, and whether it should be renewed ahead.
func (s *store) look(key [2]int) (version int, fresh, renew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.known[key]
	if e == nil || time.Since(e.fetched) >= freshFor {
		return 0, false, false
	}
	e.uses++
	old := time.Since(e.fetched) >= time.Duration(aheadShare*float64(freshFor))
	return e.version, true, e.uses >= aheadUses && old && s.calls[key] == nil
}

// fill keeps a price whose call began at a moment.
func (s *store) fill(key [2]int, version int, began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[key] = &entry{version: version, fetched: began}
}

// forget withdraws a question's prices.
func (s *store) forget(question int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for provider := range suppliers {
		delete(s.known, [2]int{provider, question})
	}
}

// join returns the call under way for a key, or a new one that the caller makes.
func (s *store) join(key [2]int) (c *sharedCall, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c = s.calls[key]; c != nil {
		return c, false
	}
	c = &sharedCall{done: make(chan struct{})}
	s.calls[key] = c
	return c, true
}

// finish ends a call for all that wait.
func (s *store) finish(key [2]int, c *sharedCall) {
	s.mu.Lock()
	delete(s.calls, key)
	s.mu.Unlock()
	close(c.done)
}
