package lab

import (
	"time"

	"github.com/hedgehop/hedgehop/bench/stat"
)

// Quantiles are the ones that tables show.
var Quantiles = [...]float64{0.5, 0.95, 0.99, 0.999}

// Figures are one contender's in one window: medians over the rounds, with the
// least and the most. Latencies are in milliseconds.
type Figures struct {
	Searches int            `json:"searches"` // Of all rounds together.
	Failed   int            `json:"failed"`
	Mean     stat.Spread    `json:"mean_ms"`
	Tail     [4]stat.Spread `json:"p50_p95_p99_p999_ms"`
	Over     stat.Spread    `json:"share_slower"`
	Requests stat.Spread    `json:"requests_per_call"`
	// All is every latency of all rounds, for charts.
	All stat.Sample `json:"-"`
}

// round is what one run measured in one window.
type round struct {
	mean, over, requests float64
	tail                 [4]float64
	sample               stat.Sample
	failed               int
}

func roundOf(r *run, w Window) round {
	sample := stat.SampleOf(r.within(w))
	m := round{
		mean: millis(sample.Mean()), over: sample.Over(r.workload.Slower()), sample: sample, failed: r.failed,
		requests: float64(r.arrivals(w)) / float64(max(1, len(sample)*r.workload.Calls())),
	}
	for i, q := range Quantiles {
		m.tail[i] = millis(sample.Quantile(q))
	}
	return m
}

// figuresOf sums up the rounds.
func figuresOf(rounds []round) Figures {
	f := Figures{
		Mean:     spread(rounds, func(r round) float64 { return r.mean }),
		Over:     spread(rounds, func(r round) float64 { return r.over }),
		Requests: spread(rounds, func(r round) float64 { return r.requests }),
	}
	for i := range f.Tail {
		f.Tail[i] = spread(rounds, func(r round) float64 { return r.tail[i] })
	}
	var all []time.Duration
	for _, r := range rounds {
		f.Searches += len(r.sample)
		f.Failed += r.failed
		all = append(all, r.sample...)
	}
	f.All = stat.SampleOf(all)
	return f
}

func spread(rounds []round, figure func(round) float64) stat.Spread {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = figure(r)
	}
	return stat.SpreadOf(values)
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
