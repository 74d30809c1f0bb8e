package contender

import (
	"net/http"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/bench/origin"
)

// atOnce answers without waiting, so that all that is measured is what hedging
// costs where no hedge fires.
type atOnce struct{}

// RoundTrip answers.
func (atOnce) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

// BenchmarkOverhead compares the cost of a call that needs no hedge.
func BenchmarkOverhead(b *testing.B) {
	const late = 100 * time.Millisecond
	for _, c := range []struct {
		name string
		open func(http.RoundTripper) (http.RoundTripper, error)
	}{
		{"bare", plain},
		{"textbook", textbook(late)},
		{"hedgedhttp", hedgedhttpAt(late)},
		{"failsafe", failsafeFixed},
		{"hedgehop", func(next http.RoundTripper) (http.RoundTripper, error) {
			client, err := hedgehop([]origin.Provider{{Pool: func() http.RoundTripper { return next }}})
			if err != nil {
				return nil, err
			}
			b.Cleanup(client.Close)
			return client.Transports[0], nil
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			transport, err := c.open(atOnce{})
			if err != nil {
				b.Fatal(err)
			}
			request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://provider/", http.NoBody)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				response, err := transport.RoundTrip(request)
				if err != nil {
					b.Fatal(err)
				}
				_ = response.Body.Close()
			}
		})
	}
}
