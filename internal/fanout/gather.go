package fanout

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Limits says how long a gathering waits.
type Limits struct {
	// Soft: from then on nobody is waited for once one call has answered without
	// error. 0: none.
	Soft time.Duration
	// Hard: what has arrived by then is the answer. 0: none but the calls' own.
	Hard time.Duration
	// Have says that the caller already holds an answer, from a cache say; it
	// counts as "one has answered" for Soft.
	Have bool
}

// Call is one thing to ask.
type Call[T any] struct {
	Name string
	// Run asks. Its context keeps the values of the caller's but not its end:
	// Run may outlive the gathering, so it MUST end with its own context, and what
	// it does with a late value (fill a cache) is its own affair.
	Run func(context.Context) (T, error)
}

// Result is what became of one call.
type Result[T any] struct {
	Name    string
	Value   T
	Err     error         // What Run returned; [*PanicError]; [*StillOutError] where Done is false.
	Elapsed time.Duration // From the start to the answer, or to the end of the gathering.
	Done    bool          // False: still out when the gathering ended.
}

// Gather runs all calls at once and returns their results in the order of calls.
//
// It returns when all have come back, when a limit says so, or when ctx ends;
// then with what has arrived. A failure cancels nobody. Calls that are still out
// become laggards of g: they run on until they finish or their time is up, or are
// cancelled if too many laggards are out.
//
// arrived, if not nil, is told each result as it comes; it runs on the goroutine
// of the caller, one result at a time, and is not told of those still out.
func Gather[T any](ctx context.Context, g *Gatherer, limits Limits, calls []Call[T], arrived func(Result[T])) []Result[T] {
	round := newRound(ctx, g, calls)
	round.answered = limits.Have
	cause := round.wait(ctx, limits, arrived)
	return round.close(cause)
}

// round is one gathering. Its fields belong to the caller's goroutine; the calls
// only send to finished, which has room for all of them.
type round[T any] struct {
	gatherer *Gatherer
	started  time.Time
	results  []Result[T]
	running  []*laggard
	finished chan finish[T]
	out      int
	answered bool
}

type finish[T any] struct {
	index  int
	result Result[T]
}

func newRound[T any](ctx context.Context, g *Gatherer, calls []Call[T]) *round[T] {
	r := &round[T]{
		gatherer: g,
		started:  time.Now(),
		results:  make([]Result[T], len(calls)),
		running:  make([]*laggard, len(calls)),
		finished: make(chan finish[T], len(calls)),
		out:      len(calls),
	}
	for i, call := range calls {
		r.results[i].Name = call.Name
		r.running[i] = g.start(ctx)
	}
	r.markLast()
	for i, call := range calls {
		go r.run(i, call, r.running[i])
	}
	return r
}

func (r *round[T]) run(index int, call Call[T], self *laggard) {
	result := Result[T]{Name: call.Name, Done: true}
	result.Value, result.Err = protect(self.ctx, call.Run)
	result.Elapsed = time.Since(r.started)
	r.finished <- finish[T]{index, result}
	r.gatherer.finish(self)
}

// protect turns a panic into an error, so that one adapter's fault costs its own
// answer and not the process.
func protect[T any](ctx context.Context, run func(context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return run(ctx)
}

// wait collects results and returns why it stopped; nil: all came back.
func (r *round[T]) wait(ctx context.Context, limits Limits, arrived func(Result[T])) error {
	soft, stopSoft := after(limits.Soft)
	defer stopSoft()
	hard, stopHard := after(limits.Hard)
	defer stopHard()
	late := false
	for r.out > 0 && (!late || !r.answered) {
		select {
		case f := <-r.finished:
			r.take(f, arrived)
		case <-soft:
			late = true
		case <-hard:
			return r.sweep(context.DeadlineExceeded, arrived)
		case <-ctx.Done():
			return r.sweep(context.Cause(ctx), arrived)
		}
	}
	if r.out == 0 {
		return nil
	}
	return r.sweep(context.DeadlineExceeded, arrived)
}

// after is a timer that never fires for no duration.
func after(d time.Duration) (<-chan time.Time, func() bool) {
	if d <= 0 {
		return nil, func() bool { return false }
	}
	timer := time.NewTimer(d)
	return timer.C, timer.Stop
}

func (r *round[T]) take(f finish[T], arrived func(Result[T])) {
	r.results[f.index] = f.result
	r.running[f.index] = nil
	r.out--
	r.answered = r.answered || f.result.Err == nil
	r.markLast()
	if arrived != nil {
		arrived(f.result)
	}
}

// sweep takes what arrived at the very moment of the end.
func (r *round[T]) sweep(cause error, arrived func(Result[T])) error {
	for r.out > 0 {
		select {
		case f := <-r.finished:
			r.take(f, arrived)
		default:
			return cause
		}
	}
	return nil
}

// markLast tells the one call that is waited for alone: its transport may then
// draw on the process's hedges.
func (r *round[T]) markLast() {
	if r.out != 1 {
		return
	}
	for _, l := range r.running {
		if l != nil {
			l.alone.Store(true)
		}
	}
}

// close leaves those still out to the gatherer.
func (r *round[T]) close(cause error) []Result[T] {
	elapsed := time.Since(r.started)
	for i, l := range r.running {
		if l == nil {
			continue
		}
		l.alone.Store(false)
		r.gatherer.leave(l)
		result := &r.results[i]
		result.Elapsed = elapsed
		result.Err = &StillOutError{Name: result.Name, After: elapsed, Cause: cause}
	}
	return r.results
}

// marked gives the call a flag of its own to be marked alone with.
func marked(ctx context.Context, alone *atomic.Bool) context.Context {
	return with(ctx, func(m *marks) { m.alone = alone })
}
