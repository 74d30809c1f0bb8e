package duffel

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// fault is one element of errors[]
// (https://duffel.com/docs/api/overview/response-handling).
type fault struct {
	Type          string  `json:"type"`
	Code          string  `json:"code"`
	Title         string  `json:"title"`
	Message       string  `json:"message"`
	Documentation string  `json:"documentation_url"`
	Source        *source `json:"source,omitempty"`
}

type source struct {
	Field   string `json:"field"`
	Pointer string `json:"pointer"`
}

const documentation = "https://duffel.com/docs/api/overview/errors"

var malformed = fault{"invalid_request_error", "malformed_json", "Malformed JSON", "The body of the request is not valid JSON.", documentation, nil}

func required(field string) fault {
	return fault{"validation_error", "validation_required", "Required field", fmt.Sprintf("Field '%s' can't be blank", field), documentation, at(field)}
}

func invalid(field, message string) fault {
	name := field[strings.LastIndexByte(field, '/')+1:]
	return fault{"validation_error", "validation_invalid", "Invalid field", fmt.Sprintf("Field '%s' %s", name, message), documentation, at(field)}
}

func at(path string) *source {
	return &source{Field: path[strings.LastIndexByte(path, '/')+1:], Pointer: "/" + path}
}

// refusals are the errors that a status stands for.
var refusals = map[int]fault{
	http.StatusUnauthorized:          {"authentication_error", "access_token_not_found", "Access token not found", "The access token used is not recognised by our system", documentation, nil},
	http.StatusNotFound:              {"invalid_request_error", "not_found", "Not found", "The resource you are trying to access does not exist.", documentation, nil},
	http.StatusRequestEntityTooLarge: {"invalid_request_error", "request_too_large", "Request too large", "The body of the request is too large.", documentation, nil},
	http.StatusTooManyRequests:       {"rate_limit_error", "rate_limit_exceeded", "Rate limit exceeded", "Too many requests hit the API too quickly. Please retry your request after the time specified in the `ratelimit-reset` header.", documentation, nil},
}

// refuse answers a call with a status in Duffel's own form of an error.
func (s *service) refuse(w http.ResponseWriter, status int) {
	f, ok := refusals[status]
	if !ok {
		f = fault{"api_error", "internal_server_error", "Internal server error", "Something went wrong on our side.", documentation, nil}
	}
	if status == http.StatusTooManyRequests {
		s.limitHeaders(w.Header(), 0)
	}
	s.fail(w, status, f)
}

const (
	// limit is the number of requests in a window that the headers speak of.
	limit = 60
	// reset is how soon the window is over: soon, so that nobody who tries out
	// rate limits waits long.
	reset = 2 * time.Second
)

// limitHeaders tells the rate limit; its reset is a date, not a number of
// seconds.
func (s *service) limitHeaders(h http.Header, remaining int) {
	h.Set("Ratelimit-Limit", fmt.Sprint(limit))
	h.Set("Ratelimit-Remaining", fmt.Sprint(remaining))
	h.Set("Ratelimit-Reset", s.Now().Add(reset).UTC().Format(http.TimeFormat))
}

func (s *service) fail(w http.ResponseWriter, status int, faults ...fault) {
	id := requestID()
	w.Header().Set("X-Request-Id", id)
	wire.JSON(w, status, map[string]any{
		"errors": faults,
		"meta":   map[string]any{"request_id": id, "status": status},
	})
}
