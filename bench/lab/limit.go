package lab

import (
	"math"

	"github.com/hedgehop/hedgehop/bench/law"
	"github.com/hedgehop/hedgehop/bench/theory"
)

// Allowance is the share of extra requests that the limit and the oracle may spend:
// what the budget of the product comes to in practice.
const Allowance = 0.12

// Limit is what nobody can pass: the least p50, p95, p99 and p99.9 in milliseconds
// of any chain of three attempts within [Allowance], and the same without hedging.
type Limit struct {
	Best     [4]float64 `json:"best_p50_p95_p99_p999_ms"`
	Unhedged [4]float64 `json:"unhedged_p50_p95_p99_p999_ms"`
	Slower   float64    `json:"unhedged_share_slower"`
}

// limitOf computes the limit of searches that wait for several calls of one law.
func limitOf(w Workload, l law.Law) *Limit {
	limit := &Limit{}
	for i, q := range Quantiles {
		single := theory.FanOut(q, w.Calls())
		best, _ := theory.Limit(l, Allowance, single)
		limit.Best[i], limit.Unhedged[i] = millis(best), millis(theory.Policy(nil).Quantile(l, single))
	}
	limit.Slower = 1 - math.Pow(1-l.Survival(w.Slower()), float64(w.Calls()))
	return limit
}
