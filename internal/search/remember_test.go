package search

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

func uses(result *Result) []CacheUse {
	all := make([]CacheUse, len(result.Providers))
	for i, o := range result.Providers {
		all[i] = o.Cache
	}
	return all
}

func TestViewsAskNobodyAndQuestionsDo(t *testing.T) {
	// koala73/worldmonitor#2323: what changes the fares is asked again, what only
	// shows them differently is not.
	returning := flight.SliceQuery{Origin: "LHR", Destination: "JFK", Departure: flight.Date{Year: 2026, Month: 12, Day: 22}}
	for _, tc := range []struct {
		name   string
		change func(*Request)
		asks   bool
	}{
		{"the same", func(*Request) {}, false},
		{"currency", func(r *Request) { r.View.Currency = "EUR" }, false},
		{"order", func(r *Request) { r.View.Sort = SortFastest }, false},
		{"filter", func(r *Request) { r.View.Filter.MaxStops = new(0) }, false},
		{"limit", func(r *Request) { r.View.Limit = 1 }, false},
		{"latency budget", func(r *Request) { r.Timeout = time.Second }, false},
		{"passengers", func(r *Request) { r.Query.Passengers.Adults = 2 }, true},
		{"cabin", func(r *Request) { r.Query.Cabin = flight.CabinBusiness }, true},
		{"date", func(r *Request) { r.Query.Slices[0].Departure.Day++ }, true},
		{"route", func(r *Request) { r.Query.Slices[0].Destination = "LGW" }, true},
		{"return", func(r *Request) { r.Query.Slices = append(r.Query.Slices, returning) }, true},
		{"age", func(r *Request) { r.MaxAge = new(time.Duration) }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
			service := serviceOf(t, provider)
			mustSearch(t, service, oneWay("JFK", "LHR", "2026-12-15"))
			req := oneWay("JFK", "LHR", "2026-12-15")
			tc.change(&req)
			result := mustSearch(t, service, req)
			if asked := provider.times() == 2; asked != tc.asks {
				t.Errorf("asked again: %t, want %t", asked, tc.asks)
			}
			if hit := result.Providers[0].Cache == CacheHit; hit == tc.asks {
				t.Errorf("cache %q", result.Providers[0].Cache)
			}
		})
	}
}

func TestOnlyWhoWasMissingIsAskedAgain(t *testing.T) {
	// blockful/anticapture#1808.
	good := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
	bad := &scripted{name: "amadeus", err: &providers.Error{Kind: providers.KindTimeout}}
	service := serviceOf(t, good, bad)
	if first := mustSearch(t, service, oneWay("JFK", "LHR", "2026-12-15")); first.Complete {
		t.Error("a partial answer calls itself complete")
	}
	bad.err, bad.answer = nil, answerOf(offer("b", usd(300_00), viaDublin(t)))
	second := mustSearch(t, service, oneWay("JFK", "LHR", "2026-12-15"))
	if diff := cmp.Diff([]CacheUse{CacheHit, CacheMiss}, uses(second)); diff != "" || !second.Complete {
		t.Errorf("complete %t, %s", second.Complete, diff)
	}
	if good.times() != 1 || bad.times() != 2 {
		t.Errorf("asked %d and %d times, want 1 and 2: a failure must not be remembered as nothing found", good.times(), bad.times())
	}
}

func TestTimesToLive(t *testing.T) {
	// A day's synthetic clock: the service and the cache share it in the bubble.
	expiring := offer("a", usd(400_00), ba178(t))
	for _, tc := range []struct {
		name    string
		expires time.Duration
		empty   bool
		wait    time.Duration
		fails   bool
		want    CacheUse
		stale   bool
	}{
		{name: "fresh", wait: 2 * time.Minute, want: CacheHit},
		{name: "no longer", wait: 3*time.Minute + time.Second, want: CacheMiss},
		{name: "stale while the provider fails", wait: 5 * time.Minute, fails: true, want: CacheStale, stale: true},
		{name: "too old even for that", wait: 11 * time.Minute, fails: true, want: CacheMiss},
		{name: "nothing found, for a moment", empty: true, wait: 20 * time.Second, want: CacheHit},
		{name: "nothing found, no longer", empty: true, wait: 31 * time.Second, want: CacheMiss},
		{name: "ends before the offer does", expires: 2 * time.Minute, wait: 91 * time.Second, want: CacheMiss},
		{name: "an expired offer is not shown, stale or not", expires: 4 * time.Minute, wait: 5 * time.Minute, fails: true, want: CacheStale},
	} {
		t.Run(tc.name, func(t *testing.T) {
			catalogOf(t)
			synctest.Test(t, func(t *testing.T) {
				provider := &scripted{name: "duffel", answer: answerOf(expiring)}
				if tc.expires > 0 {
					provider.answer.Offers[0].ExpiresAt = time.Now().Add(tc.expires)
				}
				if tc.empty {
					provider.answer = providers.Answer{}
				}
				service := serviceOf(t, provider)
				service.now = time.Now
				req := oneWay("JFK", "LHR", flight.DateOf(time.Now()).AddDays(14).String())
				mustSearch(t, service, req)
				time.Sleep(tc.wait)
				if tc.fails {
					provider.err = &providers.Error{Kind: providers.KindFailed}
				}
				result, err := service.Search(context.Background(), req, nil)
				if none, ok := errors.AsType[*NoAnswerError](err); ok {
					result = &Result{Providers: none.Providers}
				}
				if got := result.Providers[0].Cache; got != tc.want {
					t.Errorf("cache %q, want %q", got, tc.want)
				}
				if fresh := result.Providers[0].Fresh; fresh > 3*time.Minute || fresh > 0 != (tc.want == CacheHit) || fresh < 0 != (tc.want == CacheStale) {
					t.Errorf("fresh for another %s, cache %q", fresh, tc.want)
				}
				if shown := len(result.Itineraries) > 0; shown != tc.stale && tc.want == CacheStale {
					t.Errorf("shown %t, want %t", shown, tc.stale)
				}
				if tc.stale && (!result.Itineraries[0].Offers[0].Stale || !result.Complete || result.Providers[0].Status != StatusError) {
					t.Errorf("stale fares are not marked: %+v", result.Providers[0])
				}
			})
		})
	}
}

func TestAHotEntryIsRenewedBeforeItEnds(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
		service := serviceOf(t, provider)
		service.now = time.Now
		req := oneWay("JFK", "LHR", flight.DateOf(time.Now()).AddDays(14).String())
		for range hotUses + 2 {
			mustSearch(t, service, req)
			synctest.Wait() // Until it is filled in: only its copy counts uses.
		}
		if provider.times() != 1 {
			t.Fatalf("asked %d times while fresh", provider.times())
		}
		time.Sleep(2 * time.Minute)
		for range 3 {
			if got := mustSearch(t, service, req).Providers[0].Cache; got != CacheHit {
				t.Errorf("cache %q while a renewal runs", got)
			}
		}
		synctest.Wait()
		if provider.times() != 2 {
			t.Errorf("asked %d times, want once more", provider.times())
		}
	})
}

func TestInvalidation(t *testing.T) {
	day := flight.Date{Year: 2026, Month: 12, Day: 15}
	for _, tc := range []struct {
		name      string
		scope     Scope
		want      []CacheUse // duffel, amadeus
		fromCity  bool
		returning bool
	}{
		{name: "provider", scope: Scope{Provider: "duffel"}, want: []CacheUse{CacheMiss, CacheHit}},
		{name: "market", scope: Scope{Origin: "JFK", Destination: "LHR"}, want: []CacheUse{CacheMiss, CacheMiss}},
		{name: "market of a provider covers all", scope: Scope{Provider: "duffel", Origin: "JFK", Destination: "LHR"}, want: []CacheUse{CacheMiss, CacheMiss}},
		{name: "the other direction", scope: Scope{Origin: "LHR", Destination: "JFK"}, want: []CacheUse{CacheMiss, CacheMiss}},
		{name: "that day", scope: Scope{Origin: "JFK", Destination: "LHR", Date: day}, want: []CacheUse{CacheMiss, CacheMiss}},
		{name: "another day", scope: Scope{Origin: "JFK", Destination: "LHR", Date: day.AddDays(1)}, want: []CacheUse{CacheHit, CacheHit}},
		{name: "another market", scope: Scope{Origin: "JFK", Destination: "CDG"}, want: []CacheUse{CacheHit, CacheHit}},
		{name: "a city search by an airport", scope: Scope{Origin: "EWR", Destination: "STN"}, fromCity: true, want: []CacheUse{CacheMiss, CacheMiss}},
		{name: "a return by its way back", scope: Scope{Origin: "LHR", Destination: "JFK", Date: day.AddDays(7)}, returning: true, want: []CacheUse{CacheMiss, CacheMiss}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			service := serviceOf(t,
				&scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))},
				&scripted{name: "amadeus", answer: answerOf(offer("b", usd(410_00), ba178(t)))},
			)
			req := oneWay("JFK", "LHR", day.String())
			if tc.fromCity {
				req = oneWay("NYC", "LON", day.String())
			}
			if tc.returning {
				req.Query.Slices = append(req.Query.Slices, flight.SliceQuery{Origin: "LHR", Destination: "JFK", Departure: day.AddDays(7)})
			}
			mustSearch(t, service, req)
			if err := service.Invalidate(context.Background(), tc.scope); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, uses(mustSearch(t, service, req))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnInvalidatedFareIsNeverStaleEither(t *testing.T) {
	// FusionCache#648.
	provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
	service := serviceOf(t, provider)
	mustSearch(t, service, oneWay("JFK", "LHR", "2026-12-15"))
	withdrawMarket(t, service)
	provider.err = errors.New("down")
	_, err := service.Search(context.Background(), oneWay("JFK", "LHR", "2026-12-15"), nil)
	if _, ok := errors.AsType[*NoAnswerError](err); !ok {
		t.Errorf("want *NoAnswerError, got %v", err)
	}
}

func TestScopesThatCannotBe(t *testing.T) {
	service := serviceOf(t, &scripted{name: "duffel"})
	for _, scope := range []Scope{{}, {Provider: "kiwi"}, {Provider: "kiwi", Origin: "JFK", Destination: "LHR"}, {Origin: "JFK"}, {Origin: "QQQ", Destination: "LHR"}} {
		var invalid *InvalidError
		if err := service.Invalidate(context.Background(), scope); !errors.As(err, &invalid) {
			t.Errorf("%+v: want *InvalidError, got %v", scope, err)
		}
	}
}

func TestFiftyIdenticalColdSearchesAskOnce(t *testing.T) {
	asked, release := make(chan struct{}, 51), make(chan struct{})
	provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
	provider.before = func(context.Context) {
		asked <- struct{}{}
		<-release
	}
	service := serviceOf(t, provider)
	service.now = time.Now // The cache's clock: else a hit looks old and is renewed ahead.
	req := oneWay("JFK", "LHR", flight.DateOf(time.Now()).AddDays(14).String())
	first, hangUp := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	callers.Go(func() {
		if _, err := service.Search(first, req, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("the one who hung up got %v", err)
		}
	})
	<-asked
	hangUp()
	for range 50 {
		callers.Go(func() {
			result, err := service.Search(context.Background(), req, nil)
			if err != nil || !result.Complete || len(result.Itineraries) != 1 {
				t.Errorf("incomplete answer: %v", err)
			}
		})
	}
	close(release)
	callers.Wait()
	if provider.times() != 1 {
		t.Errorf("asked %d times, want once", provider.times())
	}
}

func TestASharpFareChangeIsToldToTheMarket(t *testing.T) {
	for _, tc := range []struct {
		name  string
		price int64
		event bool
		want  CacheUse
	}{
		{"the same", 400_00, false, CacheHit},
		{"a little more", 410_00, false, CacheHit},
		{"much more", 480_00, false, CacheMiss},
		{"much less", 300_00, false, CacheMiss},
		{"much more, as an event has said already", 480_00, true, CacheHit},
	} {
		t.Run(tc.name, func(t *testing.T) {
			catalogOf(t)
			synctest.Test(t, func(t *testing.T) {
				changing := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
				other := &scripted{name: "amadeus", answer: answerOf(offer("b", usd(410_00), ba178(t)))}
				service := serviceOf(t, changing, other)
				service.now = nowOfTheCache
				req := oneWay("JFK", "LHR", soon())
				mustSearch(t, service, req)
				synctest.Wait()
				if tc.event {
					withdrawMarket(t, service)
				}
				time.Sleep(4 * time.Minute)

				changing.answer = answerOf(offer("a", usd(tc.price), ba178(t)))
				mustSearch(t, service, req)
				synctest.Wait()
				third := mustSearch(t, service, req)
				if diff := cmp.Diff([]CacheUse{tc.want, tc.want}, uses(third)); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}
