package main

import (
	"context"
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/bench/load"
	"github.com/hedgehop/hedgehop/bench/market"
	"github.com/hedgehop/hedgehop/bench/process"
	"github.com/hedgehop/hedgehop/bench/report"
)

// growth measures repeated searches and memory as more and more routes and dates
// are known. Ten thousand take a quarter of an hour to ask for; a thousand show the
// slope.
func growth(ctx context.Context, b bench) (report.Section, error) {
	s := report.Section{
		Title: "Growth",
		About: "Repeated searches in-process, 5 in flight, over more and more known routes and dates; the service's memory after it.",
	}
	sandbox, err := process.StartSandbox(ctx, b.folder, "none")
	if err != nil {
		return s, err
	}
	defer sandbox.Stop()
	service, err := process.StartService(ctx, b.folder, sandbox, longLived()...)
	if err != nil {
		return s, err
	}
	defer service.Stop()
	all := market.Cold(1000, time.Now().UTC())
	known := 0
	for _, n := range []int{10, 100, 1000} {
		for ; known < n; known++ {
			if _, err := search(ctx, service, all[known].Path("limit=3")); err != nil {
				return s, err
			}
		}
		if err := grown(ctx, b, &s, service, all[:n]); err != nil {
			return s, err
		}
	}
	return s, nil
}

func grown(ctx context.Context, b bench, s *report.Section, service *process.Process, known []market.Question) error {
	var paths []string
	for _, q := range known {
		paths = append(paths, q.Path("limit=3"))
	}
	var rates, p99 []float64
	for range b.rounds {
		r := load.Loop{Address: service.Address(), Connections: 5, Span: b.span, Path: inTurn(paths)}.Run(ctx)
		if r.Err != nil {
			return r.Err
		}
		rates, p99 = append(rates, r.Rate()), append(p99, r.Latencies.Quantile(0.99).Seconds()*1e3)
	}
	memory, err := service.Memory()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%d known, ", len(known))
	s.Add(name+"rate", "per s", "", rates...)
	s.Add(name+"p99", "ms", "", p99...)
	s.Add(name+"memory", "MiB", "", float64(memory)/(1<<20))
	return nil
}
