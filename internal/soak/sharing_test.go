package soak

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox"
)

// vendors are the sandbox's providers, with a count of the searches that each was
// asked; their tokens, polls and later pages are not among them.
type vendors struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
}

// searches are the calls that begin a search.
var searches = map[string]string{
	"POST /duffel/air/offer_requests":             "duffel",
	"GET /amadeus/v2/shopping/flight-offers":      "amadeus",
	"POST /amadeus/v2/shopping/flight-offers":     "amadeus",
	"POST /skyscanner/flights/live/search/create": "skyscanner",
}

func startVendors(tb testing.TB) *vendors {
	tb.Helper()
	catalog, err := refdata.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	world := sandbox.New(catalog, sandbox.Options{Seed: 1, Latency: sandbox.LawLongTail})
	tb.Cleanup(world.Close)
	v := &vendors{asked: map[string]int{}}
	handler := world.Handler()
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := searches[r.Method+" "+r.URL.Path]; name != "" {
			v.mu.Lock()
			v.asked[name]++
			v.mu.Unlock()
		}
		handler.ServeHTTP(w, r)
	}))
	tb.Cleanup(v.Close)
	return v
}

// forget returns the counts and begins anew.
func (v *vendors) forget() map[string]int {
	v.mu.Lock()
	defer v.mu.Unlock()
	asked := v.asked
	v.asked = map[string]int{}
	return asked
}

// environment points all three providers there, in a hedging class, with one
// attempt a call, so that a request is a question.
func (v *vendors) environment(class string) map[string]string {
	return map[string]string{
		"DUFFEL_BASE_URLS": v.URL + "/duffel", "AMADEUS_BASE_URLS": v.URL + "/amadeus", "SKYSCANNER_BASE_URLS": v.URL + "/skyscanner",
		"DUFFEL_HEDGING": class, "AMADEUS_HEDGING": class, "SKYSCANNER_HEDGING": class,
		"HEDGE_MAX_ATTEMPTS": "1", "SEARCH_TIMEOUT": "60s", "SEARCH_SOFT_TIMEOUT": "60s", "PROVIDER_TIMEOUT": "50s",
	}
}

// leasePatience is a little less than an instance waits for another's answer; on
// a machine too busy for that it asks by itself, as it should.
const leasePatience = 1300 * time.Millisecond

// TestOneRequestAmongAllInstances asks ten processes the same, five times each at
// once.
func TestOneRequestAmongAllInstances(t *testing.T) {
	const processes, callers, tries = 10, 5, 10
	v := startVendors(t)
	env := v.environment("metered")
	env["REDIS_URL"] = cachetest.Redis(t).URL()
	var fleet []*instance
	for n := range processes {
		fleet = append(fleet, startInstance(t, program(t), fmt.Sprintf("instance %d", n), env))
	}
	for try := range tries {
		slowest := askAtOnce(t, fleet, callers, try)
		asked := v.forget()
		if slowest > leasePatience {
			t.Logf("inconclusive: an answer took %v; asked %v", slowest, asked)
			continue
		}
		wantOneEach(t, asked)
		return
	}
	t.Errorf("this machine was too busy %d times", tries)
}

// TestOneRequestForFiftyCallers asks one process the same, fifty times at once.
func TestOneRequestForFiftyCallers(t *testing.T) {
	v := startVendors(t)
	only := startInstance(t, program(t), "the instance", v.environment("free"))
	askAtOnce(t, []*instance{only}, 50, 0)
	wantOneEach(t, v.forget())
}

func wantOneEach(t *testing.T, asked map[string]int) {
	t.Helper()
	for _, name := range []string{"duffel", "amadeus", "skyscanner"} {
		if asked[name] != 1 {
			t.Errorf("%s was asked %d times, want once", name, asked[name])
		}
	}
}

// askAtOnce demands a complete answer for every caller of every instance and
// returns what the slowest took. Each round is about another day.
func askAtOnce(t *testing.T, fleet []*instance, callers, round int) time.Duration {
	t.Helper()
	query := url.Values{
		"origin": {"DUB"}, "destination": {"LHR"}, "limit": {"1"},
		"departure_date": {time.Now().AddDate(0, 0, 40+round).Format(time.DateOnly)},
	}.Encode()
	var all sync.WaitGroup
	begin, took := make(chan struct{}), make(chan time.Duration, len(fleet)*callers)
	for _, i := range fleet {
		for range callers {
			all.Go(func() {
				<-begin
				started := time.Now()
				got, err := i.search(t.Context(), query)
				if err != nil || !got.Complete || len(got.Providers) != 3 {
					t.Errorf("%s: complete %t, %d providers, %v", i.name, got.Complete, len(got.Providers), err)
				}
				took <- time.Since(started)
			})
		}
	}
	close(begin)
	all.Wait()
	close(took)
	var slowest time.Duration
	for d := range took {
		slowest = max(slowest, d)
	}
	return slowest
}
