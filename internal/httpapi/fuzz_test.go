package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/httpapi"
)

// sound fails where an answer to any request whatever is neither a search that
// was well understood nor a problem that names its faults.
func sound(t *testing.T, s *searcher, w *httptest.ResponseRecorder) {
	t.Helper()
	switch w.Code {
	case http.StatusOK:
		req := s.last(t)
		if faults := req.Query.Faults(); len(faults) > 0 {
			t.Errorf("a search was made in spite of %v", faults)
		}
		if req.View.Limit < 1 || req.View.Limit > 100 || req.Timeout < 0 || req.Timeout > 8*time.Second ||
			req.View.Filter.MaxDuration < 0 || req.MaxAge != nil && *req.MaxAge < 0 || req.View.Filter.MaxPrice.Minor < 0 {
			t.Errorf("out of bounds: %+v", req)
		}
	case http.StatusBadRequest:
		problem := decode[api.Problem](t, w)
		if len(problem.Errors) == 0 {
			t.Errorf("no fault is named: %s", w.Body)
		}
		for _, f := range problem.Errors {
			if f.Detail == "" || (f.Parameter == nil) == (f.Pointer == nil) {
				t.Errorf("fault %+v says not what or where", f)
			}
		}
	case http.StatusRequestEntityTooLarge:
	default:
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if !json.Valid(w.Body.Bytes()) {
		t.Errorf("not JSON: %q", w.Body)
	}
}

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "&", "=", "origin=JFK&destination=LHR&departure_date=2026-12-15", "origin=LON&destination=NYC&departure_date=2026-12-15&return_date=2026-12-14",
		"origin=%zz&%=&a%00b=1;c", "adults=2&adults=3&children=1&child_ages=7,x,,&infants=-1&cabin=first&currency=%20jpy&max_price=0.5",
		"max_stops=0&carriers=BA,,1&depart_after=23:59&checked_bag=true&sort=best&limit=100&cursor=%ff&timeout_ms=50&max_age_seconds=0",
		"max_duration_minutes=9223372036854775807&origin=" + "%F0%9F%9B%AB" + "&child=1",
	} {
		f.Add(seed)
	}
	s := &searcher{}
	h := httpapi.New(options(s))
	f.Fuzz(func(t *testing.T, raw string) {
		r := httptest.NewRequest(http.MethodGet, "/v1/flights/search", http.NoBody)
		r.URL.RawQuery = raw
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		sound(t, s, w)
	})
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "[]", "null", "{\"slices\":[" + slice + "]}", "{\"slices\":[" + slice + "," + slice + "],\"adults\":1e400,\"child_ages\":[2,17,1.0]}",
		`{"slices":{},"slices":[null,{"origin":{},"~/":1}]}`, `{"max_price":-0.000,"currency":"KWD","carriers":[[]],"limit":9223372036854775808}`,
		`{"a":"\ud800","b`, "\ufeff{}", `[[[[[[[[[[[[[[[[`, `{"cursor":"\u0000","timeout_ms":50,"max_age_seconds":1000000}`,
	} {
		f.Add([]byte(seed))
	}
	s := &searcher{}
	h := httpapi.New(options(s))
	f.Fuzz(func(t *testing.T, body []byte) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, post(string(body)))
		sound(t, s, w)
	})
}
