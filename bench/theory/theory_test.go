package theory_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
	"github.com/hedgehop/hedgehop/bench/theory"
)

const ms = time.Millisecond

func near(t *testing.T, what string, got time.Duration, low, high float64) {
	t.Helper()
	if f := float64(got) / float64(ms); f < low || f > high {
		t.Errorf("%s = %.2f ms, want %v to %v", what, f, low, high)
	}
}

// The limit that others are compared with, by hand: a copy at 50 ms is needed by
// 10 % of the calls and answers between 60 and 100 ms for nine of ten of those.
func TestPublishedLimit(t *testing.T) {
	l := law.LongTail()
	p := theory.Constant(50*ms, 3)
	near(t, "p95", p.Quantile(l, 0.95), 82.1, 82.3)
	near(t, "p99", p.Quantile(l, 0.99), 99.9, 111) // Exactly 1 % is out from 100 to 110 ms.
	near(t, "p99.9", p.Quantile(l, 0.999), 149.9, 150.1)
	near(t, "p95 of three", p.Quantile(l, theory.FanOut(0.95, 3)), 96.5, 97.5)
	near(t, "p99 of three", p.Quantile(l, theory.FanOut(0.99, 3)), 139, 141)
	if extra := p.Extra(l); math.Abs(extra-0.11) > 1e-9 {
		t.Errorf("extra = %v, want 0.11", extra)
	}
}

// No chain within +12 % is much better than that constant, none within +1 % is
// nearly as good.
func TestLimitUnderBudget(t *testing.T) {
	l := law.LongTail()
	for _, test := range []struct{ extra, q, low, high float64 }{
		{0.12, 0.95, 80, 82.3}, {0.12, 0.99, 98, 101}, {0.12, 0.999, 140, 150.1},
		{0.01, 0.95, 700, 751},
	} {
		got, chain := theory.Limit(l, test.extra, test.q)
		near(t, "limit", got, test.low, test.high)
		if extra := chain.Extra(l); extra > test.extra+1e-9 {
			t.Errorf("%v costs %v, more than %v", chain, extra, test.extra)
		}
	}
}

func TestNoHedging(t *testing.T) {
	l := law.LongTail()
	near(t, "p95", theory.Policy(nil).Quantile(l, 0.95), 749, 751)
	if extra := theory.Policy(nil).Extra(l); extra != 0 {
		t.Errorf("extra = %v without hedging", extra)
	}
}

// 63 % of searches over 100 servers take a second where each does so once in a
// hundred ("The Tail at Scale", figure 1).
func TestTailAtScale(t *testing.T) {
	out := theory.Policy(nil).Survival(law.OneInHundred(), 999*ms)
	if share := 1 - math.Pow(1-out, 100); math.Abs(share-0.634) > 0.001 {
		t.Errorf("%.3f of searches are slow, want 0.634", share)
	}
}

func TestClosedFormAgainstMonteCarlo(t *testing.T) {
	const calls = 300_000
	policies := map[string]theory.Policy{
		"none":              nil,
		"textbook":          theory.Constant(80*ms, 3),
		"two of a kind":     {{At: 30 * ms, Share: 0.3}, {At: 45 * ms, Share: 0.5}},
		"late third":        {{At: 50 * ms, Share: 1}, {At: 300 * ms, Share: 0.7}},
		"four":              theory.Constant(40*ms, 4),
		"hedge at no delay": {{At: 0, Share: 1}},
	}
	laws := map[string]law.Law{
		"long tail": law.LongTail(),
		"lognormal": law.LogNormal{Median: 30 * ms, Sigma: 1},
		"pareto":    law.Pareto{Least: 20 * ms, Most: 5 * time.Second, Alpha: 1.5},
	}
	for policyName, p := range policies {
		for lawName, l := range laws {
			t.Run(policyName+" "+lawName, func(t *testing.T) {
				played, extra := p.MonteCarlo(l, calls, rand.New(rand.NewPCG(7, 9)))
				if want := p.Extra(l); math.Abs(want-extra) > 0.01*max(want, 0.2) {
					t.Errorf("extra = %.4f played, %.4f computed", extra, want)
				}
				for _, age := range []time.Duration{20 * ms, 35 * ms, 60 * ms, 95 * ms, 140 * ms, 400 * ms, 800 * ms} {
					want, got := p.Survival(l, age), played.Over(age)
					if allowed := 5*math.Sqrt(want*(1-want)/calls) + 1e-9; math.Abs(want-got) > allowed {
						t.Errorf("P(call > %v) = %.5f played, %.5f computed", age, got, want)
					}
				}
			})
		}
	}
}

func TestQuantileInvertsSurvival(t *testing.T) {
	l := law.LogNormal{Median: 30 * ms, Sigma: 1}
	p := theory.Constant(80*ms, 3)
	for _, q := range []float64{0.1, 0.5, 0.9, 0.99, 0.999} {
		if got := 1 - p.Survival(l, p.Quantile(l, q)); math.Abs(got-q) > 1e-3 {
			t.Errorf("quantile %v is at %v", q, got)
		}
	}
}
