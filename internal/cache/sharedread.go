package cache

import (
	"context"
	"slices"
	"sync"
)

const (
	// maxTokenReads run at a time; further ones wait for the next and go together.
	maxTokenReads = 4
	// maxTogether bounds how many go in one read. They ask for the same few tokens
	// over and over, so the read stays small.
	maxTogether = 512
)

// sharedReads lets lookups that come while others are being read go together in
// the next read. Under load Redis is then asked for each token a few times in a
// millisecond instead of once for every search. A read never serves a lookup that
// came after it began: what an invalidation deleted before the lookup is gone from
// what it reads.
type sharedReads struct {
	read func(ctx context.Context, keys []string) ([][]byte, error)

	mu      sync.Mutex
	running int
	waiting []*tokenRead
}

// tokenRead is one lookup's part in a read.
type tokenRead struct {
	ctx    context.Context //nolint:containedctx // Only asked whether anybody still waits.
	keys   []string
	values [][]byte
	err    error
	done   chan struct{}
}

// get reads keys at once where a place is free, else with others in the next
// read. It returns when ctx ends, whatever the read does.
func (s *sharedReads) get(ctx context.Context, keys []string) ([][]byte, error) {
	s.mu.Lock()
	if s.running < maxTokenReads {
		s.running++
		s.mu.Unlock()
		defer s.next() //nolint:contextcheck // A read for others ends by its own limit, not with this caller.
		return s.read(ctx, keys)
	}
	mine := &tokenRead{ctx: ctx, keys: keys, done: make(chan struct{})}
	s.waiting = append(s.waiting, mine)
	s.mu.Unlock()
	select {
	case <-mine.done:
		return mine.values, mine.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// next gives the place to those who wait, or frees it.
func (s *sharedReads) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.waiting), maxTogether)
	if n == 0 {
		s.running--
		return
	}
	together := slices.Clone(s.waiting[:n])
	s.waiting = slices.Delete(s.waiting, 0, n)
	go s.serve(together)
}

// serve makes one read for all who still wait, and passes the place on.
func (s *sharedReads) serve(all []*tokenRead) {
	defer s.next()
	all = slices.DeleteFunc(all, func(r *tokenRead) bool { return r.ctx.Err() != nil })
	places := map[string]int{}
	var keys []string
	for _, r := range all {
		for _, key := range r.keys {
			if _, known := places[key]; !known {
				places[key] = len(keys)
				keys = append(keys, key)
			}
		}
	}
	if len(keys) == 0 {
		return
	}
	values, err := s.read(context.Background(), keys)
	for _, r := range all {
		if r.err = err; err == nil {
			r.values = make([][]byte, len(r.keys))
			for i, key := range r.keys {
				r.values[i] = values[places[key]]
			}
		}
		close(r.done)
	}
}
