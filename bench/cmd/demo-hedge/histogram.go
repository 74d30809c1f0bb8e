package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/bench/stat"
)

// edges are where the bars of the histogram end; the last bar has no end.
func edges() []time.Duration {
	var all []time.Duration
	for _, ms := range []int{40, 60, 80, 100, 125, 150, 200, 300, 400, 500, 600, 800, 1000, 1250, 1500, 2000} {
		all = append(all, time.Duration(ms)*time.Millisecond)
	}
	return all
}

// barWidth is the longest bar, in characters.
const barWidth = 52

// draw writes the histogram and the percentiles of a trial.
func draw(out io.Writer, title string, t trial) {
	_, _ = fmt.Fprintf(out, "\n%s: p50 %s, p90 %s, p95 %s, p99 %s, slowest %s; %d requests to providers\n", title,
		ms(t.Latencies, 0.5), ms(t.Latencies, 0.9), ms(t.Latencies, 0.95), ms(t.Latencies, 0.99), ms(t.Latencies, 1), t.requests)
	counts := count(t.Latencies)
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	for i, n := range counts {
		bar := strings.Repeat("█", n*barWidth/most)
		if n > 0 && bar == "" {
			bar = "▏"
		}
		_, _ = fmt.Fprintf(out, "%9s ms │%s %s\n", label(i), bar, number(n))
	}
}

// count puts the latencies into the bars.
func count(s stat.Sample) []int {
	all := edges()
	counts := make([]int, len(all)+1)
	for _, d := range s {
		i := 0
		for i < len(all) && d > all[i] {
			i++
		}
		counts[i]++
	}
	return counts
}

func label(i int) string {
	all := edges()
	if i == len(all) {
		return fmt.Sprintf("over %d", all[i-1].Milliseconds())
	}
	from := int64(0)
	if i > 0 {
		from = all[i-1].Milliseconds()
	}
	return fmt.Sprintf("%d–%d", from, all[i].Milliseconds())
}

// number is empty for nought, so that the eye finds what is there.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func ms(s stat.Sample, q float64) string {
	return fmt.Sprintf("%d ms", s.Quantile(q).Milliseconds())
}

// conclude compares both trials.
func conclude(out io.Writer, off, on trial) {
	ratio := func(q float64) float64 {
		return float64(off.Latencies.Quantile(q)) / float64(max(1, on.Latencies.Quantile(q)))
	}
	_, _ = fmt.Fprintf(out, "\nWith hedging p95 is %.1f times and p99 %.1f times as short, for %+.1f%% requests to the providers.\n",
		ratio(0.95), ratio(0.99), 100*(float64(on.requests)/float64(max(1, off.requests))-1))
}
