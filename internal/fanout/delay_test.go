package fanout

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// learnt is the survival after n answers drawn from a law.
func learnt(l law, n int) *survival {
	r := rand.New(rand.NewPCG(1, 1))
	ages := make([]time.Duration, n)
	for i := range ages {
		ages[i] = l(r, time.Time{})
	}
	return survive(seen(ages, nil))
}

func TestBestDelay(t *testing.T) {
	exponential := func(r *rand.Rand, _ time.Time) time.Duration {
		return time.Duration(100 * float64(ms) * r.ExpFloat64())
	}
	instant := mostly(uniform(100*time.Microsecond, 300*time.Microsecond), uniform(300*time.Microsecond, 4*ms), 0.02)
	free, metered := terms{share: 0.2, price: 0.25, late: 1}, terms{share: 0.02, price: 1, late: 0.05}
	for _, test := range []struct {
		name     string
		law      law
		terms    terms
		from, to time.Duration
		share    float64
	}{
		{"where the fast answers end", longTail(), free, 48 * ms, 54 * ms, 1},
		{"without memory, where early and late are worth the same", exponential, free, 100 * ms, 220 * ms, 0.8},
		{"half are slow: with a probability", mostly(uniform(10*ms, 50*ms), uniform(500*ms, time.Second), 0.5), free, 48 * ms, 54 * ms, 0.32},
		{"no tail: past all of it", uniform(2*time.Second, 3*time.Second), free, 2900 * ms, 3 * time.Second, 1},
		{"an instant service: not on noise", instant, free, minDelay, 3 * time.Second, 1},
		{"metered: past the p95", longTail(), metered, 700 * ms, time.Second, 0.4},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := bestPlan(learnt(test.law, 5000), test.terms, 6*time.Second)
			if p.delay < test.from || p.delay > test.to {
				t.Errorf("delay %v, want %v to %v", p.delay, test.from, test.to)
			}
			if math.Abs(p.share-test.share) > 0.2 && test.terms.late == 1 {
				t.Errorf("q = %.2f, want %.2f", p.share, test.share)
			}
			if extra := p.share * p.survival; extra > test.terms.share {
				t.Errorf("%.3f extra requests per call, above the budget of %v", extra, test.terms.share)
			}
		})
	}
}

// The prediction is checked against a million draws of min(X, d+Y).
func TestPredictedMean(t *testing.T) {
	const d = 60 * ms
	l, r := longTail(), rand.New(rand.NewPCG(2, 2))
	sum := 0.0
	const draws = 1_000_000
	for range draws {
		sum += min(l(r, time.Time{}), d+l(r, time.Time{})).Seconds()
	}
	predicted := learnt(l, 50_000).meanHedged(d, time.Second)
	if drawn := sum / draws; math.Abs(predicted-drawn) > 0.03*drawn {
		t.Errorf("predicted %.4f s, drawn %.4f s", predicted, drawn)
	}
}

func TestNothingIsHedgedBeforeEnoughIsKnown(t *testing.T) {
	o := untuned(nil)
	o.Typical = 0
	now := time.Unix(0, 0)
	e := newEstimator(&o, []terms{termsOf(Free, &o)}, nil, now)
	for range enough {
		if e.plan(0).armed {
			t.Fatal("hedged too soon")
		}
		now = now.Add(refitEvery)
		e.observe(20*ms, true, now)
		e.refit(now)
	}
	if !e.plan(0).armed {
		t.Errorf("not hedged after %d answers", enough)
	}
}

func TestPriorFollowsTheDeclaredLatency(t *testing.T) {
	for _, typical := range []time.Duration{30 * ms, 300 * ms, 2 * time.Second} {
		o := untuned(nil)
		o.Timeout = 20 * time.Second
		now := time.Unix(0, 0)
		e := newEstimator(&o, []terms{termsOf(Free, &o)}, prior(typical, now), now)
		if d := e.plan(0).delay; d < 3*typical/2 || d > 5*typical/2 {
			t.Errorf("declared %v: first delay %v", typical, d)
		}
	}
}

func TestPlansAreMadeAtMostEveryTenthOfASecond(t *testing.T) {
	o := untuned(nil)
	now := time.Unix(0, 0)
	e := newEstimator(&o, []terms{termsOf(Free, &o)}, prior(o.Typical, now), now)
	first := e.plan(0)
	e.refit(now.Add(refitEvery - 1))
	if e.plan(0) != first {
		t.Error("made anew too soon")
	}
	e.refit(now.Add(refitEvery))
	if e.plan(0) == first {
		t.Error("not made anew")
	}
}

func BenchmarkFit(b *testing.B) {
	o := untuned(nil)
	now := time.Unix(0, 0)
	e := newEstimator(&o, []terms{termsOf(Free, &o), termsOf(Metered, &o)}, nil, now)
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		e.observe(longTail()(r, now), true, now)
	}
	for b.Loop() {
		e.fit(now)
	}
}
