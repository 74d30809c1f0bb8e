package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

// TestAColdInstanceKnowsWhatTheWarmOneKnew searches on one service, stops it, and
// starts another on the same Redis.
func TestAColdInstanceKnowsWhatTheWarmOneKnew(t *testing.T) {
	redis := cachetest.Redis(t)
	env := map[string]string{"REDIS_URL": redis.URL()}
	question := []string{"origin", "JFK", "destination", "LHR", "departure_date", inDays(30)}
	first, stopFirst := startStoppable(t, env)
	searchFor(t, first, question...)
	stopFirst()

	remembered, err := cache.Open(cache.Options{URL: redis.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = remembered.Close() }()
	for _, name := range []string{"duffel", "amadeus", "skyscanner"} {
		if known, _, err := remembered.Blob(context.Background(), "latency:"+name+":free:sandbox"); err != nil || len(known) == 0 {
			t.Errorf("no latencies of %s were left for others: %v", name, err)
		}
	}
	for _, p := range searchFor(t, startService(t, env), question...).Providers {
		if p.Cache != "hit" {
			t.Errorf("%s: cache %q", p.Name, p.Cache)
		}
	}
}

func TestRoutesToPreload(t *testing.T) {
	c := configOf(t, map[string]string{"PRELOAD_ROUTES": "jfk-LHR, CDG-NYC+14"})
	want := routes{{"JFK", "LHR", preloadDays}, {"CDG", "NYC", 14}}
	if diff := cmp.Diff(want, c.Preload, cmp.AllowUnexported(route{})); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []string{"JFK", "JFK-", "JFK-LHR+", "JFK-LHR+400", "JFK-LHR+-1", "JFK-LHR;CDG-NYC"} {
		if _, err := read(map[string]string{"PRELOAD_ROUTES": wrong}); err == nil {
			t.Errorf("%q was taken", wrong)
		}
	}
}

func TestRoutesAreAskedAtStartOnlyWhereWanted(t *testing.T) {
	asked := func(base string) int {
		_, body := call(t, http.MethodGet, base+"/sandbox/stats", "")
		var stats map[string]int
		if err := json.Unmarshal(body, &stats); err != nil {
			t.Fatal(err)
		}
		return stats["duffel"] + stats["amadeus"] + stats["skyscanner"]
	}
	if n := asked(startService(t, nil)); n != 0 {
		t.Errorf("%d requests at start without a route to preload", n)
	}
	base := startService(t, map[string]string{"PRELOAD_ROUTES": "JFK-LHR"})
	for began := time.Now(); asked(base) < 3; {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the route is not asked")
		}
	}
}

// TestARouteToNowhereIsAnError replaces the default logger, so it does not run
// in parallel.
func TestARouteToNowhereIsAnError(t *testing.T) {
	var log page
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	startService(t, map[string]string{"PRELOAD_ROUTES": "JFK-QQQ"})
	line := regexp.MustCompile(`level=ERROR .*PRELOAD_ROUTES.* destination=QQQ .*no airport or city`)
	for began := time.Now(); !line.MatchString(log.String()); {
		if time.Since(began) > 20*time.Second {
			t.Fatalf("no line of it in:\n%s", log.String())
		}
	}
}
