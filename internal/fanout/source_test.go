package fanout

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// roundTripFunc is a provider made of one function.
type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func answer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// sleep waits like a server that notices when its client hangs up.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// law draws the time that a provider takes for a request.
type law func(r *rand.Rand, now time.Time) time.Duration

func uniform(from, to time.Duration) law {
	return func(r *rand.Rand, _ time.Time) time.Duration { return from + time.Duration(r.Int64N(int64(to-from))) }
}

// mostly draws from fast, with the given probability from slow instead.
func mostly(fast, slow law, probability float64) law {
	return func(r *rand.Rand, now time.Time) time.Duration {
		if r.Float64() < probability {
			return slow(r, now)
		}
		return fast(r, now)
	}
}

// longTail is the sandbox's law: 90 % uniform 10 to 50 ms, 10 % uniform 500 to 1000 ms.
func longTail() law {
	return mostly(uniform(10*time.Millisecond, 50*time.Millisecond), uniform(500*time.Millisecond, time.Second), 0.1)
}

// source is a provider in virtual time that follows a law.
type source struct {
	law      law
	mu       sync.Mutex
	random   *rand.Rand
	requests atomic.Int64
}

func newSource(seed uint64, l law) *source {
	return &source{law: l, random: rand.New(rand.NewPCG(seed, seed))}
}

func (s *source) draw() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.law(s.random, time.Now())
}

func (s *source) RoundTrip(req *http.Request) (*http.Response, error) {
	s.requests.Add(1)
	if err := sleep(req.Context(), s.draw()); err != nil {
		return nil, err
	}
	return answer(http.StatusOK, "{}"), nil
}
