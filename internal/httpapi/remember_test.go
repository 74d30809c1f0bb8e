package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

const anyQuery = "/v1/flights/search?origin=JFK&destination=LHR&departure_date=2027-03-08"

func askAgain(t *testing.T, handler http.Handler, method, validator string) *httptest.ResponseRecorder {
	t.Helper()
	var request *http.Request
	if method == http.MethodPost {
		request = httptest.NewRequest(method, "/v1/flights/search",
			strings.NewReader(`{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2027-03-08"}]}`))
		request.Header.Set("Content-Type", "application/json")
	} else {
		request = httptest.NewRequest(method, anyQuery, nil)
	}
	if validator != "" {
		request.Header.Set("If-None-Match", validator)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func named(name string, encoded []byte) *searcher {
	return &searcher{answer: func(_ context.Context, req search.Request) (*search.Result, error) {
		return &search.Result{
			SearchID: "search-1", Request: req, Complete: true, Rates: catalog().Rates(),
			Body: search.Body{Name: name, Encoded: encoded},
		}, nil
	}}
}

func TestARememberedBodyGivesTheSameAnswer(t *testing.T) {
	s := named("abc", nil)
	first := askAgain(t, httpapi.New(options(s)), http.MethodGet, "")
	if len(s.remembered) == 0 {
		t.Fatal("nothing was given to be remembered")
	}
	second := askAgain(t, httpapi.New(options(named("abc", s.remembered))), http.MethodGet, "")
	if diff := cmp.Diff(first.Body.String(), second.Body.String()); diff != "" {
		t.Error(diff)
	}
	var response api.SearchResponse
	if err := json.Unmarshal(second.Body.Bytes(), &response); err != nil || response.SearchID != "search-1" || response.Itineraries == nil {
		t.Errorf("not one whole object: %v", err)
	}
}

func TestValidators(t *testing.T) {
	for _, tc := range []struct {
		name, method, body, validator string
		status                        int
		tag                           string
	}{
		{"first time", http.MethodGet, "abc", "", 200, `W/"abc"`},
		{"same fares", http.MethodGet, "abc", `W/"abc"`, 304, `W/"abc"`},
		{"compared weakly", http.MethodGet, "abc", `"abc"`, 304, `W/"abc"`},
		{"one of several", http.MethodGet, "abc", `W/"xyz", W/"abc"`, 304, `W/"abc"`},
		{"any", http.MethodGet, "abc", `*`, 304, `W/"abc"`},
		{"head", http.MethodHead, "abc", `W/"abc"`, 304, `W/"abc"`},
		{"other fares", http.MethodGet, "abc", `W/"xyz"`, 200, `W/"abc"`},
		{"fares without a name", http.MethodGet, "", `W/""`, 200, ""},
		{"a POST is always answered", http.MethodPost, "abc", `W/"abc"`, 200, `W/"abc"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := askAgain(t, httpapi.New(options(named(tc.body, nil))), tc.method, tc.validator)
			if got.Code != tc.status || got.Header().Get("ETag") != tc.tag {
				t.Errorf("%d with ETag %q, want %d with %q", got.Code, got.Header().Get("ETag"), tc.status, tc.tag)
			}
			if got.Header().Get("Cache-Control") != "private, no-cache" {
				t.Errorf("Cache-Control %q", got.Header().Get("Cache-Control"))
			}
			if tc.status == 304 && got.Body.Len() > 0 {
				t.Error("304 with a body")
			}
		})
	}
}
