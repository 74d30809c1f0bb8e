package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/search"
)

// kind is a kind of problem, by its name under x-problems of openapi.yaml. A
// problem's type is a reference to that place, so that following it shows what
// the kind means.
type kind string

const (
	kindInvalidRequest       kind = "invalid-request"
	kindUnauthorized         kind = "unauthorized"
	kindEventsClosed         kind = "events-closed"
	kindNotFound             kind = "not-found"
	kindMethodNotAllowed     kind = "method-not-allowed"
	kindRequestTimeout       kind = "request-timeout"
	kindCursorExpired        kind = "cursor-expired"
	kindBodyTooLarge         kind = "body-too-large"
	kindUnsupportedMediaType kind = "unsupported-media-type"
	kindTooManyRequests      kind = "too-many-requests"
	kindInternal             kind = "internal"
	kindNoAnswer             kind = "no-answer"
	kindOverloaded           kind = "overloaded"
	kindNotInvalidated       kind = "not-invalidated"
)

// describe is the table of kinds.
func (k kind) describe() (status int, title string) {
	switch k {
	case kindInvalidRequest:
		return http.StatusBadRequest, "The request is invalid"
	case kindUnauthorized:
		return http.StatusUnauthorized, "Unauthorized"
	case kindEventsClosed:
		return http.StatusForbidden, "Events are not accepted"
	case kindNotFound:
		return http.StatusNotFound, "Not found"
	case kindMethodNotAllowed:
		return http.StatusMethodNotAllowed, "Method not allowed"
	case kindRequestTimeout:
		return http.StatusRequestTimeout, "The body came too slowly"
	case kindCursorExpired:
		return http.StatusGone, "The cursor has expired"
	case kindBodyTooLarge:
		return http.StatusRequestEntityTooLarge, "The body is too large"
	case kindUnsupportedMediaType:
		return http.StatusUnsupportedMediaType, "Unsupported media type"
	case kindTooManyRequests:
		return http.StatusTooManyRequests, "Too many requests"
	case kindNoAnswer:
		return http.StatusServiceUnavailable, "No provider answered"
	case kindOverloaded:
		return http.StatusServiceUnavailable, "The instance is full"
	case kindNotInvalidated:
		return http.StatusServiceUnavailable, "The event could not be made to hold"
	default:
		return http.StatusInternalServerError, "Internal error"
	}
}

// problem is an error that the caller may see, in the form of RFC 9457.
type problem struct {
	kind      kind
	detail    string
	errors    []api.Fault
	providers []api.ProviderOutcome
	header    http.Header
}

// Error is for the log.
func (p *problem) Error() string { return string(p.kind) + ": " + p.detail }

func notFound(format string, args ...any) error {
	return &problem{kind: kindNotFound, detail: fmt.Sprintf(format, args...)}
}

func invalid(faults []api.Fault) error {
	detail := "1 fault, named in errors."
	if n := len(faults); n != 1 {
		detail = fmt.Sprintf("%d faults, each named in errors.", n)
	}
	if len(faults) > maxFaultsShown {
		faults = faults[:maxFaultsShown]
		detail += fmt.Sprintf(" The first %d are shown.", maxFaultsShown)
	}
	return &problem{kind: kindInvalidRequest, detail: detail, errors: faults}
}

// maxFaultsShown bounds the answer to a body made of nothing but faults.
const maxFaultsShown = 100

// problemOf is the table from errors to problems. An error that it does not know
// is internal and says nothing to the caller.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if none, ok := errors.AsType[*search.NoAnswerError](err); ok {
		return &problem{
			kind:      kindNoAnswer,
			detail:    fmt.Sprintf("None of %d providers answered; providers says how each failed.", len(none.Providers)),
			providers: outcomes(none.Providers),
			header:    http.Header{"Retry-After": {retryAfter(none.RetryAfter)}},
		}
	}
	if errors.Is(err, search.ErrFull) {
		return &problem{
			kind:   kindOverloaded,
			detail: "Providers are being asked for as many searches as this instance can; try again.",
			header: http.Header{"Retry-After": {retryAfter(fullRetry)}},
		}
	}
	if errors.Is(err, search.ErrCursor) {
		return &problem{
			kind:   kindCursorExpired,
			detail: "The fares have changed since, or the cursor is of another search; search again without it.",
		}
	}
	return &problem{
		kind:   kindInternal,
		detail: "Something failed here; the log has the cause under this answer's X-Request-Id.",
	}
}

// fullRetry is when a full instance is worth another attempt: a search rarely
// keeps its place for longer, and the next attempt may meet another instance.
const fullRetry = time.Second

// retryAfter is whole seconds, rounded up, at least one.
func retryAfter(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}

// statusCallerLeft is logged where the caller went away and nobody reads an
// answer; the number is nginx's.
const statusCallerLeft = 499

// fail answers with the problem that err is and leaves err to the log line.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	eventOf(r.Context()).cause = err
	p := problemOf(err)
	// The server ends the request as if its caller had left, too, where the body
	// did not come in time.
	if errors.Is(r.Context().Err(), context.Canceled) && p.kind != kindRequestTimeout {
		w.WriteHeader(statusCallerLeft)
		return
	}
	maps.Copy(w.Header(), p.header)
	status, title := p.kind.describe()
	body, err := encode(api.Problem{
		Type:      "/openapi.yaml#/x-problems/" + string(p.kind),
		Title:     title,
		Status:    status,
		Detail:    p.detail,
		Errors:    p.errors,
		Providers: p.providers,
	})
	if err != nil { // A problem is made of texts and numbers alone.
		panic(err)
	}
	write(w, answer{status: status, contentType: "application/problem+json", cache: cacheNever, body: body})
}
