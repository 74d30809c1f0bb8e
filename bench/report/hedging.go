package report

import (
	"fmt"
	"strings"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/lab"
)

// Hedging renders the results of the hedging laboratory as a page.
func Hedging(c Conditions, rounds int, results []lab.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Hedging laboratory\n\n%s\n\n", c)
	fmt.Fprintf(&b, "Medians of %d rounds, in brackets the least and the most; latencies in ms. Every contender asks the same\n"+
		"origins in the same run, in rotated order; requests are counted by the origins. \"The limit\" is the least that any\n"+
		"chain of three attempts reaches with %.0f%% extra requests (each column its own best chain), \"by the law\" what no hedging\n"+
		"would show on a machine that takes no time itself: the difference to the measured row is the machine's.\n",
		rounds, 100*lab.Allowance)
	for _, r := range results {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n", r.Workload.Name, capital(r.Workload.About))
		for _, w := range r.Windows {
			if w.Window.Name != "" {
				fmt.Fprintf(&b, "\n**%s**\n", w.Window.Name)
			}
			b.WriteString("\n" + window(r.Workload, w))
		}
	}
	return b.String()
}

func window(w lab.Workload, r lab.WindowResult) string {
	t := NewTable("", "p50", "p95", "p99", "p99.9", fmt.Sprintf("over %d ms", w.Slower().Milliseconds()), "requests per call", "searches")
	if r.Limit != nil {
		t.Row(append(append([]string{"no hedging, by the law"}, cells(r.Limit.Unhedged)...), fmt.Sprintf("%.2f%%", 100*r.Limit.Slower), "1", "")...)
	}
	for _, row := range r.Rows {
		f := row.Figures
		name := row.Contender
		if name == contender.Product {
			name = "**" + name + "**"
		}
		if f.Failed > 0 {
			name += fmt.Sprintf(" (%d failed)", f.Failed)
		}
		t.Row(name, Whole(f.Tail[0]), Whole(f.Tail[1]), Whole(f.Tail[2]), Whole(f.Tail[3]), Percent(f.Over), Thousandths(f.Requests), fmt.Sprint(f.Searches))
	}
	if r.Limit != nil {
		t.Row(append(append([]string{"the limit"}, cells(r.Limit.Best)...), "", fmt.Sprintf("%.2f", 1+lab.Allowance), "")...)
	}
	return t.String()
}

func cells(tail [4]float64) []string {
	texts := make([]string, len(tail))
	for i, v := range tail {
		texts[i] = fmt.Sprintf("%.0f", v)
	}
	return texts
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// HedgingData is the same for programs.
type HedgingData struct {
	Conditions Conditions    `json:"conditions"`
	Rounds     int           `json:"rounds"`
	Workloads  []workloadRow `json:"workloads"`
}

type workloadRow struct {
	Name    string      `json:"name"`
	About   string      `json:"about"`
	Windows []windowRow `json:"windows"`
}

type windowRow struct {
	Name       string     `json:"name,omitempty"`
	Limit      *lab.Limit `json:"limit,omitempty"`
	Contenders []lab.Row  `json:"contenders"`
}

// HedgingDataOf picks what is saved of the results.
func HedgingDataOf(c Conditions, rounds int, results []lab.Result) HedgingData {
	d := HedgingData{Conditions: c, Rounds: rounds}
	for _, r := range results {
		row := workloadRow{Name: r.Workload.Name, About: r.Workload.About}
		for _, w := range r.Windows {
			row.Windows = append(row.Windows, windowRow{w.Window.Name, w.Limit, w.Rows})
		}
		d.Workloads = append(d.Workloads, row)
	}
	return d
}
