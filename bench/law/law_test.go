package law_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
)

const ms = time.Millisecond

// What is drawn must follow the survival function that the theory computes with.
func TestDrawsFollowSurvival(t *testing.T) {
	const draws = 200_000
	for name, l := range map[string]law.Law{
		"long tail":      law.LongTail(),
		"drifted":        law.Drifted(),
		"one in hundred": law.OneInHundred(),
		"lognormal":      law.LogNormal{Median: 30 * ms, Sigma: 1},
		"pareto":         law.Pareto{Least: 20 * ms, Most: 5 * time.Second, Alpha: 1.5},
		"constant":       law.Constant(time.Second),
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			ages := []time.Duration{-1, 0, 12 * ms, 30 * ms, 50 * ms, 90 * ms, 300 * ms, 750 * ms, 1050 * ms, 6 * time.Second}
			over := make([]int, len(ages))
			for range draws {
				x := l.Draw(r)
				for i, age := range ages {
					if x > age {
						over[i]++
					}
				}
			}
			for i, age := range ages {
				want, got := l.Survival(age), float64(over[i])/draws
				if allowed := 5 * math.Sqrt(want*(1-want)/draws); math.Abs(want-got) > allowed+1e-9 {
					t.Errorf("P(X > %v) = %.5f drawn, %.5f computed", age, got, want)
				}
			}
		})
	}
}

func TestBetween(t *testing.T) {
	schedule := law.Between(law.Constant(1), law.Constant(2), 10*time.Second, 14*time.Second)
	for at, want := range map[time.Duration]law.Law{
		0: law.Constant(1), 10*time.Second - 1: law.Constant(1), 10 * time.Second: law.Constant(2),
		14*time.Second - 1: law.Constant(2), 14 * time.Second: law.Constant(1),
	} {
		if got := schedule(at); got != want {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
}
