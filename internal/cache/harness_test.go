package cache

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// The client's dial loop notices at its next second that it was closed.
		goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}

// patient is a limit that a loaded machine keeps: only tests of limits use
// shorter ones.
const patient = 5 * time.Second

// fare is the value of the tests.
type fare struct {
	Version int64
	Text    string
}

func fares(c *Cache) *Typed[fare] { return For(c, fareOptions()) }

func fareOptions() TypedOptions[fare] {
	return TypedOptions[fare]{
		Encode: func(f fare) ([]byte, error) { return json.Marshal(f) },
		Decode: func(b []byte) (f fare, err error) { return f, json.Unmarshal(b, &f) },
	}
}

// clock is a time that tests move by hand.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Now()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// backend is one place where entries may lie.
type backend struct {
	name     string
	url      string
	topology Topology
}

// shared reports whether several caches see the same entries.
func (b backend) shared() bool { return b.url != "" }

var prefixes atomic.Int64

// bench is what one test works with: caches on one backend that see nothing of
// other tests.
type bench struct {
	*testing.T
	backend backend
	prefix  string
	clock   *clock
}

func newBench(t *testing.T, b backend) *bench {
	return &bench{T: t, backend: b, prefix: fmt.Sprintf("test%d", prefixes.Add(1)), clock: newClock()}
}

// open returns another cache on the bench's backend.
func (b *bench) open(change ...func(*Options)) *Cache {
	b.Helper()
	o := Options{
		URL: b.backend.url, Topology: b.backend.topology, Prefix: b.prefix,
		LookupLimit: patient, CommandLimit: patient, now: b.clock.now,
	}
	for _, f := range change {
		f(&o)
	}
	return mustOpen(b.T, o)
}

func mustOpen(t testing.TB, o Options) *Cache {
	t.Helper()
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return c
}

// onEveryBackend runs test on the twin, on a Redis and on a cluster.
func onEveryBackend(t *testing.T, tests map[string]func(*bench)) {
	t.Helper()
	server := cachetest.Redis(t)
	cluster := cachetest.Cluster(t, false)
	for _, b := range []backend{
		{name: "twin"},
		{name: "standalone", url: server.URL(), topology: Standalone},
		{name: "cluster", url: cluster.URL(), topology: Cluster},
	} {
		t.Run(b.name, func(t *testing.T) {
			for name, test := range tests {
				t.Run(name, func(t *testing.T) { test(newBench(t, b)) })
			}
		})
	}
}

// question is a question with the tokens that a fare would have.
func question(query string) Question {
	return Question{Kind: "duffel", Query: query, Tokens: []string{"all", "p:duffel", "m:LON-NYC"}}
}

const market = "LON-NYC"

func find(t testing.TB, f *Typed[fare], q Question) Found[fare] {
	t.Helper()
	return f.Lookup(t.Context(), market, []Question{q})[0]
}

// answering is a fetch that answers v, fresh for a minute and stale for another.
func answering(v fare) Fetch[fare] {
	return func(context.Context) (Filling[fare], error) {
		return Filling[fare]{Value: v, FreshFor: time.Minute, StaleFor: time.Minute}, nil
	}
}

// put asks until the answer v lies in the cache.
func put(t testing.TB, f *Typed[fare], q Question, v fare) Answer[fare] {
	t.Helper()
	return putFilling(t, f, q, Filling[fare]{Value: v, FreshFor: time.Minute, StaleFor: time.Minute})
}

func putFilling(t testing.TB, f *Typed[fare], q Question, filling Filling[fare]) Answer[fare] {
	t.Helper()
	a, err := f.Ask(t.Context(), find(t, f, q), func(context.Context) (Filling[fare], error) { return filling, nil })
	if err != nil {
		t.Fatal(err)
	}
	f.settle()
	return a
}

// settle waits until no call runs any more, fills included.
func (t *Typed[V]) settle() {
	for {
		t.calls.mu.Lock()
		left := len(t.calls.running)
		t.calls.mu.Unlock()
		t.c.background.mu.Lock()
		left += t.c.background.active
		t.c.background.mu.Unlock()
		if left == 0 {
			return
		}
		<-time.After(time.Millisecond)
	}
}

func wantState(t testing.TB, f Found[fare], want State) {
	t.Helper()
	if f.State != want {
		t.Fatalf("state %v, want %v", f.State, want)
	}
}

func wantFare(t testing.TB, f Found[fare], state State, want fare) {
	t.Helper()
	wantState(t, f, state)
	if diff := cmp.Diff(want, f.Value); diff != "" {
		t.Fatalf("value (-want +got):\n%s", diff)
	}
}

// counts reads a counter of a cache opened with counted.
type counts struct{ reader *metric.ManualReader }

func counted() (counts, func(*Options)) {
	reader := metric.NewManualReader()
	meter := metric.NewMeterProvider(metric.WithReader(reader)).Meter("test")
	return counts{reader}, func(o *Options) { o.Meter = meter }
}

// of returns the sum of a counter's points that carry the outcome.
func (c counts) of(t testing.TB, name, outcome string) int64 {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := c.reader.Collect(context.Background(), &data); err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			points, _ := m.Data.(metricdata.Sum[int64])
			for _, p := range points.DataPoints {
				if v, _ := p.Attributes.Value("outcome"); m.Name == name && v.AsString() == outcome {
					sum += p.Value
				}
			}
		}
	}
	return sum
}
