package providertest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// bodyMark stands in bodies that are not the provider's own JSON, none of which
// may come out.
const bodyMark = "0rphan-b0dy"

const gatewayPage = "<html><head><title>" + bodyMark + "</title></head><body>" + bodyMark + "</body></html>"

// statuses are failures as any gateway in between may send them.
func statuses() []Failure {
	page := func(status int, header http.Header) Reply {
		if header == nil {
			header = http.Header{}
		}
		header.Set("Content-Type", "text/html; charset=utf-8")
		return Reply{Status: status, Header: header, Body: gatewayPage}
	}
	wait := func() http.Header { return http.Header{"Retry-After": {"7"}} }
	return []Failure{
		{Name: "302", Reply: page(302, http.Header{"Location": {"http://elsewhere.example/"}}), Kind: providers.KindFailed},
		{Name: "401", Reply: page(401, nil), Kind: providers.KindUnauthorized},
		{Name: "403", Reply: page(403, nil), Kind: providers.KindUnauthorized},
		{Name: "429", Reply: page(429, wait()), Kind: providers.KindRateLimited, RetryAfter: 7 * time.Second},
		{Name: "500", Reply: page(500, nil), Kind: providers.KindFailed},
		{Name: "502", Reply: page(502, nil), Kind: providers.KindFailed},
		{Name: "503", Reply: page(503, wait()), Kind: providers.KindFailed, RetryAfter: 7 * time.Second},
		{Name: "504", Reply: page(504, nil), Kind: providers.KindTimeout},
	}
}

func (s Suite) failures(t *testing.T) {
	for _, failure := range append(statuses(), s.Failures...) {
		t.Run(failure.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { s.tryFailure(t, failure) })
		})
	}
}

func (s Suite) tryFailure(t *testing.T, failure Failure) {
	provider, _ := s.serve(t, failure.Reply)
	_, err := provider.Search(t.Context(), s.query())
	got := s.failure(t, err)
	if got.Kind != failure.Kind || got.Code != failure.Code || got.RetryAfter != failure.RetryAfter {
		t.Errorf("got kind %q, code %q, retry after %v; want %q, %q, %v",
			got.Kind, got.Code, got.RetryAfter, failure.Kind, failure.Code, failure.RetryAfter)
	}
	if got.Status != max(failure.Reply.Status, http.StatusOK) {
		t.Errorf("got the status %d of an answer with %d", got.Status, failure.Reply.Status)
	}
}

// failure checks the form of an error: of our own type, with a detail, and fit to
// be shown.
func (s Suite) failure(t *testing.T, err error) *providers.Error {
	t.Helper()
	var failure *providers.Error
	if !errors.As(err, &failure) {
		t.Fatalf("got %v, want a *providers.Error", err)
	}
	if failure.Detail == "" {
		t.Errorf("%v has no detail", err)
	}
	for _, hidden := range append([]string{bodyMark, "<"}, s.Secrets...) {
		if strings.Contains(err.Error(), hidden) {
			t.Errorf("the error shows %q: %v", hidden, err)
		}
	}
	return failure
}

// unreadable: a good status with something else than an answer is never taken
// for "nothing found".
func (s Suite) unreadable(t *testing.T) {
	whole := s.Good[0].Reply
	tests := map[string]http.Handler{
		"no body":     Reply{},
		"HTML":        Reply{Header: http.Header{"Content-Type": {"text/html"}}, Body: gatewayPage},
		"not JSON":    Reply{Body: `{"` + bodyMark},
		"null":        Reply{Body: "null"},
		"object":      Reply{Body: "{}"},
		"list":        Reply{Body: "[]"},
		"string":      Reply{Body: `"` + bodyMark + `"`},
		"half":        Reply{Body: whole.Body[:len(whole.Body)/2]},
		"broken off":  Truncate(whole),
		"huge":        Huge(whole.Body),
		"huge inside": Huge(whole.Body[:strings.IndexByte(whole.Body, '{')+1]),
	}
	for name, handler := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				provider, _ := s.serve(t, handler)
				answer, err := provider.Search(t.Context(), s.query())
				if got := s.failure(t, err); got.Kind != providers.KindMalformed || len(answer.Offers) != 0 {
					t.Errorf("got %v and %d offers, want %s", err, len(answer.Offers), providers.KindMalformed)
				}
			})
		})
	}
}

// deadline: the caller's deadline ends the call, wherever it stands.
func (s Suite) deadline(t *testing.T) {
	for name, handler := range map[string]http.Handler{
		"before the answer": Hang(),
		"within the answer": HangAfter(s.Good[0].Reply),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				provider, _ := s.serve(t, handler)
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				started := time.Now()
				_, err := provider.Search(ctx, s.query())
				if got := s.failure(t, err); got.Kind != providers.KindTimeout || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v (cause %v), want the deadline's timeout", err, got.Err)
				}
				if took := time.Since(started); took != 3*time.Second {
					t.Errorf("back after %v, want 3 s", took)
				}
			})
		})
	}
}

// cancel: a caller who leaves is let go at once, and it is no fault of the
// provider.
func (s Suite) cancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, _ := s.serve(t, Hang())
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		started := time.Now()
		_, err := provider.Search(ctx, s.query())
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the cancellation", err)
		}
		var failure *providers.Error
		if errors.As(err, &failure) && failure.Kind == providers.KindTimeout {
			t.Errorf("%v blames the provider", err)
		}
		if took := time.Since(started); took != time.Second {
			t.Errorf("back after %v, want 1 s", took)
		}
	})
}
