// Package origin is the provider in the laboratory: it follows a law of latency and
// counts what reaches it. It answers over a real socket, or in virtual time without
// one.
package origin

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
)

// body is what it answers: one kilobyte.
var body = strings.Repeat("fare offers, sixty-four bytes to the line, sixteen lines of all\n", 16)

// Origin is one replica of a provider. Its zero value answers nothing until
// [Origin.Begin]. Safe for concurrent use.
type Origin struct {
	mu       sync.Mutex
	schedule law.Schedule
	random   *rand.Rand
	began    time.Time
	arrivals []time.Duration
}

// Begin starts the schedule's clock and forgets what arrived before.
func (o *Origin) Begin(schedule law.Schedule, seed uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.schedule, o.began, o.arrivals = schedule, time.Now(), nil
	o.random = rand.New(rand.NewPCG(seed, seed))
}

// Arrivals returns when each request came, counted from Begin.
func (o *Origin) Arrivals() []time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.arrivals
}

// take counts a request and draws how long its answer takes.
func (o *Origin) take() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := time.Since(o.began)
	o.arrivals = append(o.arrivals, at)
	return o.schedule(at).Draw(o.random)
}

// ServeHTTP answers after the law's time, or not at all if the client leaves first.
func (o *Origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if wait(r.Context(), o.take()) != nil {
		return
	}
	_, _ = io.WriteString(w, body) // Fails only where nobody reads any more.
}

// RoundTrip answers without a socket.
func (o *Origin) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := wait(r.Context(), o.take()); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
