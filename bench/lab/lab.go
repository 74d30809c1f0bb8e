package lab

import (
	"fmt"
	"io"
	"time"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/origin"
	"github.com/hedgehop/hedgehop/bench/theory"
)

// Lab runs workloads.
type Lab struct {
	Rounds int           // Of each contender under each workload.
	Span   time.Duration // Of a run that has no length of its own.
	Seed   uint64
	// Providers gives the providers of a workload, those of the run before
	// included; nothing else uses them meanwhile.
	Providers func(Workload) []origin.Provider
	// Enclose runs one measurement; in virtual time, inside a bubble.
	Enclose func(func())
	Virtual bool
	// Progress is told of each run.
	Progress io.Writer
}

// Result is a workload with the figures of all contenders.
type Result struct {
	Workload Workload
	Windows  []WindowResult
	Delays   []Delay // Of the product, in the last round.
}

// WindowResult is one window of a result.
type WindowResult struct {
	Window Window
	Limit  *Limit // Nil where there is none.
	Rows   []Row
}

// Row is one contender's figures.
type Row struct {
	Contender string  `json:"contender"`
	Figures   Figures `json:"figures"`
}

// Run measures every contender under a workload. Each round begins with another
// contender, so that what the machine does meanwhile strikes all alike.
func (l *Lab) Run(w Workload) (Result, error) {
	all := l.contenders(w)
	rounds := make([][][]round, len(all)) // By contender, window, round.
	result := Result{Workload: w}
	windows := w.windows()
	for n := range l.Rounds {
		for k := range all {
			i := (k + n) % len(all)
			r, err := l.once(w, all[i], l.Seed+uint64(n))
			if err != nil {
				return result, fmt.Errorf("%s: %s: %w", w.Name, all[i].Name, err)
			}
			if rounds[i] == nil {
				rounds[i] = make([][]round, len(windows))
			}
			for j, window := range windows {
				rounds[i][j] = append(rounds[i][j], roundOf(r, window))
			}
			if all[i].Name == contender.Product {
				result.Delays = r.delays
			}
			l.progress(w, all[i], n, rounds[i][0][n])
		}
	}
	result.Windows = l.windows(w, windows, all, rounds)
	return result, nil
}

// contenders are those that can run here.
func (l *Lab) contenders(w Workload) []contender.Contender {
	var able []contender.Contender
	for _, c := range contender.All(theory.BestConstant(w.Law, Allowance)) {
		if c.Virtual || !l.Virtual {
			able = append(able, c)
		}
	}
	return able
}

func (l *Lab) once(w Workload, c contender.Contender, seed uint64) (r *run, err error) {
	l.Enclose(func() { r, err = measure(w, c, l.Providers(w), l.Span, seed) })
	return r, err
}

func (l *Lab) progress(w Workload, c contender.Contender, n int, m round) {
	_, _ = fmt.Fprintf(l.Progress, "%-14s round %d  %-36s p95 %6.0f  p99 %6.0f  p99.9 %6.0f ms  %.3f requests per call\n",
		w.Name, n+1, c.Name, m.tail[1], m.tail[2], m.tail[3], m.requests)
}

func (*Lab) windows(w Workload, windows []Window, all []contender.Contender, rounds [][][]round) []WindowResult {
	var results []WindowResult
	for j, window := range windows {
		r := WindowResult{Window: window}
		if window.Law != nil {
			r.Limit = limitOf(w, window.Law)
		}
		for i, c := range all {
			r.Rows = append(r.Rows, Row{Contender: c.Name, Figures: figuresOf(rounds[i][j])})
		}
		results = append(results, r)
	}
	return results
}
