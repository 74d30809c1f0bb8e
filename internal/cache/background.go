package cache

import (
	"context"
	"fmt"
	"sync"
)

// background runs the work that outlives the request that began it: bounded in
// number, ended by cancel, awaited at the stop.
type background struct {
	ctx    context.Context //nolint:containedctx // the life of the work, which no caller's context is
	cancel context.CancelFunc

	mu     sync.Mutex
	limit  int
	active int
	closed bool
	idle   chan struct{} // closed when closed and nothing is active
}

func newBackground(limit int) *background {
	b := &background{limit: limit, idle: make(chan struct{})}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// run starts work on a goroutine of its own, unless the bound or the end is
// reached.
func (b *background) run(work func()) error {
	if err := b.enter(); err != nil {
		return err
	}
	go func() {
		defer b.leave()
		work()
	}()
	return nil
}

func (b *background) enter() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return ErrClosed
	case b.active >= b.limit:
		return ErrBusy
	}
	b.active++
	return nil
}

func (b *background) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.active--
	if b.closed && b.active == 0 {
		close(b.idle)
	}
}

// close admits no more and reports how many are active.
func (b *background) close() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		if b.active == 0 {
			close(b.idle)
		}
	}
	return b.active
}

func (b *background) drain(ctx context.Context) error {
	b.close()
	select {
	case <-b.idle:
		return nil
	case <-ctx.Done():
		left := b.close()
		b.cancel()
		return fmt.Errorf("cache: %d calls still ran at the end: %w", left, context.Cause(ctx))
	}
}

func (b *background) wait() {
	b.close()
	<-b.idle
}

// detach returns a context that keeps ctx's values and not its end: it lasts
// until cancelled, or until the background is.
func (b *background) detach(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(b.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}
