package soak

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

// readsVariable asks for a long run: so many checked reads in all.
const readsVariable = "SOAK_READS"

const (
	shortRun = 6 * time.Second
	longRun  = 2 * time.Hour
	// manyReads is more than a short run can make.
	manyReads = 1 << 40
	// thousands of events belong to a long run.
	thousands = 2000
)

// bounds of each of the two trials.
func bounds(tb testing.TB) (enough int64, within time.Duration) {
	tb.Helper()
	asked := os.Getenv(readsVariable)
	if asked == "" {
		return manyReads, shortRun
	}
	n, err := strconv.ParseInt(asked, 10, 64)
	if err != nil || n < 2 {
		tb.Fatalf("%s=%q: want the number of reads to check", readsVariable, asked)
	}
	return (n + 1) / 2, longRun
}

// TestNeverStale is the promise: once an event is acknowledged, no process gives
// a fare from before it, whatever breaks.
func TestNeverStale(t *testing.T) {
	t.Run("on one Redis", func(t *testing.T) {
		server := cachetest.Redis(t)
		w := newTrial(t, program(t), map[string]string{"REDIS_URL": server.URL()})
		tryPromise(w, []fault{
			w.pausing(), evicting(server), pausingRedis("Redis paused", server, 150*time.Millisecond),
			evicting(server), flushing(server), w.pausing(), evicting(server), killing(server),
		})
	})
	t.Run("on a cluster", func(t *testing.T) {
		cluster := cachetest.Cluster(t, false)
		w := newTrial(t, program(t), map[string]string{"REDIS_URL": cluster.URL(), "REDIS_TOPOLOGY": "cluster"})
		faults := []fault{w.pausing()}
		for _, master := range cluster.Masters {
			faults = append(faults, evicting(master), pausingRedis("a master stopped", master, 150*time.Millisecond), w.pausing(), flushing(master))
		}
		// Beyond the time after which the others take it for dead.
		tryPromise(w, append(faults, pausingRedis("a master stopped for long", cluster.Masters[0], 5*time.Second)))
	})
	t.Run("with a source that fails", func(t *testing.T) {
		server := cachetest.Redis(t)
		w := newTrial(t, program(t), map[string]string{"REDIS_URL": server.URL()})
		w.calm = 4 * time.Second // What was withdrawn is of no use in need.
		r := w.run(time.Minute, func() bool { return w.stales.Load() >= 100 }, w.failing())
		if r.Stale > 0 {
			t.Errorf("%d stale answers: %s", r.Stale, r.First)
		}
		if w.stales.Load() == 0 {
			t.Error("no answer was stale in need")
		}
	})
}

// tryPromise demands that nobody got what was withdrawn and that nobody was left
// without fares: the source always answers here.
func tryPromise(w *trial, faults []fault) {
	w.Helper()
	enough, within := bounds(w.T)
	r := w.run(within, func() bool { return w.ledger.Report().Checked >= enough }, faults...)
	if r.Stale > 0 {
		w.Errorf("%d stale answers: %s", r.Stale, r.First)
	}
	if w.harmed.Load() > 0 {
		w.Errorf("%d callers got no fares", w.harmed.Load())
	}
	if enough != manyReads && r.Checked < enough {
		w.Errorf("%d reads were checked, not %d", r.Checked, enough)
	}
	if long := enough != manyReads; long && w.held.Load() < min(thousands, enough/100) {
		w.Errorf("%d events were acknowledged, too few", w.held.Load())
	}
	if r.Acknowledged == 0 || w.hits.Load() == 0 || w.misses.Load() == 0 || w.left.Load() == 0 {
		w.Error("the trial did not reach what it tries")
	}
	for _, f := range faults {
		if w.faults[f.name] == 0 {
			w.Errorf("%s: did not happen", f.name)
		}
	}
}

// TestTrialNotices runs the service with single rules of the cache's protocol
// switched off. A trial that says nothing about one of them proves nothing.
func TestTrialNotices(t *testing.T) {
	for name, sabotage := range map[string]string{
		"calls are shared whatever the tokens": withoutTokens,
		"tokens are not compared":              withoutCompare,
		"a call ends with its first caller":    attachedToCaller,
	} {
		t.Run(name, func(t *testing.T) {
			server := cachetest.Redis(t)
			w := newTrial(t, sabotaged(t), map[string]string{"REDIS_URL": server.URL(), sabotageVariable: sabotage})
			noticed := func() bool { return w.ledger.Report().Stale > 0 || w.harmed.Load() > 0 }
			w.run(time.Minute, noticed)
			if !noticed() {
				t.Error("the trial did not notice")
			}
		})
	}
}
