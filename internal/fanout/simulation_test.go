package fanout

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The laboratory: a transport against a law of latency, in virtual time, callers in
// a closed loop. The figures are compared with what the best constant reaches on
// the same law.

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

func tails(samples []sample) string {
	ms := func(p float64) int64 { return percentile(samples, p).Milliseconds() }
	return fmt.Sprintf("n=%d p50=%d p95=%d p99=%d p99.9=%d", len(samples), ms(.5), ms(.95), ms(.99), ms(.999))
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
func ask(t testing.TB, transport http.RoundTripper, ctx context.Context) {
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

func TestLab(t *testing.T) {
	for _, callers := range []int{50, 5} {
		for seed := uint64(1); seed <= 5; seed++ {
			synctest.Test(t, func(t *testing.T) {
				src := newSource(seed, longTail())
				tr := hedged(t, untuned(src))
				s := experiment{callers: callers, calls: 20000}.run(func(ctx context.Context) { ask(t, tr, ctx) })
				st := tr.State()
				t.Logf("%d: %s req/call=%.3f %v S=%.3f win=%.2f denied=%v", callers, tails(s), float64(src.requests.Load())/float64(len(s)), st.Delay, st.Survival, st.WinRate, st.Denied)
			})
		}
		cold := 0.0
		var worst float64
		for seed := uint64(1); seed <= 200; seed++ {
			synctest.Test(t, func(t *testing.T) {
				src := newSource(seed, longTail())
				tr := hedged(t, untuned(src))
				experiment{callers: callers, calls: 60}.run(func(ctx context.Context) { ask(t, tr, ctx) })
				cold += float64(src.requests.Load()) / 60 / 200
				worst = max(worst, float64(src.requests.Load())/60)
			})
		}
		t.Logf("%d cold: mean %.3f worst %.3f", callers, cold, worst)
	}
}

func TestLabBrownOut(t *testing.T) {
	for _, callers := range []int{50, 5} {
		for seed := uint64(1); seed <= 5; seed++ {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				slow := func(now time.Time) bool { e := now.Sub(began); return e >= 10*time.Second && e < 14*time.Second }
				normal := longTail()
				var reqs atomic.Int64
				src := newSource(seed, nil)
				src.law = func(r *rand.Rand, now time.Time) time.Duration {
					if slow(now) {
						reqs.Add(1)
						return time.Second
					}
					return normal(r, now)
				}
				tr := hedged(t, untuned(src))
				s := experiment{callers: callers, span: 30 * time.Second}.run(func(ctx context.Context) { ask(t, tr, ctx) })
				in := between(s, 10*time.Second, 14*time.Second)
				t.Logf("%d: brownout calls=%d requests=%d ratio=%.3f  16-18s: %s | 20-30s %s", callers, len(in), reqs.Load(), float64(reqs.Load())/float64(len(in)),
					tails(between(s, 15*time.Second, 18*time.Second)), tails(between(s, 18*time.Second, 30*time.Second)))
			})
		}
	}
}

func TestLabDrift(t *testing.T) {

	for _, callers := range []int{50, 5} {
		for seed := uint64(1); seed <= 3; seed++ {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				slow := uniform(500*ms, time.Second)
				a, b := mostly(uniform(10*ms, 50*ms), slow, .1), mostly(uniform(70*ms, 110*ms), slow, .1)
				src := newSource(seed, nil)
				src.law = func(r *rand.Rand, now time.Time) time.Duration {
					if e := now.Sub(began); e >= 20*time.Second && e < 40*time.Second {
						return b(r, now)
					}
					return a(r, now)
				}
				tr := hedged(t, untuned(src))
				s := experiment{callers: callers, span: 60 * time.Second}.run(func(ctx context.Context) { ask(t, tr, ctx) })
				for _, from := range []time.Duration{5, 20, 25, 40, 45} {
					from *= time.Second
					to := from + 5*time.Second
					if from%(20*time.Second) == 5*time.Second {
						to = from + 15*time.Second
					}
					t.Logf("%d: %v-%v %s", callers, from, to, tails(between(s, from, to)))
				}
				t.Logf("req/call %.3f", float64(src.requests.Load())/float64(len(s)))
			})
		}
	}
}
