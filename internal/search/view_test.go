package search

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/hedgehop/hedgehop/internal/providers"
)

func TestABodyIsRememberedForItsFaresAndView(t *testing.T) {
	provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
	service := serviceOf(t, provider)
	service.now = nowOfTheCache
	req := oneWay("JFK", "LHR", soon())
	first := mustSearch(t, service, req)
	if first.Body.Name == "" || first.Body.Encoded != nil {
		t.Fatalf("unexpected body of a cold search: %+v", first.Body)
	}
	service.Remember(first, []byte("encoded"))

	second := mustSearch(t, service, req)
	if string(second.Body.Encoded) != "encoded" || second.Body.Name != first.Body.Name {
		t.Errorf("the body is not remembered: %+v", second.Body)
	}
	if second.SearchID == first.SearchID || second.Providers[0].Cache != CacheHit {
		t.Errorf("the head is not of this search: %+v", second)
	}
	for name, change := range map[string]func(*Request){
		"currency": func(r *Request) { r.View.Currency = "EUR" },
		"order":    func(r *Request) { r.View.Sort = SortFastest },
		"filter":   func(r *Request) { r.View.Filter.MaxStops = new(1) },
		"limit":    func(r *Request) { r.View.Limit = 7 },
	} {
		other := req
		change(&other)
		if got := mustSearch(t, service, other); got.Body.Encoded != nil || got.Body.Name == first.Body.Name {
			t.Errorf("%s: another view has the same body", name)
		}
	}
}

func TestABodyEndsWithItsFares(t *testing.T) {
	provider := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
	service := serviceOf(t, provider)
	service.now = nowOfTheCache
	first := mustSearch(t, service, oneWay("JFK", "LHR", soon()))
	service.Remember(first, []byte("encoded"))
	withdrawMarket(t, service)
	if got := mustSearch(t, service, oneWay("JFK", "LHR", soon())); got.Body.Encoded != nil {
		t.Error("a body outlived the invalidation of its fares")
	}
}

func TestStaleFaresHaveABodyOfTheirOwnThatIsNotRemembered(t *testing.T) {
	fetch := "00112233445566778899aabbccddeeff"
	fresh := heard{fetch: fetch, use: CacheHit, fresh: noon}
	stale := heard{fetch: fetch, use: CacheStale, err: &providers.Error{Kind: providers.KindFailed}, fresh: noon}
	service := serviceOf(t, &scripted{name: "duffel"})
	req, catalog := oneWay("JFK", "LHR", "2026-12-15"), catalogOf(t)
	if service.nameOf(req, []heard{fresh}, catalog) == service.nameOf(req, []heard{stale}, catalog) {
		t.Error("stale and fresh fares have one name")
	}
	if !freshUntil([]heard{stale}).IsZero() || freshUntil([]heard{fresh}) != noon {
		t.Error("a stale body would be remembered")
	}
	if unnamed := service.nameOf(req, []heard{{use: CacheMiss}}, catalog); unnamed != "" {
		t.Errorf("fares without a name have a body named %q", unnamed)
	}
}

// TestAKnownBodyNeedsNoFares: the answer is given by names alone, and says of its
// providers what it said before.
func TestAKnownBodyNeedsNoFares(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		plain := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)), offer("b", usd(410_00), ba178(t)))}
		empty := &scripted{name: "amadeus"}
		service := serviceOf(t, plain, empty)
		service.now = nowOfTheCache
		req := oneWay("JFK", "LHR", soon())
		service.Remember(mustSearch(t, service, req), []byte("encoded"))
		synctest.Wait()
		h, known := service.glance(context.Background(), req, service.options.Catalog())
		if !known || string(h.body.Encoded) != "encoded" || h.all[0].offers != 2 || h.all[1].offers != 0 || len(h.all[0].answer.Offers) != 0 {
			t.Errorf("known %t: %+v", known, h)
		}
		other := req
		other.View.Sort = SortFastest
		if _, known := service.glance(context.Background(), other, service.options.Catalog()); known {
			t.Error("a view that nobody has made is known")
		}
		withdrawMarket(t, service)
		if _, known := service.glance(context.Background(), req, service.options.Catalog()); known {
			t.Error("withdrawn fares are known")
		}
	})
}

func TestAnAnswerWithMoreToTellIsLookedUp(t *testing.T) {
	catalogOf(t)
	synctest.Test(t, func(t *testing.T) {
		cut := &scripted{name: "duffel", answer: answerOf(offer("a", usd(400_00), ba178(t)))}
		cut.answer.Cut, cut.answer.Warnings = true, []string{"list was cut"}
		service := serviceOf(t, cut)
		service.now = nowOfTheCache
		req := oneWay("JFK", "LHR", soon())
		service.Remember(mustSearch(t, service, req), []byte("encoded"))
		synctest.Wait()
		second := mustSearch(t, service, req)
		if second.Complete || len(second.Providers[0].Warnings) != 1 || second.Providers[0].Cache != CacheHit {
			t.Errorf("complete %t, %+v", second.Complete, second.Providers[0])
		}
	})
}
