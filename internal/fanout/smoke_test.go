package fanout

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
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
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestSmoke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		rt := roundTripFunc(func(req *http.Request) (*http.Response, error) {
			n++
			if n == 1 {
				if err := sleep(req.Context(), time.Second); err != nil {
					return nil, err
				}
			}
			return answer(200, "ok"), sleep(req.Context(), 10*time.Millisecond)
		})
		tr, err := New(Options{Name: "x", MaxAttempts: 3, Budget: .2, Typical: 30 * time.Millisecond, Timeout: 2 * time.Second, Primary: rt, Secondary: rt})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		resp, err := (&http.Client{Transport: tr}).Get("http://x/")
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		t.Log(string(b), err, time.Since(began), n, tr.estimatorOf("").plan(0))
		g := NewGatherer(time.Second, 1)
		rs := Gather(t.Context(), g, Limits{Soft: 50 * time.Millisecond}, []Call[int]{
			{"a", func(ctx context.Context) (int, error) { return 1, sleep(ctx, 10*time.Millisecond) }},
			{"b", func(ctx context.Context) (int, error) { return 2, sleep(ctx, 100*time.Millisecond) }},
			{"c", func(ctx context.Context) (int, error) { panic("x") }},
		}, nil)
		for _, r := range rs {
			t.Log(r.Name, r.Value, r.Elapsed, r.Done, errors.Is(r.Err, ErrStillOut), r.Err)
		}
		t.Log(g.Drain(t.Context()))
	})
}
