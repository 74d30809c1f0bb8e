package cache

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// Filling is what a fetch brings back.
type Filling[V any] struct {
	Value V
	// FreshFor is how long the value answers, from the fetch's beginning, and
	// StaleFor how long after that it may stand in for a failing source. Up to a
	// fifth of FreshFor is taken off at random, so that entries written together
	// do not end together. FreshFor 0: nothing is remembered.
	FreshFor, StaleFor time.Duration
	// Expires is when the first part of the value loses its worth: the value is
	// fresh until half a minute before at most. Zero: never. As a stale value it
	// may still serve; its user leaves out what has expired.
	Expires time.Time
	// Summary is kept readable beside the value, at most 1 KiB; a Replacement
	// has that of both values.
	Summary string
	// Notes are written with the entry, all or nothing.
	Notes []Note
}

// Source says where an answer of Ask came from.
type Source int

const (
	// Fetched is the caller's own fetch.
	Fetched Source = iota
	// Joined is a fetch of another caller in this process.
	Joined
	// Handed is an entry that another instance filled meanwhile.
	Handed
)

// Answer is a value that Ask obtained.
type Answer[V any] struct {
	Value V
	Meta
	Source Source
}

// Fetch asks the source. It should end when its context does.
type Fetch[V any] func(ctx context.Context) (Filling[V], error)

// PanicError is a fetch that panicked, as an error for all who waited for it.
type PanicError struct {
	// Value is what it panicked with, Stack where.
	Value any
	Stack []byte
}

// Error tells the value, not the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("cache: the fetch panicked: %v", e.Value) }

// Ask obtains what a lookup did not find. Equal questions under equal tokens
// share one fetch. That fetch has a context of its own, with the first caller's
// values, without its end, and for at most CallLimit: a caller that leaves, with
// its own context's cause, harms nobody, and what the fetch brings is filled in
// all the same. A failure is told to all who wait and then forgotten; so is a
// panic, as a *PanicError. After a Bypass the fetch is the caller's alone, runs
// on its context and fills nothing.
func (t *Typed[V]) Ask(ctx context.Context, found Found[V], fetch Fetch[V]) (Answer[V], error) {
	if found.tokens == nil {
		return t.askAlone(ctx, found, fetch)
	}
	running, first, err := t.join(ctx, found, fetch)
	if err != nil {
		return Answer[V]{}, err
	}
	select {
	case <-running.done:
	case <-ctx.Done():
		return Answer[V]{}, context.Cause(ctx)
	}
	answer := running.answer
	if !first {
		answer.Source = Joined
	}
	return answer, running.err
}

// Refresh asks as Ask does and waits for nothing: for a hit that is worth
// renewing ahead. It reports whether a fetch now runs for
// it, begun by this or by an earlier caller.
func (t *Typed[V]) Refresh(ctx context.Context, found Found[V], fetch Fetch[V]) bool {
	if found.tokens == nil {
		return false
	}
	if found.State == Hit { // What was found is what must not be the answer.
		found.question.NotBefore = found.FetchedAt.Add(time.Microsecond)
	}
	_, _, err := t.join(ctx, found, fetch)
	return err == nil
}

func (t *Typed[V]) askAlone(ctx context.Context, found Found[V], fetch Fetch[V]) (Answer[V], error) {
	t.c.count.call(ctx, found.question.Kind, "alone")
	began := t.c.o.now()
	ctx, cancel := context.WithTimeout(ctx, t.c.o.CallLimit)
	defer cancel()
	filling, err := protected(ctx, fetch)
	if err != nil {
		return Answer[V]{}, err
	}
	return Answer[V]{Value: filling.Value, Meta: filling.meta(began)}, nil
}

// protected runs fetch and turns a panic into an error.
func protected[V any](ctx context.Context, fetch Fetch[V]) (filling Filling[V], err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return fetch(ctx)
}
