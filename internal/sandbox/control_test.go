package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func (b *bed) setFault(provider, fault string) {
	b.Helper()
	if a := b.call("PUT", "/faults/"+provider, nil, fault); a.status != http.StatusNoContent {
		b.Fatalf("%s: %d %s", fault, a.status, a.body)
	}
}

func (b *bed) clearFault(provider string) {
	b.Helper()
	if a := b.call("DELETE", "/faults/"+provider, nil, ""); a.status != http.StatusNoContent {
		b.Fatalf("clear %s: %d %s", provider, a.status, a.body)
	}
}

func TestStatsCountSearchesAndPollsButNotTokens(t *testing.T) {
	b := newBed(t)
	stats := func() map[string]int { return as[map[string]int](t, b.call("GET", "/stats", nil, "")) }
	if got := stats(); len(got) != 3 || got["duffel"]+got["amadeus"]+got["skyscanner"] != 0 {
		t.Errorf("at first: %v", got)
	}
	b.duffel(leg("JFK", "LHR", 30), `{"type":"adult"}`)
	b.duffel("", "") // A bad request is a request.
	b.amadeus("JFK", "LHR", 30)
	_, polls := b.skyscanner(skyscannerQuery("JFK", "LHR", 30, "USD", ""))
	b.call("GET", "/duffel/nowhere", duffelHeader, "")
	if got := stats(); got["duffel"] != 2 || got["amadeus"] != 1 || got["skyscanner"] != 1+polls {
		t.Errorf("then: %v", got)
	}
	if a := b.call("DELETE", "/stats", nil, ""); a.status != http.StatusNoContent {
		t.Errorf("DELETE: %d", a.status)
	}
	if got := stats(); got["duffel"]+got["amadeus"]+got["skyscanner"] != 0 {
		t.Errorf("after DELETE: %v", got)
	}
}

func TestControlRefusals(t *testing.T) {
	b := newBed(t)
	for _, test := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"PUT", "/faults/kiwi", `{"mode":"hang"}`, 404, "amadeus, duffel, skyscanner"},
		{"DELETE", "/faults/kiwi", "", 404, "kiwi"},
		{"PUT", "/faults/duffel", `{"mode":"sleep","shares":2}`, 400, "sleep"},
		{"POST", "/faults/duffel", `{"mode":"hang"}`, 405, ""},
		{"PUT", "/stats", "", 405, ""},
	} {
		a := b.call(test.method, test.path, nil, test.body)
		if a.status != test.status || !strings.Contains(string(a.body), test.says) {
			t.Errorf("%s %s: %d %s", test.method, test.path, a.status, a.body)
		}
		if a.status == 405 && a.header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", test.method, test.path)
		}
	}
	if a := b.call("GET", "/health/live", nil, ""); a.status != http.StatusOK {
		t.Errorf("live: %d", a.status)
	}
}

// ask sends the same search to any provider.
func (b *bed) ask(ctx context.Context, provider string) (answer, error) {
	b.Helper()
	switch provider {
	case "duffel":
		return b.try(ctx, "POST", "/duffel/air/offer_requests", duffelHeader,
			`{"data":{"slices":[`+leg("JFK", "LHR", 30)+`],"passengers":[{"type":"adult"}]}}`)
	case "amadeus":
		q := url.Values{"originLocationCode": {"JFK"}, "destinationLocationCode": {"LHR"}, "departureDate": {in(30)}, "adults": {"1"}}
		return b.try(ctx, "GET", "/amadeus/v2/shopping/flight-offers?"+q.Encode(), b.amadeusHeader(), "")
	default:
		return b.try(ctx, "POST", live+"/search/create", skyscannerHeader, skyscannerQuery("JFK", "LHR", 30, "USD", ""))
	}
}

func TestFaultsOfEveryProvider(t *testing.T) {
	b := newBed(t)
	for _, provider := range []string{"duffel", "amadeus", "skyscanner"} {
		for _, test := range []struct {
			fault string
			check func(answer, error) bool
		}{
			{`{"mode":"error"}`, func(a answer, err error) bool { return err == nil && a.status == 503 && json.Valid(a.body) }},
			{`{"mode":"error","status":500}`, func(a answer, err error) bool { return err == nil && a.status == 500 && json.Valid(a.body) }},
			{`{"mode":"unauthorized"}`, func(a answer, err error) bool { return err == nil && a.status == 401 && json.Valid(a.body) }},
			{`{"mode":"rate_limit"}`, func(a answer, err error) bool { return err == nil && a.status == 429 && json.Valid(a.body) }},
			{`{"mode":"malformed"}`, func(a answer, err error) bool { return err == nil && a.status == 200 && !json.Valid(a.body) }},
			{`{"mode":"truncated"}`, func(_ answer, err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
			{`{"mode":"reprice","factor":2}`, func(a answer, err error) bool { return err == nil && a.status < 300 && json.Valid(a.body) }},
		} {
			b.setFault(provider, test.fault)
			if a, err := b.ask(t.Context(), provider); !test.check(a, err) {
				t.Errorf("%s %s: %d %v %.200s", provider, test.fault, a.status, err, a.body)
			}
		}
		b.clearFault(provider)
		if a, err := b.ask(t.Context(), provider); err != nil || a.status > 299 || !json.Valid(a.body) {
			t.Errorf("%s in order again: %d %v", provider, a.status, err)
		}
	}
}

func TestRateLimitHeaders(t *testing.T) {
	b := newBed(t)
	for _, provider := range []string{"duffel", "amadeus", "skyscanner"} {
		b.setFault(provider, `{"mode":"rate_limit"}`)
		a, err := b.ask(t.Context(), provider)
		if err != nil {
			t.Fatal(err)
		}
		if provider != "duffel" {
			if a.header.Get("Retry-After") == "" {
				t.Errorf("%s: no Retry-After", provider)
			}
			continue
		}
		reset, err := http.ParseTime(a.header.Get("Ratelimit-Reset"))
		if err != nil || !reset.After(now) || a.header.Get("Ratelimit-Remaining") != "0" {
			t.Errorf("duffel: %v", a.header)
		}
	}
}

func TestAFaultOfOneProviderLeavesTheOthers(t *testing.T) {
	b := newBed(t)
	b.setFault("duffel", `{"mode":"error"}`)
	for _, provider := range []string{"amadeus", "skyscanner"} {
		if a, err := b.ask(t.Context(), provider); err != nil || a.status != http.StatusOK {
			t.Errorf("%s: %d %v", provider, a.status, err)
		}
	}
}

func TestHangingEndsWithTheClient(t *testing.T) {
	b := newBed(t)
	b.setFault("duffel", `{"mode":"hang"}`)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if a, err := b.ask(ctx, "duffel"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d %v", a.status, err)
	}
}

func TestHugeAnswersGoOn(t *testing.T) {
	b := newBed(t)
	b.setFault("skyscanner", `{"mode":"huge"}`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+live+"/search/create", strings.NewReader(skyscannerQuery("JFK", "LHR", 30, "USD", "")))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "key")
	response, err := b.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if n, err := io.CopyN(io.Discard, response.Body, 64<<20); err != nil {
		t.Errorf("ends after %d bytes: %v", n, err)
	}
}

func TestRepriceChangesEveryFareFromThenOn(t *testing.T) {
	b := newBed(t)
	before := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30), family)).Data.Offers
	b.setFault("duffel", `{"mode":"reprice","factor":1.2}`)
	confirmed := as[struct{ Data duffelOffer }](t, b.call("GET", "/duffel/air/offers/"+before[0].ID, duffelHeader, "")).Data
	after := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30), family)).Data.Offers
	if confirmed.Total != after[0].Total {
		t.Errorf("confirmed at %s, found at %s", confirmed.Total, after[0].Total)
	}
	for i := range before {
		// Eight amounts are rounded: fare and taxes of four passengers.
		if want := cents(before[i].Total) * 12 / 10; cents(after[i].Total) < want-4 || cents(after[i].Total) > want+5 {
			t.Errorf("%s became %s", before[i].Total, after[i].Total)
		}
	}
	b.clearFault("duffel")
	if again := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30), family)).Data.Offers; again[0].Total != before[0].Total {
		t.Errorf("%s became %s for good", before[0].Total, again[0].Total)
	}
}

func TestControlHasTheSwitchesAlone(t *testing.T) {
	b := newBed(t)
	control := httptest.NewServer(b.world.Control())
	defer control.Close()
	whole := b.URL
	b.URL = control.URL
	b.setFault("duffel", `{"mode":"error","status":502}`)
	if a := b.call("POST", "/duffel/air/offer_requests", duffelHeader, "{}"); a.status != http.StatusNotFound {
		t.Errorf("a provider answers %d", a.status)
	}
	b.URL = whole
	if a, err := b.ask(t.Context(), "duffel"); err != nil || a.status != http.StatusBadGateway {
		t.Errorf("the fault does not hold: %d %v", a.status, err)
	}
}
