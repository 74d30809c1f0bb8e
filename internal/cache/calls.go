package cache

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errExit: runtime.Goexit in a fetch must not leave its waiters behind.
var errExit = errors.New("cache: the fetch ended its goroutine")

// calls are the fetches that run in this process, by question and tokens.
type calls[V any] struct {
	mu      sync.Mutex
	running map[string]*call[V]
}

// call is one shared fetch. It stays joinable until its value is filled in, so
// that nobody asks again in between.
type call[V any] struct {
	began time.Time
	done  chan struct{} // closed once answer and err are set
	tell  func()        // closes done, once
	// answer and err are written by the call's goroutine alone, before done.
	answer Answer[V]
	err    error
}

func newCall[V any](began time.Time) *call[V] {
	c := &call[V]{began: began, done: make(chan struct{}), err: errExit}
	c.tell = sync.OnceFunc(func() { close(c.done) })
	return c
}

// told returns the answer of a call that has one already.
func (c *call[V]) told() (Answer[V], bool) {
	select {
	case <-c.done:
		return c.answer, c.err == nil
	default:
		return Answer[V]{}, false
	}
}

// over returns a call that was through before anybody waited for it.
func over[V any](a Answer[V]) *call[V] {
	c := newCall[V](a.FetchedAt)
	c.answer, c.err = a, nil
	c.tell()
	return c
}

// join returns the call that answers found, beginning it if there is none. One
// that was through, its fill included, since found was looked up has left its
// copy.
func (t *Typed[V]) join(ctx context.Context, found Found[V], fetch Fetch[V]) (_ *call[V], first bool, _ error) {
	key, kind := found.callKey(t.c.o.sabotage), found.question.Kind
	t.calls.mu.Lock()
	defer t.calls.mu.Unlock()
	held := t.calls.running[key]
	if held != nil && !held.began.Before(found.question.NotBefore) {
		t.c.count.call(ctx, kind, "joined")
		return held, false, nil
	}
	if copied, ok := t.copyOf(found); ok {
		t.c.count.call(ctx, kind, "joined")
		return over(Answer[V]{Value: copied.Value, Meta: copied.Meta}), false, nil
	}
	begun := newCall[V](t.c.o.now())
	if err := t.c.background.run(func() { t.run(ctx, key, begun, found, fetch) }); err != nil {
		t.c.count.call(ctx, kind, "refused")
		return nil, false, err
	}
	t.calls.running[key] = begun
	t.c.count.call(ctx, kind, "begun")
	return begun, true, nil
}

// pending returns the answer of a call whose fill is not through yet: it is as
// good as an entry, and was fetched under the tokens that found read.
func (t *Typed[V]) pending(found Found[V]) (Answer[V], bool) {
	t.calls.mu.Lock()
	defer t.calls.mu.Unlock()
	held := t.calls.running[found.callKey(t.c.o.sabotage)]
	if held == nil {
		return Answer[V]{}, false
	}
	return held.told()
}

// run is the shared call's goroutine: fetch, tell, fill, forget.
func (t *Typed[V]) run(caller context.Context, key string, c *call[V], found Found[V], fetch Fetch[V]) {
	ctx, cancel := t.c.background.detach(caller)
	defer cancel()
	if t.c.o.sabotage.attachCallToCaller {
		ctx = caller
	}
	defer c.tell()
	defer t.forget(key, c) // Before a failure is told: a repetition must ask anew.
	if found.question.Lease {
		turn := t.waitTurn(ctx, found)
		defer turn.release()
		if found = turn.found; turn.handed {
			c.answer, c.err = Answer[V]{Value: found.Value, Meta: found.Meta, Source: Handed}, nil
			return
		}
	}
	t.fetchAndFill(ctx, c, found, fetch)
}

func (t *Typed[V]) fetchAndFill(ctx context.Context, c *call[V], found Found[V], fetch Fetch[V]) {
	began := t.c.o.now()
	limited, cancel := context.WithTimeout(ctx, t.c.o.CallLimit)
	defer cancel()
	filling, err := protected(limited, fetch)
	if err != nil {
		t.c.count.call(ctx, found.question.Kind, "failed")
		c.err = err
		return
	}
	c.answer, c.err = Answer[V]{Value: filling.Value, Meta: filling.meta(began)}, nil
	c.tell()
	t.fill(ctx, found, filling, c.answer.Meta)
}

func (t *Typed[V]) forget(key string, c *call[V]) {
	t.calls.mu.Lock()
	defer t.calls.mu.Unlock()
	if t.calls.running[key] == c {
		delete(t.calls.running, key)
	}
}
