package fanout

import (
	"context"
	"sync/atomic"
)

// marks is what a context says about the calls made under it. All of it travels
// as one context value, so that a call looks up once.
type marks struct {
	kind  string
	class Class
	tally *Tally
	alone *atomic.Bool // Set while the gathering waits for this call alone.
}

type marksKey struct{}

// unmarked is what a context without marks says; it is only read.
var unmarked = &marks{}

func marksOf(ctx context.Context) *marks {
	if m, ok := ctx.Value(marksKey{}).(*marks); ok {
		return m
	}
	return unmarked
}

// with returns a context with a changed copy of its marks.
func with(ctx context.Context, change func(*marks)) context.Context {
	m := *marksOf(ctx)
	change(&m)
	return context.WithValue(ctx, marksKey{}, &m)
}

// WithKind names the kind of the calls made under the context, such as "search"
// or "confirm". Latency is learnt per provider and kind. Kinds are a handful of
// constants: a transport tells at most eight apart and counts further ones
// together.
func WithKind(ctx context.Context, kind string) context.Context {
	return with(ctx, func(m *marks) { m.kind = kind })
}

// WithClass gives the calls made under the context a class. The stricter of this
// and the transport's holds, so a call can be forbidden hedges but not granted
// more than its credential allows.
func WithClass(ctx context.Context, class Class) context.Context {
	return with(ctx, func(m *marks) { m.class = class })
}

// Tally counts the attempts of all requests made under one context, hedges
// included. Its methods may be called at any time from any goroutine.
type Tally struct {
	attempts atomic.Int64
	outer    *Tally
}

// WithTally returns a context whose requests are counted. An outer tally goes on
// counting them too.
func WithTally(ctx context.Context) (context.Context, *Tally) {
	tally := &Tally{outer: marksOf(ctx).tally}
	return with(ctx, func(m *marks) { m.tally = tally }), tally
}

// Attempts returns how many requests have been sent so far.
func (t *Tally) Attempts() int { return int(t.attempts.Load()) }

func (t *Tally) add() {
	for ; t != nil; t = t.outer {
		t.attempts.Add(1)
	}
}
