package fanout

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The simulation: a transport against a law of latency, in virtual time, callers in
// a closed loop.

// sample is one finished call.
type sample struct {
	at, took time.Duration // Since the start of the run.
}

// experiment is a run of callers, each of which calls again when it has an answer.
type experiment struct {
	callers int
	calls   int           // In all; 0: until span.
	span    time.Duration // Virtual.
}

func (e experiment) run(call func(context.Context)) []sample {
	var (
		mu      sync.Mutex
		samples []sample
		started atomic.Int64
		callers sync.WaitGroup
	)
	began := time.Now()
	for range e.callers {
		callers.Go(func() {
			for (e.calls == 0 || started.Add(1) <= int64(e.calls)) && (e.span == 0 || time.Since(began) < e.span) {
				at := time.Since(began)
				call(context.Background())
				mu.Lock()
				samples = append(samples, sample{at, time.Since(began) - at})
				mu.Unlock()
			}
		})
	}
	callers.Wait()
	return samples
}

func percentile(samples []sample, p float64) time.Duration {
	took := make([]time.Duration, len(samples))
	for i, s := range samples {
		took[i] = s.took
	}
	slices.Sort(took)
	return took[min(len(took)-1, int(p*float64(len(took))))]
}

func between(samples []sample, from, to time.Duration) []sample {
	var in []sample
	for _, s := range samples {
		if s.at >= from && s.at < to {
			in = append(in, s)
		}
	}
	return in
}

// untuned are the options that a provider gets where nobody tunes anything.
func untuned(provider http.RoundTripper) Options {
	return Options{
		Name: "sandbox", Class: Free, MaxAttempts: 3, Budget: 0.20,
		Typical: 30 * time.Millisecond, Timeout: 6 * time.Second,
		Primary: provider, Secondary: provider,
	}
}

// hedged makes a transport or fails the test.
func hedged(t testing.TB, o Options) *Transport {
	t.Helper()
	transport, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return transport
}

// ask makes one call and reads its answer.
func ask(ctx context.Context, t testing.TB, transport http.RoundTripper) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://sandbox/", http.NoBody)
	if err != nil {
		t.Error(err)
		return
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Error(err)
		return
	}
	discard(resp)
}
