package soak

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

const (
	fleetSize = 4
	readers   = 4 // Of each instance.
	tellers   = 2
	// leavers is one in so many callers who hang up.
	leavers = 8
	// answerWithin is more than an answer takes on any machine that can be used.
	answerWithin = 2 * time.Minute
)

// trial has several processes answer the same few questions while fares change,
// events tell of it, callers hang up, and things break.
type trial struct {
	*testing.T
	ledger  *cachetest.Ledger
	airline *airline
	fleet   []*instance

	hits, misses, stales, left, events, held, refused atomic.Int64
	// harmed counts callers who stayed and got no fares.
	harmed    atomic.Int64
	firstHarm atomic.Pointer[string]
	// calm is the longest time between two events of one teller.
	calm time.Duration
	// faults counts what was done to the processes and to Redis.
	faults map[string]int
}

// newTrial starts a fleet of a program, with variables of its own.
func newTrial(t *testing.T, program string, env map[string]string) *trial {
	t.Helper()
	ledger := cachetest.NewLedger()
	w := &trial{T: t, ledger: ledger, airline: startAirline(t, ledger), calm: 40 * time.Millisecond, faults: map[string]int{}}
	for n := range fleetSize {
		all := map[string]string{
			"PROVIDERS": "duffel", "DUFFEL_BASE_URLS": w.airline.URL, "FARE_TTL": "1s",
			// Nobody is to be failed by a busy machine.
			"SEARCH_TIMEOUT": "60s", "SEARCH_SOFT_TIMEOUT": "60s", "PROVIDER_TIMEOUT": "50s",
			// With a lease among instances and without.
			"DUFFEL_HEDGING": []string{"free", "metered"}[n%2],
		}
		maps.Copy(all, env)
		w.fleet = append(w.fleet, startInstance(t, program, fmt.Sprintf("instance %d", n), all))
	}
	return w
}

// fault breaks something for a while.
type fault struct {
	name string
	do   func(context.Context)
}

// run reads, tells and breaks until it is done, or for so long.
func (w *trial) run(atMost time.Duration, done func() bool, faults ...fault) cachetest.Report {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), atMost)
	defer cancel()
	var running sync.WaitGroup
	loop := func(step func(context.Context)) {
		running.Go(func() {
			for ctx.Err() == nil {
				step(ctx)
			}
		})
	}
	for _, i := range w.fleet {
		for range readers {
			loop(func(ctx context.Context) { w.read(ctx, i) })
		}
	}
	for range tellers {
		loop(w.tell)
	}
	if len(faults) > 0 {
		next := 0
		loop(func(ctx context.Context) {
			w.suffer(ctx, faults[next%len(faults)])
			next++
		})
	}
	loop(func(ctx context.Context) {
		if done() {
			cancel()
		}
		pause(ctx, 20*time.Millisecond)
	})
	running.Wait()
	return w.report()
}

// read is one request of one caller: floor, search, check.
func (w *trial) read(ctx context.Context, i *instance) {
	q := anyQuestion()
	patience := answerWithin
	if rand.IntN(leavers) == 0 {
		patience = rand.N(10 * time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	floor := w.ledger.Floor(q.scope())
	got, err := i.search(ctx, q.parameters())
	switch {
	case err == nil:
		w.count(got.Providers[0].Cache)
		w.ledger.Check(q.scope(), floor, versionOf(got.Itineraries[0].Offers[0].Price.Amount))
	case ctx.Err() != nil:
		w.left.Add(1)
	default:
		w.harmed.Add(1)
		said := err.Error()
		w.firstHarm.CompareAndSwap(nil, &said)
	}
}

func (w *trial) count(use string) {
	switch use {
	case "hit":
		w.hits.Add(1)
	case "stale":
		w.stales.Add(1)
	default:
		w.misses.Add(1)
	}
}

// tell changes fares and has an event of it acknowledged, or not.
func (w *trial) tell(ctx context.Context) {
	told := anyChange()
	changed := make([]int64, len(told.scopes))
	for n, scope := range told.scopes {
		changed[n] = w.ledger.Change(scope)
	}
	asked, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	holds, err := w.fleet[rand.IntN(len(w.fleet))].tell(asked, w.events.Add(1), told.data)
	switch {
	case err != nil && ctx.Err() == nil:
		w.Errorf("telling of a change: %v", err)
	case holds:
		w.held.Add(1)
		for n, scope := range told.scopes {
			w.ledger.Acknowledge(scope, changed[n])
		}
	default:
		w.refused.Add(1)
	}
	pause(ctx, rand.N(w.calm))
}

func (w *trial) suffer(ctx context.Context, f fault) {
	w.faults[f.name]++
	f.do(ctx)
	pause(ctx, rand.N(200*time.Millisecond))
}

// pausing stops a process of the fleet where it is, with what it has in hand.
func (w *trial) pausing() fault {
	return fault{"a process paused", func(ctx context.Context) {
		i := w.fleet[rand.IntN(len(w.fleet))]
		i.signal(w.T, syscall.SIGSTOP)
		pause(ctx, rand.N(200*time.Millisecond))
		i.signal(w.T, syscall.SIGCONT)
	}}
}

// failureLasts longer than a fare is fresh.
const failureLasts = 1500 * time.Millisecond

// failing has the source be well, and then fail, for as long.
func (w *trial) failing() fault {
	return fault{"the source failed", func(ctx context.Context) {
		for _, down := range []bool{false, true} {
			w.airline.down.Store(down)
			pause(ctx, failureLasts)
		}
	}}
}

func pausingRedis(name string, s *cachetest.Server, atMost time.Duration) fault {
	return fault{name, func(ctx context.Context) {
		s.Pause()
		pause(ctx, rand.N(atMost))
		s.Resume()
	}}
}

func flushing(s *cachetest.Server) fault {
	return fault{"Redis flushed", func(context.Context) { s.Do("FLUSHALL") }}
}

func killing(s *cachetest.Server) fault {
	return fault{"Redis killed and restarted", func(context.Context) { s.Restart() }}
}

// evicting removes what a Redis that is short of memory would: any keys.
func evicting(s *cachetest.Server) fault {
	return fault{"keys evicted", func(ctx context.Context) {
		client := s.Client()
		defer func() { _ = client.Close() }()
		for range 2 {
			if key, err := client.RandomKey(ctx).Result(); err == nil {
				client.Del(ctx, key)
			}
			pause(ctx, rand.N(10*time.Millisecond))
		}
	}}
}

func (w *trial) report() cachetest.Report {
	w.Helper()
	r := w.ledger.Report()
	w.Logf("%d reads checked, %d stale; %d hits, %d misses, %d stale in need, %d callers left, %d harmed; "+
		"%d changes in %d events, of which %d were held to and %d refused; the source was asked %d times; faults %v",
		r.Checked, r.Stale, w.hits.Load(), w.misses.Load(), w.stales.Load(), w.left.Load(), w.harmed.Load(),
		r.Changes, w.events.Load(), w.held.Load(), w.refused.Load(), w.airline.asked.Load(), w.faults)
	if said := w.firstHarm.Load(); said != nil {
		w.Logf("the first harm: %s", *said)
	}
	return r
}
