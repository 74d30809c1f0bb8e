package fanout

import (
	"net/http"
	"testing"
	"time"
)

// BenchmarkRoundTrip shows what a call costs where no hedge fires: the round
// tripper alone, beside one attempt and hedging switched on.
func BenchmarkRoundTrip(b *testing.B) {
	provider := roundTripFunc(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	})
	options := untuned(provider)
	options.Typical = 100 * time.Millisecond
	hedging := hedged(b, options)
	options.MaxAttempts = 1
	single := hedged(b, options)
	for _, contender := range []struct {
		name string
		rt   http.RoundTripper
	}{{"bare", provider}, {"single", single}, {"hedging", hedging}} {
		b.Run(contender.name, func(b *testing.B) {
			req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://sandbox/", http.NoBody)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				resp, err := contender.rt.RoundTrip(req)
				if err != nil {
					b.Fatal(err)
				}
				_ = resp.Body.Close()
			}
		})
	}
}
