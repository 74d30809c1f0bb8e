package contender

import (
	"context"
	"io"
	"net/http"
	"time"
)

// textbook is hedging as every introduction shows it: a timer, a channel, the first
// answer wins. No budget, no guard, nothing learnt.
func textbook(delay time.Duration) func(http.RoundTripper) (http.RoundTripper, error) {
	return func(next http.RoundTripper) (http.RoundTripper, error) {
		return &timed{delay: delay, next: next}, nil
	}
}

type timed struct {
	delay time.Duration
	next  http.RoundTripper
}

type answer struct {
	number   int
	response *http.Response
	err      error
}

// RoundTrip sends up to three copies and returns the first that ends.
func (t *timed) RoundTrip(r *http.Request) (*http.Response, error) {
	answers := make(chan answer, attempts)
	var cancels []context.CancelFunc
	send := func() {
		ctx, cancel := context.WithCancel(r.Context())
		number := len(cancels)
		cancels = append(cancels, cancel)
		go func() {
			response, err := t.next.RoundTrip(r.WithContext(ctx))
			answers <- answer{number, response, err}
		}()
	}
	send()
	timer := time.NewTimer(t.delay)
	defer timer.Stop()
	for {
		select {
		case a := <-answers:
			go t.cleanUp(a.number, cancels, answers)
			return a.bound(cancels[a.number])
		case <-timer.C:
			send()
			if len(cancels) < attempts {
				timer.Reset(t.delay)
			}
		}
	}
}

// bound ties the attempt's context to the reading of the answer.
func (a answer) bound(cancel context.CancelFunc) (*http.Response, error) {
	if a.err != nil {
		cancel()
		return nil, a.err
	}
	a.response.Body = &cancelling{a.response.Body, cancel}
	return a.response, nil
}

type cancelling struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close closes the body and ends its attempt.
func (c *cancelling) Close() error {
	defer c.cancel()
	return c.ReadCloser.Close()
}

// cleanUp cancels the losers and closes what they bring.
func (*timed) cleanUp(winner int, cancels []context.CancelFunc, answers <-chan answer) {
	for number, cancel := range cancels {
		if number != winner {
			cancel()
		}
	}
	for range len(cancels) - 1 {
		if late := <-answers; late.err == nil {
			_ = late.response.Body.Close()
		}
	}
}
