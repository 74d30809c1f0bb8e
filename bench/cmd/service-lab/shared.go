package main

import (
	"context"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/bench/market"
	"github.com/hedgehop/hedgehop/bench/process"
	"github.com/hedgehop/hedgehop/bench/report"
)

// callsOfOne is what one cold search sends: one request to Duffel, one to Amadeus,
// a creation and a poll to Skyscanner.
const callsOfOne = 4

// shared measures what is asked once though many ask: identical cold searches at
// once, and the same questions at a second instance.
func shared(ctx context.Context, b bench) (report.Section, error) {
	s := report.Section{
		Title: "Shared work",
		About: "Fifty identical cold searches at once, providers that take as long as in the published case; then 40 questions " +
			"that one instance has answered, put to a second one that shares its Redis. Requests are counted by the sandbox.",
	}
	sandbox, err := process.StartSandbox(ctx, b.folder, "longtail")
	if err != nil {
		return s, err
	}
	defer sandbox.Stop()
	redis, err := process.StartRedis(ctx)
	if err != nil {
		return s, err
	}
	defer redis.Stop()
	first, err := process.StartService(ctx, b.folder, sandbox, "REDIS_URL=redis://"+redis.Address())
	if err != nil {
		return s, err
	}
	defer first.Stop()
	second, err := process.StartService(ctx, b.folder, sandbox, "REDIS_URL=redis://"+redis.Address())
	if err != nil {
		return s, err
	}
	defer second.Stop()
	if err := identical(ctx, b, &s, sandbox, first); err != nil {
		return s, err
	}
	return s, secondInstance(ctx, &s, sandbox, first, second)
}

// identical asks the same fifty times at once, another day in each round.
func identical(ctx context.Context, b bench, s *report.Section, sandbox, service *process.Process) error {
	var complete, fanOuts []float64
	for n := range b.rounds {
		if err := process.ResetRequests(ctx, sandbox); err != nil {
			return err
		}
		q := market.Question{Origin: "JFK", Destination: "LHR", Date: time.Now().UTC().AddDate(0, 0, 30+n)}
		whole := together(ctx, service, q.Path(""), 50)
		requests, err := process.Requests(ctx, sandbox)
		if err != nil {
			return err
		}
		complete, fanOuts = append(complete, float64(whole)), append(fanOuts, float64(requests)/callsOfOne)
	}
	s.Add("complete answers of 50 identical cold searches", "", "50", complete...)
	s.Add("fan-outs for them, hedges included", "", "1 and hedges", fanOuts...)
	return nil
}

// together counts the complete answers with the most offers.
func together(ctx context.Context, service *process.Process, path string, n int) int {
	answers := make([]answer, n)
	var asking sync.WaitGroup
	for i := range answers {
		asking.Go(func() {
			a, err := search(ctx, service, path)
			if err == nil { // A failed one counts as not complete.
				answers[i] = a
			}
		})
	}
	asking.Wait()
	most, whole := 0, 0
	for _, a := range answers {
		most = max(most, a.offers)
	}
	for _, a := range answers {
		if a.complete && a.offers == most {
			whole++
		}
	}
	return whole
}

func secondInstance(ctx context.Context, s *report.Section, sandbox, first, second *process.Process) error {
	all := market.Cold(40, time.Now().UTC())
	for _, q := range all {
		if _, err := search(ctx, first, q.Path("limit=3")); err != nil {
			return err
		}
	}
	if err := process.ResetRequests(ctx, sandbox); err != nil {
		return err
	}
	for _, q := range all {
		if _, err := search(ctx, second, q.Path("limit=3")); err != nil {
			return err
		}
	}
	requests, err := process.Requests(ctx, sandbox)
	s.Add("provider requests that a second instance adds for 40 known questions", "", "0", float64(requests))
	return err
}
