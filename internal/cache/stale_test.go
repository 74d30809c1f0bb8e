package cache

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

// trial has several caches on one Redis answer the same few questions while
// fares change, are invalidated, and Redis is broken. Its source answers slowly,
// with the version that it read when it was asked; its callers hang up.
type trial struct {
	caches []*Cache
	fares  []*Typed[fare]
	ledger *cachetest.Ledger

	hits, asked, joined, bypassed, stales, failed atomic.Int64
	// harmed counts callers who were failed by another caller's leaving.
	harmed atomic.Int64
}

const (
	trialCaches  = 4
	trialReaders = 4 // for each cache
	trialMarkets = 5
)

var errSourceDown = errors.New("the source is down")

func newTrial(t *testing.T, o Options) *trial {
	w := &trial{ledger: cachetest.NewLedger()}
	for range trialCaches {
		c := mustOpen(t, o)
		w.caches, w.fares = append(w.caches, c), append(w.fares, fares(c))
	}
	return w
}

// run reads and invalidates until ctx ends, breaking things meanwhile.
func (w *trial) run(ctx context.Context, breaking func(context.Context)) {
	var wg sync.WaitGroup
	loop := func(step func(context.Context)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				step(ctx)
			}
		})
	}
	for _, f := range w.fares {
		for range trialReaders {
			loop(func(ctx context.Context) { w.read(ctx, f) })
		}
	}
	for _, c := range w.caches[:2] {
		loop(func(ctx context.Context) { w.invalidate(ctx, c) })
	}
	if breaking != nil {
		loop(breaking)
	}
	wg.Wait()
}

// read is one request: floor, lookup, ask, check.
func (w *trial) read(ctx context.Context, f *Typed[fare]) {
	scope := fmt.Sprintf("m:%d", rand.IntN(trialMarkets))
	if rand.IntN(4) == 0 { // This caller will not wait.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, rand.N(3*time.Millisecond))
		defer cancel()
	}
	floor := w.ledger.Floor(scope)
	q := Question{Kind: "slow", Query: scope, Tokens: []string{"all", scope}, Lease: rand.IntN(4) == 0}
	found := f.Lookup(ctx, scope, []Question{q})[0]
	if found.State == Hit {
		w.hits.Add(1)
		w.ledger.Check(scope, floor, found.Value.Version)
		return
	}
	answer, err := f.Ask(ctx, found, w.source(scope))
	switch {
	case err == nil:
		w.count(found.State, answer.Source)
		w.ledger.Check(scope, floor, answer.Value.Version)
	case found.State == Stale:
		w.stales.Add(1)
		w.ledger.Check(scope, floor, found.Value.Version)
	case ctx.Err() == nil && !errors.Is(err, errSourceDown):
		w.harmed.Add(1)
	default:
		w.failed.Add(1)
	}
}

func (w *trial) count(s State, source Source) {
	switch {
	case s == Bypass:
		w.bypassed.Add(1)
	case source == Fetched:
		w.asked.Add(1)
	default:
		w.joined.Add(1)
	}
}

// source reads the version first and takes its time then.
func (w *trial) source(scope string) Fetch[fare] {
	return func(ctx context.Context) (Filling[fare], error) {
		version := w.ledger.Version(scope)
		select {
		case <-time.After(rand.N(6 * time.Millisecond)):
		case <-ctx.Done():
			return Filling[fare]{}, ctx.Err()
		}
		if rand.IntN(10) == 0 {
			return Filling[fare]{}, errSourceDown
		}
		return Filling[fare]{Value: fare{Version: version}, FreshFor: 50 * time.Millisecond, StaleFor: time.Second}, nil
	}
}

// invalidate changes one market, or all of them, and has it invalidated.
func (w *trial) invalidate(ctx context.Context, c *Cache) {
	markets, token := []int{rand.IntN(trialMarkets)}, "all"
	if rand.IntN(5) == 0 {
		markets = []int{0, 1, 2, 3, 4}
	} else {
		token = fmt.Sprintf("m:%d", markets[0])
	}
	changed := make([]int64, len(markets))
	for i, m := range markets {
		changed[i] = w.ledger.Change(fmt.Sprintf("m:%d", m))
	}
	if c.Invalidate(ctx, []string{token}) == nil {
		for i, m := range markets {
			w.ledger.Acknowledge(fmt.Sprintf("m:%d", m), changed[i])
		}
	}
	pauseFor(ctx, rand.N(8*time.Millisecond))
}

// pauseFor paces a load; nothing is concluded from its length.
func pauseFor(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// breakServer does one of the things that happen to a Redis.
func breakServer(s *cachetest.Server) func(context.Context) {
	return func(ctx context.Context) {
		switch rand.IntN(8) {
		case 0:
			s.Pause()
			pauseFor(ctx, rand.N(150*time.Millisecond))
			s.Resume()
		case 1:
			s.Do("FLUSHALL")
		case 2:
			s.Restart()
		default: // Eviction of a token.
			client := s.Client()
			if key, err := client.RandomKey(ctx).Result(); err == nil {
				client.Del(ctx, key)
			}
			_ = client.Close()
		}
		pauseFor(ctx, rand.N(60*time.Millisecond))
	}
}

func (w *trial) report(t *testing.T) cachetest.Report {
	t.Helper()
	r := w.ledger.Report()
	t.Logf("checked %d (stale %d), changes %d, acknowledged %d; hits %d, asked %d, joined %d, bypassed %d, stale in need %d, failed %d, harmed %d",
		r.Checked, r.Stale, r.Changes, r.Acknowledged, w.hits.Load(), w.asked.Load(), w.joined.Load(), w.bypassed.Load(), w.stales.Load(), w.failed.Load(), w.harmed.Load())
	return r
}

// TestNeverStale is the promise, under faults.
func TestNeverStale(t *testing.T) {
	server := cachetest.Redis(t)
	cluster := cachetest.Cluster(t, false)
	for _, test := range []struct {
		name   string
		o      Options
		broken *cachetest.Server
	}{
		{"standalone", Options{URL: server.URL()}, server},
		{"cluster", Options{URL: cluster.URL(), Topology: Cluster}, cluster.Masters[0]},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTrial(t, test.o)
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			breaking := breakServer(test.broken)
			if test.o.Topology == Cluster { // A killed master is another test's: it forgets its cluster.
				breaking = func(ctx context.Context) {
					test.broken.Pause()
					pauseFor(ctx, rand.N(150*time.Millisecond))
					test.broken.Resume()
					pauseFor(ctx, rand.N(300*time.Millisecond))
				}
			}
			w.run(ctx, breaking)
			r := w.report(t)
			if r.Stale > 0 || w.harmed.Load() > 0 {
				t.Errorf("%d stale answers, %d callers harmed by others; %s", r.Stale, w.harmed.Load(), r.First)
			}
			if r.Acknowledged == 0 || w.hits.Load() == 0 || w.joined.Load() == 0 {
				t.Error("the trial did not reach what it tries")
			}
		})
	}
}

// TestTrialNotices breaks single rules of the protocol on purpose: a trial that
// stays silent about one proves nothing about the others.
func TestTrialNotices(t *testing.T) {
	server := cachetest.Redis(t)
	for name, broken := range map[string]sabotage{
		"coalescing without tokens":      {coalesceWithoutTokens: true},
		"no comparison of tokens":        {skipTokenComparison: true},
		"a call on its caller's context": {attachCallToCaller: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTrial(t, Options{URL: server.URL(), Prefix: name, LookupLimit: patient, CommandLimit: patient, sabotage: broken})
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			w.run(ctx, func(context.Context) {
				if w.ledger.Report().Stale > 0 || w.harmed.Load() > 0 {
					cancel()
				}
				pauseFor(ctx, 10*time.Millisecond)
			})
			if r := w.report(t); r.Stale == 0 && w.harmed.Load() == 0 {
				t.Error("the trial did not notice")
			}
		})
	}
}
