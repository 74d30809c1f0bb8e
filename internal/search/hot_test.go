package search

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestANewInstanceReadsWhatIsAskedMost(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
		service := serviceOf(t, provider)
		service.now = nowOfTheCache
		req := oneWay("JFK", "LHR", soon())
		mustSearch(t, service, req)
		mustSearch(t, service, req)
		synctest.Wait()
		if err := service.TellHot(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := service.Warm(context.Background()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if got := mustSearch(t, service, req).Providers[0].Cache; got != CacheHit || provider.times() != 1 {
			t.Errorf("cache %q, asked %d times", got, provider.times())
		}
	})
}

func TestWarmingUpWithNothingOrNonsense(t *testing.T) {
	service := serviceOf(t, &scripted{name: "duffel"})
	ctx := context.Background()
	if err := service.Warm(ctx); err != nil {
		t.Errorf("no list: %v", err)
	}
	if err := service.TellHot(ctx); err != nil {
		t.Errorf("nothing to tell: %v", err)
	}
	if err := service.options.Cache.SetBlob(ctx, hotBlob, []byte("{"), time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := service.Warm(ctx); err == nil {
		t.Error("a broken list was taken")
	}
	if err := service.options.Cache.SetBlob(ctx, hotBlob, []byte(`[{"query":{},"times":3}]`), time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := service.Warm(ctx); err != nil {
		t.Errorf("a query that cannot be asked: %v", err)
	}
}

func TestHotQueriesAreBoundedAndOrdered(t *testing.T) {
	h := hot{seen: map[string]*asking{}}
	query := oneWay("JFK", "LHR", "2026-12-15").Query
	for n := range 3 * maxHot {
		other := query
		other.Slices = []flight.SliceQuery{query.Slices[0]}
		other.Slices[0].Departure = query.Slices[0].Departure.AddDays(n % 2000)
		h.note(other)
		h.note(query)
	}
	if len(h.seen) > maxHot {
		t.Errorf("%d queries are counted", len(h.seen))
	}
	most := h.most()
	if len(most) > keptHot || most[0].Query.Key() != query.Key() {
		t.Errorf("%d are kept, the first %s", len(most), most[0].Query.Key())
	}
}

// TestOneBadQueryKeepsNoOtherFromBeingWarm: what a release asked that this one
// does not know is passed over.
func TestOneBadQueryKeepsNoOtherFromBeingWarm(t *testing.T) {
	redis := cachetest.Redis(t)
	good := oneWay("JFK", "LHR", soon())
	known := func(s *Service) bool {
		_, ok := s.fares.Peek(t.Context(), bucketOf(good.Query, s.options.Catalog()), s.questions(good, s.options.Catalog()))
		return ok
	}
	first := serviceOn(t, redis.URL(), &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))})
	mustSearch(t, first, good)
	if err := first.options.Cache.Drain(t.Context()); err != nil { // Until it is in Redis.
		t.Fatal(err)
	}
	list, err := json.Marshal([]asking{{Times: 9}, {Query: good.Query, Times: 3}})
	if err != nil {
		t.Fatal(err)
	}
	second := serviceOn(t, redis.URL(), &scripted{name: "duffel"})
	if err := second.options.Cache.SetBlob(t.Context(), hotBlob, list, time.Minute); err != nil {
		t.Fatal(err)
	}
	if known(second) {
		t.Fatal("known before anything was read")
	}
	if err := second.Warm(t.Context()); err != nil || !known(second) {
		t.Errorf("the good query is not warm: %v", err)
	}
}

// serviceOn is a service whose cache is on a Redis.
func serviceOn(tb testing.TB, url string, asked ...Provider) *Service {
	tb.Helper()
	shared, err := cache.Open(cache.Options{URL: url})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := shared.Close(); err != nil {
			tb.Error(err)
		}
	})
	o := serviceOf(tb, asked...).options
	o.Cache, o.Now = shared, nowOfTheCache
	s, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
