package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

const (
	// warmLimit bounds the reading of what other instances know; warmWait is how
	// long the start waits for it before it is ready all the same.
	warmLimit = 2 * time.Second
	warmWait  = 25 * time.Millisecond
	// tellEvery is how often this instance tells others what it knows; tellLimit
	// bounds one telling, the last one at the stop above all.
	tellEvery = time.Minute
	tellLimit = 500 * time.Millisecond
	// latencyTTL: yesterday's latencies are a better guess than none.
	latencyTTL = 24 * time.Hour
)

// learner is a transport whose knowledge of latencies instances share.
type learner struct {
	blob      string
	transport *fanout.Transport
}

// latencyBlob keeps the latencies of a vendor apart from those of a sandbox.
func (p plan) latencyBlob(name string, hedging fanout.Class) string {
	where := "vendor"
	if p.sandbox {
		where = "sandbox"
	}
	return "latency:" + name + ":" + hedging.String() + ":" + where
}

// warmer is a provider that can prepare for its first search.
type warmer interface {
	Warm(ctx context.Context) error
}

// warmth is what a cold instance can know before its first search, and tells
// others while it runs.
type warmth struct {
	learners   []learner
	sources    []search.Source
	searcher   *search.Service
	remembered *cache.Cache
}

// startWarming reads latencies, hot fares and provider tokens side by side, then
// asks the routes to preload, and goes on telling others until the stop. None of
// it keeps the service from answering.
func (s *service) startWarming(ctx context.Context, c Config, sources []search.Source, searcher *search.Service, remembered *cache.Cache) {
	w := warmth{learners: s.learners, sources: sources, searcher: searcher, remembered: remembered}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	warm := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		w.read(ctx)
		close(warm)
		w.preload(ctx, c.Preload)
		w.keepTelling(ctx)
	})
	s.teardown.add("what others are told", func(context.Context) error {
		cancel()
		running.Wait()
		return nil
	})
	select {
	case <-warm:
	case <-time.After(warmWait):
	}
}

// read does all at once; what fails is left to be learnt.
func (w warmth) read(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, warmLimit)
	defer cancel()
	steps := []func(context.Context) error{w.searcher.Warm}
	for _, l := range w.learners {
		steps = append(steps, func(ctx context.Context) error { return l.restore(ctx, w.remembered) })
	}
	for _, source := range w.sources {
		if provider, ok := source.Provider.(warmer); ok {
			steps = append(steps, provider.Warm)
		}
	}
	var running sync.WaitGroup
	for _, step := range steps {
		running.Go(func() {
			if err := step(ctx); err != nil {
				slog.DebugContext(ctx, "a step of warming up failed", "error", err)
			}
		})
	}
	running.Wait()
}

func (l learner) restore(ctx context.Context, remembered *cache.Cache) error {
	snapshot, _, err := remembered.Blob(ctx, l.blob)
	if err != nil || len(snapshot) == 0 {
		return err
	}
	return l.transport.Restore(snapshot)
}

// preload asks one route after the other, so that a start is no burst.
func (w warmth) preload(ctx context.Context, all routes) {
	for _, r := range all {
		if ctx.Err() != nil {
			return
		}
		day := flight.DateOf(time.Now().UTC()).AddDays(r.daysAhead)
		_, err := w.searcher.Search(ctx, search.Request{
			Query: flight.Query{
				Slices:     []flight.SliceQuery{{Origin: r.origin, Destination: r.destination, Departure: day}},
				Passengers: flight.Passengers{Adults: 1}, Cabin: flight.CabinEconomy,
			},
			View: search.View{Currency: "USD", Sort: search.SortBest, Limit: 20},
		}, nil)
		if err != nil {
			slog.Log(ctx, preloadLevel(err), "a route of PRELOAD_ROUTES could not be preloaded", "origin", r.origin, "destination", r.destination, "error", err)
		}
	}
}

// preloadLevel tells a route that can never be asked, such as one to a place
// that the catalogue does not know, from a provider's bad day.
func preloadLevel(err error) slog.Level {
	if _, invalid := errors.AsType[*search.InvalidError](err); invalid {
		return slog.LevelError
	}
	return slog.LevelWarn
}

// keepTelling ends with ctx, after a last telling.
func (w warmth) keepTelling(ctx context.Context) {
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			w.tell(ctx)
		case <-ctx.Done():
			w.tell(context.WithoutCancel(ctx))
			return
		}
	}
}

func (w warmth) tell(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	err := w.searcher.TellHot(ctx)
	for _, l := range w.learners {
		if l.transport.State().Attempts["answered"] > 0 {
			err = errors.Join(err, w.remembered.SetBlob(ctx, l.blob, l.transport.Snapshot(), latencyTTL))
		}
	}
	if err != nil {
		slog.DebugContext(ctx, "others could not be told what is known here", "error", err)
	}
}
