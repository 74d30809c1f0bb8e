package providers

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStatusError(t *testing.T) {
	t.Parallel()
	tests := map[int]Error{
		302: {Kind: KindFailed, Detail: "Found"},
		400: {Kind: KindRejected, Detail: "Bad Request"},
		401: {Kind: KindUnauthorized, Detail: "Unauthorized"},
		403: {Kind: KindUnauthorized, Detail: "Forbidden"},
		404: {Kind: KindFailed, Detail: "Not Found"},
		408: {Kind: KindTimeout, Detail: "Request Timeout"},
		410: {Kind: KindGone, Detail: "Gone"},
		415: {Kind: KindFailed, Detail: "Unsupported Media Type"},
		422: {Kind: KindRejected, Detail: "Unprocessable Entity"},
		429: {Kind: KindRateLimited, Detail: "Too Many Requests"},
		500: {Kind: KindFailed, Detail: "Internal Server Error"},
		503: {Kind: KindFailed, Detail: "Service Unavailable"},
		504: {Kind: KindTimeout, Detail: "Gateway Timeout"},
		599: {Kind: KindFailed, Detail: "an unknown status"},
	}
	for status, want := range tests {
		want.Status, want.RetryAfter = status, 3*time.Second
		got := StatusError(&http.Response{StatusCode: status, Header: http.Header{"Retry-After": {"3"}}})
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	const noon = "Tue, 15 Dec 2026 12:00:00 GMT"
	tests := []struct {
		name, value, date string
		want              time.Duration
	}{
		{"absent", "", noon, 0},
		{"seconds", "120", noon, 2 * time.Minute},
		{"none", "0", noon, 0},
		{"negative", "-5", noon, 0},
		{"fraction", "1.5", noon, 0},
		{"words", "soon", noon, 0},
		{"a day", "86400", noon, MaxRetryAfter},
		{"beyond all measure", "99999999999999999999", noon, 0},
		{"date", "Tue, 15 Dec 2026 12:00:30 GMT", noon, 30 * time.Second},
		{"date in the form of RFC 850", "Tuesday, 15-Dec-26 12:00:30 GMT", noon, 30 * time.Second},
		{"past date", "Tue, 15 Dec 2026 11:59:00 GMT", noon, 0},
		{"far date", "Wed, 16 Dec 2026 12:00:00 GMT", noon, MaxRetryAfter},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{"Ratelimit-Reset": {tt.value}, "Date": {tt.date}}
			if got := RetryAfter(header, "ratelimit-reset"); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestRetryAfterByOurClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		until := time.Now().Add(42 * time.Second).UTC().Format(http.TimeFormat)
		if got := RetryAfter(http.Header{"Retry-After": {until}}, "Retry-After"); got != 42*time.Second {
			t.Errorf("got %v, want 42 s", got)
		}
	})
}
