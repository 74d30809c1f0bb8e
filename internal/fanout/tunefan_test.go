package fanout

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestFan(t *testing.T) {
	for _, fleet := range []bool{true, false} {
		for _, callers := range []int{50, 5} {
			var p95, p99, p999, rpc []float64
			for seed := uint64(1); seed <= 10; seed++ {
				synctest.Test(t, func(t *testing.T) {
					var f *Fleet
					if fleet {
						f = NewFleet()
					}
					var srcs []*source
					var calls []Call[int]
					for i := range 3 {
						src := newSource(seed*10+uint64(i), longTail())
						o := untuned(src)
						o.Fleet = f
						tr := hedged(t, o)
						srcs = append(srcs, src)
						calls = append(calls, Call[int]{o.Name, func(ctx context.Context) (int, error) { ask(t, tr, ctx); return 0, nil }})
					}
					g := NewGatherer(6*time.Second, 100)
					s := experiment{callers: callers, calls: 10000}.run(func(ctx context.Context) { Gather(ctx, g, Limits{Hard: 8 * time.Second}, calls, nil) })
					p95 = append(p95, percentile(s, .95).Seconds()*1000)
					p99 = append(p99, percentile(s, .99).Seconds()*1000)
					p999 = append(p999, percentile(s, .999).Seconds()*1000)
					n := 0.0
					for _, s := range srcs {
						n += float64(s.requests.Load())
					}
					rpc = append(rpc, n/float64(len(s))/3)
				})
			}
			t.Logf("fleet %v callers %d p95 %s p99 %s p99.9 %s rpc %s", fleet, callers, mid(p95), mid(p99), mid(p999), mid3(rpc))
		}
	}
}

func TestLaws(t *testing.T) {
	ms := time.Millisecond
	laws := map[string]law{
		"lognormal2s.4": func(r *rand.Rand, _ time.Time) time.Duration {
			return time.Duration(2e9 * math.Exp(.4*r.NormFloat64()))
		},
		"exp100":     func(r *rand.Rand, _ time.Time) time.Duration { return time.Duration(1e8 * r.ExpFloat64()) },
		"slow2-3":    uniform(2*time.Second, 3*time.Second),
		"zero":       mostly(uniform(100*time.Microsecond, 300*time.Microsecond), uniform(300*time.Microsecond, 8*ms), .02),
		"onepercent": mostly(uniform(10*ms, 50*ms), uniform(500*ms, time.Second), .01),
		"halfslow":   mostly(uniform(10*ms, 50*ms), uniform(500*ms, time.Second), .5),
		"pareto": func(r *rand.Rand, _ time.Time) time.Duration {
			return time.Duration(20e6 * math.Pow(1-r.Float64(), -1/1.5))
		},
		"2-3+tail": mostly(uniform(2*time.Second, 3*time.Second), uniform(5*time.Second, 8*time.Second), .05),
	}
	for name, l := range laws {
		for _, class := range []Class{Never, Free, Metered} {
			synctest.Test(t, func(t *testing.T) {
				src := newSource(1, l)
				o := untuned(src)
				o.Timeout = 10 * time.Second
				o.Class = class
				if class == Never {
					o.MaxAttempts = 1
				}
				tr := hedged(t, o)
				var bad atomic.Int64
				s := experiment{callers: 20, calls: 5000}.run(func(ctx context.Context) {
					req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://sandbox/", http.NoBody)
					resp, err := tr.RoundTrip(req)
					if err != nil {
						bad.Add(1)
						return
					}
					discard(resp)
				})
				st := tr.State()
				t.Logf("%s %v: %s rpc=%.3f d=%v S=%.3f q=%.2f win=%.2f %v bad=%d", name, class, tails(s), float64(src.requests.Load())/float64(len(s)), st.Delay, st.Survival, st.Share, st.WinRate, st.Denied, bad.Load())
			})
		}
	}
}
