package cache

import (
	"context"
	"math/rand/v2"
	"time"
)

// leaseMargin is what a lease lasts beyond the fetch, for the fill.
const leaseMargin = 2 * time.Second

// turn says what a call with a lease does next.
type turn[V any] struct {
	// found is what to fetch under the tokens of, or what arrived meanwhile.
	found   Found[V]
	handed  bool
	release func() // never nil; to be called after the fill
}

// waitTurn takes the right to fetch for all instances, or waits for what the one
// that has it brings. Its patience ends after LeaseWait: a lease saves calls to
// the source, it must not cost the answer.
func (t *Typed[V]) waitTurn(ctx context.Context, found Found[V]) turn[V] {
	owner := newID()
	patience, cancel := context.WithTimeout(ctx, t.c.o.LeaseWait)
	defer cancel()
	for {
		next, outcome := t.tryTurn(ctx, found, owner)
		if outcome == "" && !pause(patience) {
			outcome = "waited_in_vain"
		}
		if outcome != "" {
			t.c.count.lease(ctx, found.question.Kind, outcome)
			return next
		}
		found = next.found
	}
}

// tryTurn tries once; an empty outcome means to try again.
func (t *Typed[V]) tryTurn(ctx context.Context, found Found[V], owner string) (_ turn[V], outcome string) {
	next := turn[V]{found: found, release: func() {}}
	key := t.c.keys.lease(queryHash(found.callKey(sabotage{})))
	won, err := t.c.store.acquire(ctx, key, owner, t.c.o.CallLimit+leaseMargin)
	if err != nil {
		return next, "error"
	}
	if won {
		next.release = func() { t.release(ctx, key, owner) }
	}
	// Once more even for the winner: the entry may have come, and its lease
	// gone, since the lookup.
	again := t.look(ctx, found.bucket, []Question{found.question})[0]
	switch {
	case again.State == Hit:
		next.found, next.handed = again, true
		return next, "handed"
	case again.tokens != nil:
		next.found = again
	}
	if won {
		return next, "won"
	}
	return next, ""
}

// release gives a lease back, whatever became of the call's context; if Redis
// fails it ends by itself.
func (t *Typed[V]) release(ctx context.Context, key, owner string) {
	_ = t.c.store.release(context.WithoutCancel(ctx), key, owner)
}

// pause waits 50 to 100 ms and reports whether ctx still runs.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(50*time.Millisecond + rand.N(50*time.Millisecond))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
