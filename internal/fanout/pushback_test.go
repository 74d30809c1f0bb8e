package fanout

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"120":                           2 * time.Minute,
		"-5":                            0,
		"1.5":                           0,
		"soon":                          0,
		"4294967295":                    4294967295 * time.Second,
		"99999999999999999999":          0,
		"Tue, 01 Dec 2026 12:00:30 GMT": 30 * time.Second,
		"Tue, 01 Dec 2026 11:00:00 GMT": -time.Hour,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestPauseIsAsLongAsAsked(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, test := range []struct {
		status int
		after  string
		want   time.Duration
	}{
		{429, "5", 5 * time.Second},
		{503, "5", 5 * time.Second},
		{500, "5", 0},
		{200, "5", 0},
		{429, "", 0},
		{429, "86400", maxPause},
	} {
		var p pushback
		p.heed(&http.Response{StatusCode: test.status, Header: http.Header{"Retry-After": {test.after}}}, now)
		if got := p.paused(now); got != (test.want > 0) {
			t.Errorf("%d %q: paused %v", test.status, test.after, got)
		}
		if test.want > 0 && (!p.paused(now.Add(test.want-1)) || p.paused(now.Add(test.want))) {
			t.Errorf("%d %q: not paused for %v", test.status, test.after, test.want)
		}
	}
}

func TestShorterPauseDoesNotCutALongerOne(t *testing.T) {
	var p pushback
	now := time.Unix(1000, 0)
	for _, after := range []string{"10", "2"} {
		p.heed(&http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {after}}}, now)
	}
	if !p.paused(now.Add(9 * time.Second)) {
		t.Error("cut short")
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"1", "Tue, 01 Dec 2026 12:00:30 GMT", "Tuesday, 01-Dec-26 12:00:30 GMT"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		var p pushback
		now := time.Unix(1000, 0)
		p.heed(&http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {value}}}, now)
		if p.paused(now.Add(maxPause)) {
			t.Errorf("%q pauses for over %v", value, maxPause)
		}
	})
}

func TestARateLimitResetAsksForTimeToo(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for _, reset := range []string{"30", now.Add(30 * time.Second).Format(http.TimeFormat)} {
		var p pushback
		p.heed(&http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Ratelimit-Reset": {reset}}}, now)
		if !p.paused(now.Add(29*time.Second)) || p.paused(now.Add(31*time.Second)) {
			t.Errorf("Ratelimit-Reset %q is not heeded", reset)
		}
	}
}
