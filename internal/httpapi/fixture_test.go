package httpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/search"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// searcher stands in for the search: it judges the form of the query as the
// search does, remembers what it was asked, and answers what the test wants.
type searcher struct {
	answer func(ctx context.Context, req search.Request) (*search.Result, error)

	mu         sync.Mutex
	asked      []search.Request
	remembered []byte
}

func (s *searcher) Remember(_ *search.Result, encoded []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remembered = encoded
}

func (s *searcher) Search(ctx context.Context, req search.Request, faults []flight.Fault) (*search.Result, error) {
	all := slices.Clone(faults)
	for _, found := range req.Query.Faults() {
		if !slices.ContainsFunc(all, func(f flight.Fault) bool { return f.Field == found.Field && f.Slice == found.Slice }) {
			all = append(all, found)
		}
	}
	if len(all) > 0 {
		return nil, &search.InvalidError{Faults: all}
	}
	s.mu.Lock()
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	if s.answer != nil {
		return s.answer(ctx, req)
	}
	return &search.Result{
		SearchID: "search-1", Body: search.Body{Name: "fares-1"}, Request: req, Complete: true, Rates: catalog().Rates(),
		Providers: []search.Outcome{{Name: "duffel", Status: search.StatusOK, Cache: search.CacheHit, Sandbox: true}},
	}, nil
}

// last is the request that was asked for most recently.
func (s *searcher) last(t *testing.T) search.Request {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		t.Fatal("the search was not asked")
	}
	return s.asked[len(s.asked)-1]
}

var catalog = sync.OnceValue(func() *refdata.Catalog {
	embedded, err := refdata.Embedded()
	if err != nil {
		panic(err)
	}
	return embedded
})

// options of a service that works.
func options(s *searcher) httpapi.Options {
	return httpapi.Options{
		Searcher: s,
		Catalog:  catalog,
		Ready: func(context.Context) httpapi.Readiness {
			return httpapi.Readiness{State: httpapi.StateDegraded, Checks: map[string]httpapi.Check{
				"redis":     {Detail: "connection refused"},
				"reference": {OK: true},
			}}
		},
		SearchTimeout: 8 * time.Second,
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = io.WriteString(w, "searches_total 1\n")
		}),
	}
}

// ask sends a request through the whole handler and checks that the answer is
// one that the contract describes.
func ask(t *testing.T, h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	conforms(t, r, w)
	return w
}

func get(target string) *http.Request {
	return httptest.NewRequest(http.MethodGet, target, http.NoBody)
}

func post(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/flights/search", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

func decode[T any](t *testing.T, w *httptest.ResponseRecorder) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return v
}

// faults are a problem's errors as "where: what".
func faults(p api.Problem) []string {
	var lines []string
	for _, f := range p.Errors {
		switch {
		case f.Parameter != nil:
			lines = append(lines, *f.Parameter+": "+f.Detail)
		case f.Pointer != nil:
			lines = append(lines, *f.Pointer+": "+f.Detail)
		}
	}
	return lines
}
