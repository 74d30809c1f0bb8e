package main

import (
	"fmt"
	"os"

	"github.com/hedgehop/hedgehop/bench/bubble"
	"github.com/hedgehop/hedgehop/bench/chart"
	"github.com/hedgehop/hedgehop/bench/lab"
	"github.com/hedgehop/hedgehop/bench/report"
)

// run measures and writes what was found.
func (s settings) run(workloads []lab.Workload) error {
	l := &lab.Lab{Rounds: s.rounds, Span: s.span, Seed: 1, Virtual: s.virtual, Progress: os.Stderr}
	if s.virtual {
		l.Providers = lab.Virtual
		bubble.Main(func(enclose func(func())) error {
			l.Enclose = enclose
			return s.measure(l, workloads)
		})
	}
	providers, end, err := lab.Sockets()
	if err != nil {
		return err
	}
	defer end()
	l.Providers, l.Enclose = providers, func(f func()) { f() }
	return s.measure(l, workloads)
}

// fileName keeps the results of a part from replacing those of the whole.
func (s settings) fileName() string {
	name := "hedging"
	if s.virtual {
		name += "-virtual"
	}
	if s.core {
		name += "-core"
	}
	if s.only != "" {
		name += "-part"
	}
	return name
}

func (s settings) measure(l *lab.Lab, workloads []lab.Workload) error {
	note := "Real sockets on loopback, origins in the same process."
	if s.virtual {
		note = "Virtual time: laws are followed exactly, nothing else takes time."
	}
	conditions := report.ConditionsNow(note)
	var results []lab.Result
	for _, w := range workloads {
		r, err := l.Run(w)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	page := report.Hedging(conditions, s.rounds, results)
	fmt.Print(page)
	if err := report.Save(s.out, s.fileName(), page, report.HedgingDataOf(conditions, s.rounds, results)); err != nil {
		return err
	}
	if s.charts == "" {
		return nil
	}
	return chart.Hedging(s.charts, results)
}
