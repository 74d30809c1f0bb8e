package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata" // The tests must not depend on the machine's zones.

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/search"
)

var update = flag.Bool("update", false, "write the golden answers anew")

// golden compares a body with testdata, both indented.
func golden(t *testing.T, name string, w *httptest.ResponseRecorder) {
	t.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, w.Body.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestSearchAnswer(t *testing.T) {
	t.Parallel()
	s := &searcher{answer: func(_ context.Context, req search.Request) (*search.Result, error) { return fullResult(t, req), nil }}
	w := ask(t, httpapi.New(options(s)), get(oneWay+"&return_date=2026-12-22&children=1&max_stops=3&carriers=BA&max_price=900"+
		"&max_duration_minutes=900&depart_after=08:00&arrive_before=23:30&checked_bag=true&timeout_ms=2000&max_age_seconds=60"))
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	golden(t, "search.json", w)
	if strings.Contains(w.Body.String(), "secret reference") {
		t.Error("the provider's own reference is shown")
	}
	headers := map[string]string{
		"Content-Type":           "application/json",
		"Cache-Control":          "private, no-cache",
		"Server-Timing":          "total;dur=345.6, cache;dur=1.2, duffel;dur=341.0, skyscanner;dur=0.0, merge;dur=0.9",
		"Cache-Status":           "hedgehop-duffel; fwd=miss, hedgehop-skyscanner; fwd=stale; ttl=-61",
		"X-Content-Type-Options": "nosniff",
	}
	for name, want := range headers {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNothingFound(t *testing.T) {
	t.Parallel()
	w := ask(t, httpapi.New(options(&searcher{})), get(oneWay))
	golden(t, "nothing.json", w)
}

func TestSearchFails(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		status int
		file   string
		retry  string
	}{
		"nobody answered": {
			&search.NoAnswerError{RetryAfter: 1500 * time.Millisecond, Providers: []search.Outcome{
				{Name: "duffel", Status: search.StatusRateLimited, Attempts: 1, Cache: search.CacheMiss, Error: "too many requests"},
			}}, http.StatusServiceUnavailable, "no_answer.json", "2",
		},
		"the instance is full": {search.ErrFull, http.StatusServiceUnavailable, "overloaded.json", "1"},
		"cursor too old":       {search.ErrCursor, http.StatusGone, "cursor.json", ""},
		"something unknown":    {os.ErrPermission, http.StatusInternalServerError, "internal.json", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &searcher{answer: func(context.Context, search.Request) (*search.Result, error) { return nil, test.err }}
			w := ask(t, httpapi.New(options(s)), get(oneWay))
			if w.Code != test.status {
				t.Errorf("%d, want %d", w.Code, test.status)
			}
			golden(t, test.file, w)
			if w.Header().Get("Retry-After") != test.retry {
				t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
			}
		})
	}
}

// TestDeadline: one deadline, the service's or the caller's shorter one.
func TestDeadline(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]time.Duration{
		oneWay:                      8 * time.Second,
		oneWay + "&timeout_ms=1500": 1500 * time.Millisecond,
	} {
		synctest.Test(t, func(t *testing.T) {
			started := time.Now()
			s := &searcher{answer: func(ctx context.Context, req search.Request) (*search.Result, error) {
				<-ctx.Done()
				return &search.Result{Request: req, Rates: refdata.Rates{}}, nil
			}}
			w := httptest.NewRecorder()
			httpapi.New(options(s)).ServeHTTP(w, get(target))
			if took := time.Since(started); took != want || w.Code != http.StatusOK {
				t.Errorf("%s: %d after %s, want after %s", target, w.Code, took, want)
			}
		})
	}
}

func TestReference(t *testing.T) {
	t.Parallel()
	h := httpapi.New(options(&searcher{}))
	for target, file := range map[string]string{
		"/v1/airports/jfk":   "airport.json",
		"/v1/airports/%4AFK": "airport.json",
		"/v1/airlines/ba":    "airline.json",
		"/v1/airports/LON":   "city.json",
		"/v1/airports/QQQ":   "no_airport.json",
		"/v1/airlines/%2F":   "no_airline.json",
	} {
		golden(t, file, ask(t, h, get(target)))
	}
	currencies := decode[api.Currencies](t, ask(t, h, get("/v1/currencies")))
	want := map[string]api.Currency{
		"JPY": {Code: "JPY", Digits: 0, HasRate: true},
		"KWD": {Code: "KWD", Digits: 3, HasRate: false},
		"USD": {Code: "USD", Digits: 2, HasRate: true},
	}
	for _, got := range currencies.Currencies {
		if expected, ok := want[got.Code]; ok {
			delete(want, got.Code)
			got.Name = nil
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Error(diff)
			}
		}
	}
	if len(want) > 0 || currencies.ExchangeRates.Source != "ECB" {
		t.Errorf("missing %v, rates of %+v", want, currencies.ExchangeRates)
	}
}

func TestReferenceTakesNoParameters(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/v1/airports/JFK?lang=de", "/v1/airlines/BA?lang=de", "/v1/currencies?lang=de"} {
		problem := refused(t, get(target), http.StatusBadRequest)
		if diff := cmp.Diff([]string{"lang: is not a parameter of this address; it has none"}, faults(problem)); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}

// TestSharedAnswersAreValidated: a caller whose copy is right gets 304.
func TestSharedAnswersAreValidated(t *testing.T) {
	t.Parallel()
	h := httpapi.New(options(&searcher{}))
	for _, target := range []string{"/v1/airports/JFK", "/v1/airlines/BA", "/v1/currencies", "/openapi.yaml"} {
		first := ask(t, h, get(target))
		if first.Code != http.StatusOK || first.Header().Get("Cache-Control") != "public, max-age=3600" {
			t.Errorf("%s: %d, Cache-Control %q", target, first.Code, first.Header().Get("Cache-Control"))
		}
		for etag, want := range map[string]int{
			first.Header().Get("ETag"): http.StatusNotModified,
			`W/"0000000000000000"`:     http.StatusOK,
		} {
			r := get(target)
			r.Header.Set("If-None-Match", etag)
			if w := ask(t, h, r); w.Code != want {
				t.Errorf("%s with %s: %d, want %d", target, etag, w.Code, want)
			}
		}
	}
}

func TestOperation(t *testing.T) {
	t.Parallel()
	h := httpapi.New(options(&searcher{}))
	golden(t, "live.json", ask(t, h, get("/health/live")))
	golden(t, "degraded.json", ask(t, h, get("/health/ready")))
	if w := ask(t, h, get("/metrics")); w.Body.String() != "searches_total 1\n" {
		t.Errorf("metrics: %q", w.Body)
	}
	if w := ask(t, h, get("/openapi.yaml")); !bytes.Equal(w.Body.Bytes(), api.Spec) {
		t.Error("/openapi.yaml is not the contract")
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	for state, want := range map[httpapi.State]int{
		httpapi.StateReady: 200, httpapi.StateDegraded: 200, httpapi.StateStarting: 503, httpapi.StateStopping: 503,
	} {
		o := options(&searcher{})
		o.Ready = func(context.Context) httpapi.Readiness { return httpapi.Readiness{State: state} }
		w := ask(t, httpapi.New(o), get("/health/ready"))
		if got := decode[api.Readiness](t, w); w.Code != want || string(got.Status) != string(state) {
			t.Errorf("%s: %d %s, want %d", state, w.Code, got.Status, want)
		}
	}
}
