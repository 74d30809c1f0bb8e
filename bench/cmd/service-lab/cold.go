package main

import (
	"context"
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/bench/market"
	"github.com/hedgehop/hedgehop/bench/process"
	"github.com/hedgehop/hedgehop/bench/report"
	"github.com/hedgehop/hedgehop/bench/stat"
)

// coldSearches are asked in each round.
const coldSearches = 30

// cold measures what the service adds to its slowest provider: one cold search at a
// time, JFK to LHR, a different day each, providers that answer at once.
func cold(ctx context.Context, b bench) (report.Section, error) {
	s := report.Section{Title: "Cold searches"}
	sandbox, err := process.StartSandbox(ctx, b.folder, "none")
	if err != nil {
		return s, err
	}
	defer sandbox.Stop()
	service, err := process.StartService(ctx, b.folder, sandbox)
	if err != nil {
		return s, err
	}
	defer service.Stop()
	var inside, outside, p95, cpu []float64
	offers := 0
	for n := range b.rounds {
		before, err := service.CPU()
		if err != nil {
			return s, err
		}
		within, beyond, last, err := coldRound(ctx, service, n)
		if err != nil {
			return s, err
		}
		after, err := service.CPU()
		if err != nil {
			return s, err
		}
		offers = last.offers
		inside, outside = append(inside, median(within)), append(outside, median(beyond))
		p95 = append(p95, stat.SampleOf(beyond).Quantile(0.95).Seconds()*1e3)
		cpu = append(cpu, (after-before)*1e3/coldSearches)
	}
	s.About = fmt.Sprintf("One at a time, %d a round, JFK–LHR on different days, about %d offers of three providers; "+
		"the provider calls themselves, decoding included, are taken off.", coldSearches, offers)
	s.Add("over the slowest provider call, by Server-Timing", "ms", "≤ 5", inside...)
	s.Add("over the slowest provider call, as the client sees it", "ms", "≤ 5", outside...)
	s.Add("the same at p95", "ms", "", p95...)
	s.Add("CPU of one cold search", "ms", "", cpu...)
	return s, nil
}

func coldRound(ctx context.Context, service *process.Process, round int) (inside, outside []time.Duration, last answer, err error) {
	day := time.Now().UTC().AddDate(0, 0, 20+round*coldSearches)
	for i := range coldSearches {
		q := market.Question{Origin: "JFK", Destination: "LHR", Date: day.AddDate(0, 0, i)}
		last, err = search(ctx, service, q.Path(""))
		if err != nil {
			return nil, nil, last, err
		}
		if !last.complete || last.slowest() == 0 {
			return nil, nil, last, fmt.Errorf("%s was not a complete cold search: %v", q.Path(""), last.timing)
		}
		inside = append(inside, millis(last.timing["total"]-last.slowest()))
		outside = append(outside, last.took-millis(last.slowest()))
	}
	return inside, outside, last, nil
}

func millis(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

func median(d []time.Duration) float64 { return stat.SampleOf(d).Quantile(0.5).Seconds() * 1e3 }
