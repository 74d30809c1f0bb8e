package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/search"
)

// searchByQuery answers GET: one-way and return.
func (s *server) searchByQuery(w http.ResponseWriter, r *http.Request) error {
	return s.search(w, r, s.decoder.query(r.URL.RawQuery))
}

// searchByBody answers POST: any journey.
func (s *server) searchByBody(w http.ResponseWriter, r *http.Request) error {
	if err := refuseParameters(r.URL.RawQuery, "goes into the body, with POST"); err != nil {
		return err
	}
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	asked, err := s.decoder.body(body)
	if err != nil {
		return err
	}
	return s.search(w, r, asked)
}

// search sets the one deadline of a search and asks, faults or not: the search
// completes them, so that its caller sees all at once.
func (s *server) search(w http.ResponseWriter, r *http.Request, asked question) error {
	limit := s.options.SearchTimeout
	if own := asked.request.Timeout; own > 0 {
		limit = min(limit, own)
	}
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	defer cancel()
	result, err := s.options.Searcher.Search(ctx, asked.request, asked.faults)
	if wrong, ok := errors.AsType[*search.InvalidError](err); ok {
		return invalid(asked.locate(wrong.Faults))
	}
	if err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	eventOf(r.Context()).searchID = result.SearchID
	w.Header().Set("Server-Timing", serverTiming(result))
	return serveJSON(w, http.StatusOK, cachePrivately, searchResponse(result))
}

// serverTiming is the value of the Server-Timing header (W3C), in milliseconds.
func serverTiming(result *search.Result) string {
	var b strings.Builder
	metric := func(name string, d time.Duration) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s;dur=%.1f", name, float64(d.Microseconds())/1000)
	}
	metric("total", result.Timing.Total)
	metric("cache", result.Timing.Cache)
	for _, provider := range result.Providers {
		metric(provider.Name, provider.Latency)
	}
	metric("merge", result.Timing.Merge)
	return b.String()
}
