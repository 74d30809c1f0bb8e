package contender_test

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/law"
	"github.com/hedgehop/hedgehop/bench/origin"
)

// ask opens a contender at a provider of one law and makes calls one after the
// other; it returns how long the last took and how many requests arrived in all.
func ask(t *testing.T, c contender.Contender, p origin.Provider, l law.Law, calls int) (took time.Duration, requests int) {
	t.Helper()
	for _, o := range p.Replicas {
		o.Begin(law.Always(l), 1)
	}
	client, err := c.Open([]origin.Provider{p})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for range calls {
		began := time.Now()
		request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://provider/offers", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Transports[0].RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(response.Body); err != nil || len(body) != 1024 {
			t.Fatalf("%d bytes, %v", len(body), err)
		}
		_ = response.Body.Close()
		took = time.Since(began)
	}
	for _, o := range p.Replicas {
		requests += len(o.Arrivals())
	}
	return took, requests
}

// Where every answer takes 200 ms, each contender sends as many copies as it is
// meant to: nobody is measured with hedging broken or switched off.
func TestEachHedgesAsConfigured(t *testing.T) {
	want := map[string]int{
		"no hedging": 1, "textbook 80 ms × 3": 3,
		"failsafe-go 80 ms × 3, 20% budget": 3, "failsafe-go adaptive q90, 20% budget": 1, // Not in its first 20 calls.
		"oracle's constant × 3": 3, contender.Product: 2, // Half of its burst of three, for a call it knows nothing of.
	}
	for _, c := range contender.All(50 * time.Millisecond) {
		if !c.Virtual {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				took, requests := ask(t, c, origin.Virtual(1), law.Constant(200*time.Millisecond), 1)
				if requests != want[c.Name] || took != 200*time.Millisecond {
					t.Errorf("%d requests in %v, want %d in 200 ms", requests, took, want[c.Name])
				}
			})
		})
	}
}

// A contender that cannot run in virtual time gets an origin that never answers; the
// call is given up once the third copy has arrived, however long that takes here.
func TestRealTimeContendersHedge(t *testing.T) {
	for _, c := range contender.All(50 * time.Millisecond) {
		if c.Virtual {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			p := origin.Virtual(1)
			p.Replicas[0].Begin(law.Always(law.Constant(time.Hour)), 1)
			client, err := c.Open([]origin.Provider{p})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				defer cancel()
				for len(p.Replicas[0].Arrivals()) < 3 && ctx.Err() == nil {
					runtime.Gosched()
				}
			}()
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://provider/offers", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			if response, err := client.Transports[0].RoundTrip(request); err == nil {
				_ = response.Body.Close()
				t.Error("an answer from an origin that gives none")
			}
			if n := len(p.Replicas[0].Arrivals()); n != 3 {
				t.Errorf("%d requests, want 3", n)
			}
		})
	}
}

// Attempts of a client without replicas of its own go to each in turn.
func TestReplicasInTurn(t *testing.T) {
	for _, c := range contender.All(50 * time.Millisecond) {
		if !c.Virtual {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := origin.Virtual(3)
				// Fewer calls than an adaptive contender needs to begin.
				if _, requests := ask(t, c, p, law.Constant(time.Millisecond), 18); requests != 18 {
					t.Errorf("%d requests, want 18", requests)
				}
				for i, o := range p.Replicas {
					if n := len(o.Arrivals()); n != 6 {
						t.Errorf("replica %d got %d of 18", i, n)
					}
				}
			})
		})
	}
}
