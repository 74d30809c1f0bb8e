package providers

import (
	"fmt"
	"time"
)

// Kind classifies a failed provider call by what the caller can do about it.
type Kind string

// The kinds of failure.
const (
	// KindFailed: the provider erred or could not be reached; later may do.
	KindFailed Kind = "failed"
	// KindTimeout: it did not answer in time.
	KindTimeout Kind = "timeout"
	// KindRateLimited: too many requests; see RetryAfter.
	KindRateLimited Kind = "rate_limited"
	// KindUnauthorized: the credential was refused.
	KindUnauthorized Kind = "unauthorized"
	// KindRejected: the provider understood and refuses this query (a date that
	// it takes for past); it is healthy.
	KindRejected Kind = "rejected"
	// KindUnsupported: the provider cannot do this query; it was not asked.
	KindUnsupported Kind = "unsupported"
	// KindMalformed: the answer could not be read, or was too large.
	KindMalformed Kind = "malformed"
	// KindGone: the offer or session no longer exists.
	KindGone Kind = "gone"
)

// Error is a failed provider call. Its text is safe to show: it holds no
// credential and none of the provider's raw body, and not the text of its cause,
// which may quote either.
type Error struct {
	Kind Kind
	// Status is the HTTP status, 0 where there was no answer.
	Status int
	// Code is the provider's own code where it gave one, passed through PlainText.
	Code string
	// Detail is a sentence: the provider's own where PlainText leaves something
	// of it, else ours.
	Detail string
	// RetryAfter is how long the provider asked to be left alone, 0 if it did not.
	RetryAfter time.Duration
	// Err is the cause; context and transport errors stay visible to errors.Is.
	Err error
}

// Error says what happened in one line.
func (e *Error) Error() string {
	text := string(e.Kind)
	if e.Status != 0 {
		text += fmt.Sprintf(" (status %d)", e.Status)
	}
	if e.Code != "" {
		text += " [" + e.Code + "]"
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
