package main

import (
	"context"
	"time"

	"github.com/hedgehop/hedgehop/bench/market"
	"github.com/hedgehop/hedgehop/bench/process"
	"github.com/hedgehop/hedgehop/bench/report"
)

// outage measures cold searches before and after Redis is killed: what its loss
// costs, and whether answers stay full.
func outage(ctx context.Context, b bench) (report.Section, error) {
	s := report.Section{
		Title: "Redis killed",
		About: "Cold searches one at a time, providers that answer at once; then the redis-server is killed and they go on.",
	}
	sandbox, redis, err := backing(ctx, b)
	if err != nil {
		return s, err
	}
	defer sandbox.Stop()
	defer redis.Stop()
	service, err := process.StartService(ctx, b.folder, sandbox, "REDIS_URL=redis://"+redis.Address())
	if err != nil {
		return s, err
	}
	defer service.Stop()
	const searches = 40
	before, _, err := coldAnswers(ctx, service, 30, searches)
	if err != nil {
		return s, err
	}
	redis.Kill()
	after, full, err := coldAnswers(ctx, service, 30+searches, searches)
	if err != nil {
		return s, err
	}
	s.Add("over the slowest provider call, with Redis, median", "ms", "", median(before))
	s.Add("the first search after the kill, over the same", "ms", "≤ 100 more", after[0].Seconds()*1e3)
	s.Add("the slowest search after the kill", "ms", "≤ 100 more", maximum(after).Seconds()*1e3)
	s.Add("median after the kill", "ms", "≤ 3 more", median(after))
	s.Add("complete answers of 40 after the kill", "", "40", float64(full))
	return s, nil
}

func coldAnswers(ctx context.Context, service *process.Process, day, n int) (over []time.Duration, full int, err error) {
	today := time.Now().UTC()
	for i := range n {
		q := market.Question{Origin: "JFK", Destination: "LHR", Date: today.AddDate(0, 0, day+i)}
		a, err := search(ctx, service, q.Path("limit=3"))
		if err != nil {
			return nil, 0, err
		}
		if a.complete && a.offers > 0 {
			full++
		}
		over = append(over, a.took-millis(a.slowest()))
	}
	return over, full, nil
}

func maximum(all []time.Duration) time.Duration {
	most := time.Duration(0)
	for _, d := range all {
		most = max(most, d)
	}
	return most
}
