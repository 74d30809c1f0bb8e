package amadeus

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/providers"
)

func response(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

func refused(t *testing.T, status int, body string) *providers.Error {
	t.Helper()
	var failure *providers.Error
	if err := refusal(response(status, body)); !errors.As(err, &failure) {
		t.Fatalf("error %v, want a *providers.Error", err)
	}
	return failure
}

func TestRefusalKinds(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		body   string
		kind   providers.Kind
		code   string
	}{
		// amadeus4dev/developer-guides#6.
		{"rate limit in strings", 429, `{"errors": [{"code": "38194", "status": "429", "title": "Too many requests"}]}`, providers.KindRateLimited, "38194"},
		{"rate limit under another status", 400, `{"errors": [{"code": "38194"}]}`, providers.KindRateLimited, "38194"},
		{"status in the body alone", 500, `{"errors": [{"code": "9999", "status": "429"}]}`, providers.KindRateLimited, "9999"},
		{"quota", 429, `{"errors": [{"code": 38195, "status": 429}]}`, providers.KindRateLimited, "38195"},
		{"date in the past", 400, `{"errors": [{"status": 400, "code": 425, "title": "INVALID DATE", "detail": "Date/Time is in the past"}]}`, providers.KindRejected, "425"},
		{"system error", 500, `{"errors": [{"status": 500, "code": 141, "title": "SYSTEM ERROR HAS OCCURRED", "detail": "Primitive Timeout"}]}`, providers.KindFailed, "141"},
		{"expired token", 401, `{"errors": [{"code": 38192, "status": 401}]}`, providers.KindUnauthorized, "38192"},
		{"unknown path", 404, `{"errors": [{"code": 38196, "status": 404, "title": "Resource not found"}]}`, providers.KindFailed, "38196"},
		{"no issues", 503, `{"errors": []}`, providers.KindFailed, ""},
		{"another form", 500, `{"errors": "none"}`, providers.KindFailed, ""},
		{"a page of HTML", 502, `<html><h1>Bad Gateway</h1></html>`, providers.KindFailed, ""},
		{"no body", 504, ``, providers.KindTimeout, ""},
		{"a redirect", 302, ``, providers.KindFailed, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			failure := refused(t, tc.status, tc.body)
			if failure.Kind != tc.kind || failure.Code != tc.code || failure.Status != tc.status {
				t.Errorf("kind %q code %q status %d, want %q %q %d", failure.Kind, failure.Code, failure.Status, tc.kind, tc.code, tc.status)
			}
			if strings.Contains(failure.Error(), "<") {
				t.Errorf("%q quotes the body", failure)
			}
		})
	}
}

// amadeus4dev/amadeus-code-examples#72.
func TestRefusalFoundNothing(t *testing.T) {
	for name, resp := range map[string]*http.Response{
		"404 1797":            response(404, `{"errors": [{"status": 404, "code": 1797, "title": "NOT FOUND", "detail": "No response found for this query"}]}`),
		"404 1797 as strings": response(404, `{"errors": [{"status": "404", "code": "1797"}]}`),
		"500 141":             response(500, `{"errors": [{"status": 500, "code": 141, "title": "SYSTEM ERROR HAS OCCURRED", "detail": "ORIGIN AND DESTINATION NOT SUPPORTED"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			if err := refusal(resp); err != nil {
				t.Errorf("error %v, want none", err)
			}
		})
	}
}

func TestRefusalHidesSecrets(t *testing.T) {
	resp := response(401, `{"errors": [{"code": "s3cret", "title": "Bad client s3cret", "detail": "token s3cret is not valid"}]}`)
	if err := refusal(resp, "s3cret"); strings.Contains(err.Error(), "s3cret") {
		t.Errorf("%q quotes a credential", err)
	}
}

func TestRefusalRetryAfter(t *testing.T) {
	resp := response(429, `{"errors": [{"code": 38194}]}`)
	resp.Header.Set("Retry-After", "7")
	var failure *providers.Error
	if err := refusal(resp); !errors.As(err, &failure) || failure.RetryAfter != 7*time.Second {
		t.Errorf("error %v, want one that asks for 7 s", err)
	}
}
