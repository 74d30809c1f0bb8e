package fanout

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTune(t *testing.T) {
	for _, attempts := range []int{3, 4} {
		for _, callers := range []int{50, 5} {
			var p95, p99, p999, rpc []float64
			for seed := uint64(1); seed <= 10; seed++ {
				synctest.Test(t, func(t *testing.T) {
					src := newSource(seed, longTail())
					o := untuned(src)
					o.MaxAttempts = attempts
					tr := hedged(t, o)
					s := experiment{callers: callers, calls: 20000}.run(func(ctx context.Context) { ask(t, tr, ctx) })
					p95 = append(p95, percentile(s, .95).Seconds()*1000)
					p99 = append(p99, percentile(s, .99).Seconds()*1000)
					p999 = append(p999, percentile(s, .999).Seconds()*1000)
					rpc = append(rpc, float64(src.requests.Load())/float64(len(s)))
				})
			}
			t.Logf("attempts %d callers %d p95 %s p99 %s p99.9 %s rpc %s", attempts, callers, mid(p95), mid(p99), mid(p999), mid3(rpc))
		}
	}
	for _, callers := range []int{50, 5} {
		var ratio, rec95, rec99, rel95 []float64
		for seed := uint64(1); seed <= 20; seed++ {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				normal := longTail()
				var reqs atomic.Int64
				src := newSource(seed, nil)
				src.law = func(r *rand.Rand, now time.Time) time.Duration {
					if e := now.Sub(began); e >= 10*time.Second && e < 14*time.Second {
						reqs.Add(1)
						return time.Second
					}
					return normal(r, now)
				}
				tr := hedged(t, untuned(src))
				s := experiment{callers: callers, span: 30 * time.Second}.run(func(ctx context.Context) { ask(t, tr, ctx) })
				ratio = append(ratio, float64(reqs.Load())/float64(len(between(s, 10*time.Second, 14*time.Second))))
				rec95 = append(rec95, percentile(between(s, 15*time.Second, 17*time.Second), .95).Seconds()*1000)
				rel95 = append(rel95, percentile(between(s, 17*time.Second, 19*time.Second), .95).Seconds()*1000)
				rec99 = append(rec99, percentile(between(s, 19*time.Second, 30*time.Second), .99).Seconds()*1000)
			})
		}
		t.Logf("brown %d ratio %s p95@15-17 %s p95@17-19 %s p99@19+ %s", callers, mid3(ratio), mid(rec95), mid(rel95), mid(rec99))
	}
}
