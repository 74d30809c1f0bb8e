package lab

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/origin"
	"github.com/hedgehop/hedgehop/internal/fanout"
)

// run is one contender under one workload once.
type run struct {
	workload  Workload
	span      time.Duration
	providers []origin.Provider
	client    *contender.Client
	gatherer  *fanout.Gatherer
	began     time.Time

	mu       sync.Mutex
	searches []search
	failed   int
	delays   []Delay
}

// search is one finished search.
type search struct{ at, took time.Duration }

// Delay is the delay that a contender used at a moment of the run.
type Delay struct{ At, Delay time.Duration }

// measure opens the contender, warms it up and runs the workload. What arrives at
// the origins is counted from the end of the warm-up on.
func measure(w Workload, c contender.Contender, providers []origin.Provider, span time.Duration, seed uint64) (*run, error) {
	r := &run{workload: w, span: span, providers: providers, gatherer: fanout.NewGatherer(time.Minute, 1<<20)}
	if w.Span > 0 {
		r.span = w.Span
	}
	client, err := c.Open(providers)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	r.client = client
	if w.Warm > 0 {
		r.begin(seed + 1_000_000)
		r.callers(min(w.InFlight, 20), func(n int64) bool { return n <= int64(w.Warm) })
	}
	r.searches, r.failed = nil, 0
	r.begin(seed)
	stop := r.watchDelay()
	r.callers(w.InFlight, func(n int64) bool {
		return (w.Searches == 0 || n <= int64(w.Searches)) && (w.Searches > 0 || time.Since(r.began) < r.span)
	})
	stop()
	return r, r.gatherer.Drain(context.Background())
}

// begin starts the clock of the run and of all origins.
func (r *run) begin(seed uint64) {
	r.began = time.Now()
	for n, p := range r.providers {
		for i, o := range p.Replicas {
			o.Begin(r.workload.scheduleOf(i), seed*1000+uint64(n*10+i))
		}
	}
}

// callers search one after the other, so many side by side, while another search,
// the n-th, is wanted.
func (r *run) callers(inFlight int, wanted func(n int64) bool) {
	var started atomic.Int64
	var all sync.WaitGroup
	for range inFlight {
		all.Go(func() {
			for wanted(started.Add(1)) {
				r.search()
			}
		})
	}
	all.Wait()
}

// search makes one search and notes what it took.
func (r *run) search() {
	at := time.Since(r.began)
	err := r.ask()
	took := time.Since(r.began) - at
	r.mu.Lock()
	defer r.mu.Unlock()
	r.searches = append(r.searches, search{at, took})
	if err != nil {
		r.failed++
	}
}

// ask asks every provider at once, as the product gathers, and waits for all. A
// single call is made without a gathering, which would tell the product that a
// search waits for this one alone.
func (r *run) ask() error {
	if r.workload.Calls() == 1 {
		return ask(context.Background(), r.client.Transports[0])
	}
	var calls []fanout.Call[struct{}]
	for _, transport := range r.client.Transports {
		for range r.workload.perProvider() {
			calls = append(calls, fanout.Call[struct{}]{Run: func(ctx context.Context) (struct{}, error) {
				return struct{}{}, ask(ctx, transport)
			}})
		}
	}
	var faults []error
	for _, result := range fanout.Gather(context.Background(), r.gatherer, fanout.Limits{}, calls, nil) {
		faults = append(faults, result.Err)
	}
	return errors.Join(faults...)
}

// ask makes one call and reads its answer to the end.
func ask(ctx context.Context, transport http.RoundTripper) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://provider/offers", http.NoBody)
	if err != nil {
		return err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return err
}

// watchDelay notes the contender's delay ten times a second until it is stopped.
func (r *run) watchDelay() (stop func()) {
	if r.client.Delay == nil {
		return func() {}
	}
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for {
			r.delays = append(r.delays, Delay{time.Since(r.began), r.client.Delay()})
			select {
			case <-ticker.C:
			case <-done:
				return
			}
		}
	})
	return func() { close(done); watching.Wait() }
}

// arrivals counts the requests that reached any origin within a window.
func (r *run) arrivals(w Window) int {
	count := 0
	for _, p := range r.providers {
		for _, o := range p.Replicas {
			for _, at := range o.Arrivals() {
				if at >= w.From && at < w.To {
					count++
				}
			}
		}
	}
	return count
}

// within returns the latencies of the searches that began in a window.
func (r *run) within(w Window) []time.Duration {
	var took []time.Duration
	for _, s := range r.searches {
		if s.at >= w.From && s.at < w.To {
			took = append(took, s.took)
		}
	}
	return took
}
