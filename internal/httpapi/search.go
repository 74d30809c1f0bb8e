package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

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
	body, err := readBody(w, r, mediaTypeJSON)
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
	eventOf(r.Context()).result = result
	w.Header().Set("Server-Timing", serverTiming(result))
	w.Header().Set("Cache-Status", cacheStatus(result.Providers))
	return s.answerSearch(w, r, result)
}

// answerSearch writes the head of this search and the body, encoded before or
// now; or 304 to a caller who has the same fares in the same view.
func (s *server) answerSearch(w http.ResponseWriter, r *http.Request, result *search.Result) error {
	if tag := validator(result); tag != "" {
		w.Header().Set("ETag", tag)
		if r.Method != http.MethodPost && holds(r.Header.Values("If-None-Match"), tag) {
			w.Header().Set("Cache-Control", string(cachePrivately))
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	head, err := encode(headOf(result))
	if err != nil {
		return err
	}
	body, err := s.encodedBody(result)
	if err != nil {
		return err
	}
	write(w, answer{status: http.StatusOK, contentType: "application/json", cache: cachePrivately, body: opened(head), rest: body[1:]})
	return nil
}

// validator is weak, for the head differs with every search.
func validator(result *search.Result) string {
	if result.Body.Name == "" {
		return ""
	}
	return `W/"` + result.Body.Name + `"`
}

// holds reports that a caller's validators (RFC 9110, section 13.1.2) include
// the tag, compared weakly.
func holds(validators []string, tag string) bool {
	opaque := strings.TrimPrefix(tag, "W/")
	for part := range strings.SplitSeq(strings.Join(validators, ","), ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == opaque {
			return true
		}
	}
	return false
}

func (s *server) encodedBody(result *search.Result) ([]byte, error) {
	if result.Body.Encoded != nil {
		return result.Body.Encoded, nil
	}
	body, err := encode(bodyOf(result))
	if err != nil {
		return nil, err
	}
	s.options.Searcher.Remember(result, body)
	return body, nil
}

// opened is a JSON object that is not empty, ready for the members of another one
// to follow.
func opened(object []byte) []byte {
	object = bytes.TrimSuffix(object, []byte("\n"))
	return append(bytes.TrimSuffix(object, []byte("}")), ',')
}
