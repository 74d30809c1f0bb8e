package fanout

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Gatherer owns the calls of all gatherings of a process, so that those left
// behind stay bounded and can be waited for at the stop. Safe for concurrent use.
type Gatherer struct {
	callTimeout time.Duration
	maxLaggards int

	mu       sync.Mutex
	running  map[*laggard]struct{}
	laggards int
	idle     chan struct{} // Closed when nothing runs; nil while nobody waits.
}

// laggard is a running call, from its start on: it becomes one in the literal
// sense when its gathering ends first.
type laggard struct {
	ctx    context.Context //nolint:containedctx // A call is the unit that is cancelled.
	cancel context.CancelCauseFunc
	stop   context.CancelFunc
	alone  atomic.Bool
	left   bool // Its gathering is over; guarded by Gatherer.mu.
}

// NewGatherer returns a gatherer whose calls each end after callTimeout, and which
// lets at most maxLaggards calls outlive their gathering; further ones are
// cancelled as it ends. Without a positive callTimeout every call ends at once
// with context.DeadlineExceeded: no call is without a limit.
func NewGatherer(callTimeout time.Duration, maxLaggards int) *Gatherer {
	return &Gatherer{callTimeout: callTimeout, maxLaggards: maxLaggards, running: map[*laggard]struct{}{}}
}

// start registers a call: the caller's values, but not its end.
func (g *Gatherer) start(ctx context.Context) *laggard {
	l := &laggard{}
	detached, stop := context.WithTimeout(context.WithoutCancel(ctx), g.callTimeout)
	l.stop = stop
	l.ctx, l.cancel = context.WithCancelCause(marked(detached, &l.alone))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[l] = struct{}{}
	return l
}

// leave makes a call a laggard, or cancels it where the bound is reached.
func (g *Gatherer) leave(l *laggard) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, runs := g.running[l]; !runs {
		return
	}
	l.left = true
	g.laggards++
	if g.laggards > g.maxLaggards {
		l.cancel(ErrTooManyLaggards)
	}
}

func (g *Gatherer) finish(l *laggard) {
	l.cancel(nil)
	l.stop()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, l)
	if l.left {
		g.laggards--
	}
	if len(g.running) == 0 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
}

// Laggards returns how many calls have outlived their gathering and still run.
func (g *Gatherer) Laggards() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.laggards
}

// Drain waits until no call runs. If ctx ends first, it cancels what runs, with
// [ErrDraining] as the cause, and returns an error that says how many those were.
// Start no gathering after Drain.
func (g *Gatherer) Drain(ctx context.Context) error {
	idle := g.whenIdle()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	if n := g.cancelAll(); n > 0 {
		return fmt.Errorf("%w: %d calls cancelled: %w", ErrDraining, n, context.Cause(ctx))
	}
	return nil
}

func (g *Gatherer) whenIdle() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	if len(g.running) == 0 {
		close(idle)
		g.idle = nil
	}
	return idle
}

func (g *Gatherer) cancelAll() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	for l := range g.running {
		l.cancel(ErrDraining)
	}
	return len(g.running)
}
