package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/bench/load"
	"github.com/hedgehop/hedgehop/bench/market"
	"github.com/hedgehop/hedgehop/bench/process"
	"github.com/hedgehop/hedgehop/bench/report"
)

// repeated is how many questions are asked over and over.
const repeated = 20

// levels are how many are asked at a time.
func levels() []int { return []int{1, 5, 50, 500} }

// target is one server under load.
type target struct {
	name    string
	server  *process.Process
	rates   map[int][]float64
	p50     map[int][]float64
	p99     map[int][]float64
	cpu     []float64 // Milliseconds per answer at 50.
	failed  int
	firstly error
}

// repeat measures searches whose fares are known, from Redis and in-process, beside
// a bare handler that writes the same bytes. All three take turns within a round.
func repeat(ctx context.Context, b bench) (report.Section, error) {
	s := report.Section{Title: "Repeated searches"}
	sandbox, redis, err := backing(ctx, b)
	if err != nil {
		return s, err
	}
	defer sandbox.Stop()
	defer redis.Stop()
	targets, size, end, err := startTargets(ctx, b, sandbox, redis)
	if err != nil {
		return s, err
	}
	defer end()
	if err := process.ResetRequests(ctx, sandbox); err != nil {
		return s, err
	}
	s.About = fmt.Sprintf("%d questions asked over and over in a closed loop of plain HTTP/1.1; answers of %.1f kB (limit=3). "+
		"\"Bare\" is a net/http handler that writes the same bytes and does nothing else.", repeated, float64(size)/1e3)
	for n := range b.rounds {
		for _, level := range levels() {
			for i := range targets {
				if err := targets[(i+n)%len(targets)].load(ctx, b, level); err != nil {
					return s, err
				}
			}
		}
	}
	describe(&s, targets)
	asked, err := process.Requests(ctx, sandbox)
	s.Add("provider requests for all of that, whose fares are known", "", "0", float64(asked))
	return s, err
}

// backing starts what the services ask: a sandbox that answers at once and a Redis.
func backing(ctx context.Context, b bench) (sandbox, redis *process.Process, err error) {
	if sandbox, err = process.StartSandbox(ctx, b.folder, "none"); err != nil {
		return nil, nil, err
	}
	if redis, err = process.StartRedis(ctx); err != nil {
		sandbox.Stop()
		return nil, nil, err
	}
	return sandbox, redis, nil
}

// longLived keeps fares fresh for as long as the measurement takes.
func longLived() []string {
	return []string{"FARE_TTL=1h", "MAX_CONCURRENT_SEARCHES=2000", "ADMISSION_QUEUE=2000"}
}

func startTargets(ctx context.Context, b bench, sandbox, redis *process.Process) (targets []*target, size int64, end func(), err error) {
	end = func() {
		for _, t := range targets {
			t.server.Stop()
		}
	}
	add := func(name string, server *process.Process, err error) error {
		if err == nil {
			targets = append(targets, &target{name: name, server: server, rates: map[int][]float64{}, p50: map[int][]float64{}, p99: map[int][]float64{}})
		}
		return err
	}
	withRedis, err := process.StartService(ctx, b.folder, sandbox, append(longLived(), "REDIS_URL=redis://"+redis.Address())...)
	if err = add("from Redis", withRedis, err); err != nil {
		return nil, 0, nil, err
	}
	alone, err := process.StartService(ctx, b.folder, sandbox, longLived()...)
	if err = add("in-process", alone, err); err != nil {
		end()
		return nil, 0, nil, err
	}
	body, err := warm(ctx, withRedis, alone)
	if err != nil {
		end()
		return nil, 0, nil, err
	}
	bare, err := startBare(ctx, b.folder, body)
	if err = add("bare", bare, err); err != nil {
		end()
		return nil, 0, nil, err
	}
	return targets, int64(len(body)), end, nil
}

// warm asks every question once and returns one of the answers.
func warm(ctx context.Context, services ...*process.Process) (body []byte, err error) {
	for _, service := range services {
		for _, q := range questions() {
			answer, err := search(ctx, service, q.Path("limit=3"))
			if err != nil {
				return nil, err
			}
			body = answer.body
		}
	}
	return body, nil
}

func questions() []market.Question {
	q := market.Question{Origin: "JFK", Destination: "LHR", Date: time.Now().UTC().AddDate(0, 0, 30)}
	all := make([]market.Question, repeated)
	for i := range all {
		all[i] = q
		q.Date = q.Date.AddDate(0, 0, 1)
	}
	return all
}

// load runs one round at one level.
func (t *target) load(ctx context.Context, b bench, level int) error {
	var paths []string
	for _, q := range questions() {
		paths = append(paths, q.Path("limit=3"))
	}
	before, err := t.server.CPU()
	if err != nil {
		return err
	}
	r := load.Loop{Address: t.server.Address(), Connections: level, Span: b.span, Path: inTurn(paths)}.Run(ctx)
	after, err := t.server.CPU()
	if err != nil || len(r.Latencies) == 0 {
		return errors.Join(err, r.Err)
	}
	t.failed += r.Failed
	if t.firstly == nil {
		t.firstly = r.Err
	}
	t.rates[level] = append(t.rates[level], r.Rate())
	t.p50[level] = append(t.p50[level], r.Latencies.Quantile(0.5).Seconds()*1e3)
	t.p99[level] = append(t.p99[level], r.Latencies.Quantile(0.99).Seconds()*1e3)
	if level == 50 {
		t.cpu = append(t.cpu, (after-before)*1e3/float64(len(r.Latencies)))
	}
	return nil
}

// describe writes the figures of all targets.
func describe(s *report.Section, targets []*target) {
	reach := map[string]string{
		"from Redis, 50 in flight, rate": "≥ 9,000", "in-process, 50 in flight, rate": "≥ 13,600",
		"in-process, 1 in flight, p50": "≤ 0.4", "in-process, 1 in flight, p99": "≤ 1.5",
	}
	bare := targets[len(targets)-1]
	for _, t := range targets {
		for _, level := range levels() {
			name := fmt.Sprintf("%s, %d in flight, ", t.name, level)
			s.Add(name+"rate", "per s", reach[name+"rate"], t.rates[level]...)
			s.Add(name+"p50", "ms", reach[name+"p50"], t.p50[level]...)
			s.Add(name+"p99", "ms", reach[name+"p99"], t.p99[level]...)
		}
		s.Add(t.name+", CPU per answer at 50", "ms", "", t.cpu...)
		if t.failed > 0 {
			s.Add(fmt.Sprintf("%s, FAILED (%v)", t.name, t.firstly), "requests", "0", float64(t.failed))
		}
		if t != bare {
			s.Add(t.name+" over bare, rate at 50", "×", map[string]string{"in-process": "≥ 0.6"}[t.name], ratios(t.rates[50], bare.rates[50])...)
		}
	}
}

// ratios divides round by round, so that what the machine did in a round cancels.
func ratios(a, b []float64) []float64 {
	all := make([]float64, min(len(a), len(b)))
	for i := range all {
		all[i] = a[i] / b[i]
	}
	return all
}
