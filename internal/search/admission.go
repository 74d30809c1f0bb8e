package search

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// ErrFull is a search that found no place among those that ask providers, and
// nothing remembered to answer with.
var ErrFull = errors.New("search: this instance asks for as many searches as it can")

// maxQueueing is how long a search waits for a place: longer, and the caller is
// better served by another instance.
const maxQueueing = time.Second

// Admission bounds how many searches ask providers at a time. A search that is
// answered from the cache, or waits for the same question of another, takes no
// place. Safe for concurrent use.
type Admission struct {
	places  *semaphore.Weighted
	queue   int64
	waiting atomic.Int64
}

// NewAdmission lets as many searches as there are places ask at a time and, at
// most a second each, as many more wait as the queue holds, in the order of their
// coming. Further ones are refused at once.
func NewAdmission(places, queue int) *Admission {
	return &Admission{places: semaphore.NewWeighted(int64(places)), queue: int64(queue)}
}

// admitted is how a search came by its place.
type admitted string

const (
	admittedAtOnce admitted = "at_once"
	admittedLater  admitted = "later"
	refused        admitted = "refused"
)

// take waits for a place; ErrFull says that there is none in time.
func (a *Admission) take(ctx context.Context) (admitted, error) {
	if a.places.TryAcquire(1) {
		return admittedAtOnce, nil
	}
	defer a.waiting.Add(-1)
	if a.waiting.Add(1) > a.queue {
		return refused, ErrFull
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxQueueing, ErrFull)
	defer cancel()
	if a.places.Acquire(ctx, 1) != nil {
		return refused, context.Cause(ctx)
	}
	return admittedLater, nil
}

// spare asks with a place that is free at this moment, or not at all: for what
// nobody waits for. Nil asks always.
func (a *Admission) spare(fetch cache.Fetch[providers.Answer]) cache.Fetch[providers.Answer] {
	if a == nil {
		return fetch
	}
	return func(ctx context.Context) (cache.Filling[providers.Answer], error) {
		if !a.places.TryAcquire(1) {
			return cache.Filling[providers.Answer]{}, ErrFull
		}
		defer a.places.Release(1)
		return fetch(ctx)
	}
}

// place is one search's, taken when the first provider is really asked for it
// and shared by all of its questions. It is given back once the search is over
// and its questions have ended. Where some have not, it is kept for as long as
// the soft limit: a slow provider does not keep the next search out longer, and a
// caller who leaves at once cannot have ever more asked.
type place struct {
	admission *Admission // Nil: there is always room.
	atMost    time.Duration
	seen      *telemetry

	mu     sync.Mutex
	taking chan struct{} // Closed once taken or refused; nil before the first question.
	err    error         // Why it was refused.
	held   bool
	since  time.Time
	asking int
	over   bool
}

func (s *Service) place() *place {
	return &place{admission: s.options.Admission, atMost: s.options.SoftTimeout, seen: s.seen}
}

// around asks from a place of the search.
func (p *place) around(fetch cache.Fetch[providers.Answer]) cache.Fetch[providers.Answer] {
	if p.admission == nil {
		return fetch
	}
	return func(ctx context.Context) (cache.Filling[providers.Answer], error) {
		if err := p.enter(ctx); err != nil {
			return cache.Filling[providers.Answer]{}, err
		}
		defer p.leave()
		return fetch(ctx)
	}
}

// enter takes the place for the first question and waits with the others until
// it is taken. The wait is the shared question's: a caller who leaves harms
// nobody who joined it.
func (p *place) enter(ctx context.Context) error {
	p.mu.Lock()
	p.asking++
	taking, first := p.taking, p.taking == nil
	if first {
		taking = make(chan struct{})
		p.taking = taking
	}
	p.mu.Unlock()
	if first {
		how, err := p.admission.take(ctx)
		p.seen.admitted(ctx, how)
		p.taken(err)
	}
	select {
	case <-taking:
	case <-ctx.Done():
	}
	p.mu.Lock()
	err := p.err
	p.mu.Unlock()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		p.leave()
	}
	return err
}

func (p *place) taken(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err, p.held, p.since = err, err == nil, time.Now()
	close(p.taking)
	p.watch()
}

// leave ends one question.
func (p *place) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asking--
	p.settle()
}

// end says that the search is over.
func (p *place) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.settle()
	p.watch()
}

// watch gives the place of a search that is over back when its time is up.
func (p *place) watch() {
	if p.held && p.over {
		time.AfterFunc(p.atMost-time.Since(p.since), p.giveUp)
	}
}

func (p *place) giveUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveBack()
}

func (p *place) giveBack() {
	if p.held {
		p.held = false
		p.admission.places.Release(1)
	}
}

// settle gives back the place of a search that is over and asks nobody.
func (p *place) settle() {
	if p.over && p.asking == 0 {
		p.giveBack()
	}
}
