package providers

import (
	"cmp"
	"net/http"
	"strconv"
	"time"
)

// MaxRetryAfter bounds how long a provider can ask to be left alone, so that one
// absurd header does not switch it off for a day.
const MaxRetryAfter = 15 * time.Minute

// KindOf is what a failure status means where the provider's own words say no
// more. 404 is a failure, for a search address that does not exist is a wrong
// base URL; where an offer or session is asked for by its id, the adapter knows
// better.
func KindOf(status int) Kind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return KindUnauthorized
	case http.StatusTooManyRequests:
		return KindRateLimited
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return KindTimeout
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return KindRejected
	case http.StatusGone:
		return KindGone
	default:
		return KindFailed
	}
}

// StatusError is the *Error for an answer with a failure status: kind, the
// wait of Retry-After, and the standard name of the status as its detail. The
// body is neither read nor closed; an adapter that understands it puts the
// provider's own code and words in place.
func StatusError(resp *http.Response) *Error {
	return &Error{
		Kind:       KindOf(resp.StatusCode),
		Status:     resp.StatusCode,
		Detail:     cmp.Or(http.StatusText(resp.StatusCode), "an unknown status"),
		RetryAfter: RetryAfter(resp.Header, "Retry-After"),
	}
}

// RetryAfter reads a wait from the named header: seconds, or an HTTP date (RFC
// 9110, section 10.2.3), which is compared with the answer's own Date where
// there is one, so that clocks which disagree do no harm. It is 0 where the
// header is absent, unreadable or past, and at most MaxRetryAfter.
func RetryAfter(header http.Header, name string) time.Duration {
	value := header.Get(name)
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, MaxRetryAfter)
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(until.Sub(now), 0), MaxRetryAfter)
}
