package search

import (
	"testing"

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
