package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

// BenchmarkSearch is the edge alone, decoding to encoding, for a page of ten
// non-stop itineraries with one offer each.
func BenchmarkSearch(b *testing.B) {
	result := fullResult(b, search.Request{})
	it := flight.Itinerary{Slices: []flight.Slice{overnight(b)}}
	result.Itineraries = nil
	for range 10 {
		result.Itineraries = append(result.Itineraries, search.Itinerary{
			Itinerary: it, ID: "journey-1", Price: &flight.Money{Minor: 41230, Currency: "USD"}, Offers: []search.Offer{fullOffer(it)},
		})
	}
	s := &searcher{answer: func(_ context.Context, req search.Request) (*search.Result, error) {
		answer := *result
		answer.Request = req
		return &answer, nil
	}}
	measure(b, httpapi.New(options(s)), func() *http.Request { return get(oneWay) })
}

// BenchmarkWorstBody is a body that has as many faults as a body can have.
func BenchmarkWorstBody(b *testing.B) {
	var body strings.Builder
	body.WriteString(`{"slices":[` + slice + `]`)
	for i := range 990 {
		fmt.Fprintf(&body, `,"departure_d%d":1`, i)
	}
	body.WriteString("}")
	measure(b, httpapi.New(options(&searcher{})), func() *http.Request { return post(body.String()) })
}

func measure(b *testing.B, h http.Handler, request func() *http.Request) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request())
		b.SetBytes(int64(w.Body.Len()))
	}
}
