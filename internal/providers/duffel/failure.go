package duffel

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// failureOf is what an answer with a failure status says. It closes the answer.
func failureOf(resp *http.Response, secret string) *providers.Error {
	failure := providers.StatusError(resp)
	if failure.Kind == providers.KindRateLimited && failure.RetryAfter == 0 {
		// Duffel's window ends at a date in a header of its own
		// (https://duffel.com/docs/api/overview/rate-limits).
		failure.RetryAfter = providers.RetryAfter(resp.Header, "ratelimit-reset")
	}
	var body struct {
		Errors []wireError `json:"errors"`
	}
	if err := lenient(json.Unmarshal(providers.ErrorBody(resp), &body)); err == nil {
		explain(failure, body.Errors, secret)
	}
	return failure
}

// explain puts Duffel's own account in place of what the status says: the kind
// and code of the first error, the words of all.
func explain(failure *providers.Error, errs []wireError, secret string) {
	if len(errs) == 0 {
		return
	}
	if kind, known := kindOf(errs[0].Type); known {
		failure.Kind = kind
	}
	failure.Code = providers.PlainText(string(errs[0].Code), secret)
	sentences := make([]string, len(errs))
	for i, e := range errs {
		sentences[i] = e.sentence()
	}
	if detail := providers.PlainText(strings.Join(sentences, "; "), secret); detail != "" {
		failure.Detail = detail
	}
}

// kindOf reads the type of an error, which says more than the status: an
// airline's failure comes as 400 too.
func kindOf(kind string) (providers.Kind, bool) {
	switch kind {
	case "authentication_error":
		return providers.KindUnauthorized, true
	case "rate_limit_error":
		return providers.KindRateLimited, true
	case "validation_error", "invalid_request_error", "invalid_state_error":
		return providers.KindRejected, true
	case "airline_error", "api_error":
		return providers.KindFailed, true
	default:
		return "", false
	}
}

// sentence is the message, else the title, with the airline where one is to
// blame.
func (e wireError) sentence() string {
	text := e.Message
	if text == "" {
		text = e.Title
	}
	var airline string
	if json.Unmarshal(e.Source, &airline) == nil && airline != "" {
		text += " (" + airline + ")"
	}
	return text
}
