package fanout

import (
	"cmp"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// maxPause bounds what a provider may ask for: a mistyped Retry-After must not
// switch hedging off for good.
const maxPause = time.Hour

// pushback remembers that a provider asked for time. Hedges to it pause for that
// long, whoever's call was told (gRFC A6, server pushback).
type pushback struct{ until atomic.Int64 } // Unix nanoseconds.

// heed reads the answer's Retry-After, if it is one that asks for time: 429 (RFC
// 6585) or 503 (RFC 9110, section 10.2.3). Some services say it in
// Ratelimit-Reset alone, as seconds or as a date.
func (p *pushback) heed(resp *http.Response, now time.Time) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return
	}
	asked := cmp.Or(resp.Header.Get("Retry-After"), resp.Header.Get("Ratelimit-Reset"))
	pause := min(retryAfter(asked, now), maxPause)
	if pause <= 0 {
		return
	}
	until := now.Add(pause).UnixNano()
	for {
		current := p.until.Load()
		if until <= current || p.until.CompareAndSwap(current, until) {
			return
		}
	}
}

// paused reports whether the provider still wants to be left alone.
func (p *pushback) paused(now time.Time) bool {
	until := p.until.Load()
	return until != 0 && now.UnixNano() < until
}

// retryAfter reads delay-seconds or an HTTP date; 0 where it is neither.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return at.Sub(now)
	}
	return 0
}
