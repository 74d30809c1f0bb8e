package sandbox_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox"
)

// discard is an answer that nobody reads.
type discard struct {
	header http.Header
	bytes  int64
}

func (d *discard) Header() http.Header { return d.header }
func (d *discard) WriteHeader(int)     {}
func (d *discard) Write(b []byte) (int, error) {
	d.bytes += int64(len(b))
	return len(b), nil
}

// The load that a provider bears: JFK-LHR again and again (warm), and each day
// of a year once (cold).
func BenchmarkSearch(b *testing.B) {
	catalog, err := refdata.Embedded()
	if err != nil {
		b.Fatal(err)
	}
	for provider, request := range map[string]func(days int) *http.Request{
		"duffel": func(days int) *http.Request {
			r := httptest.NewRequest(http.MethodPost, "/duffel/air/offer_requests", strings.NewReader(`{"data":{"slices":[`+leg("JFK", "LHR", days)+`],"passengers":[{"type":"adult"}]}}`))
			for name, value := range duffelHeader {
				r.Header.Set(name, value)
			}
			return r
		},
		"skyscanner": func(days int) *http.Request {
			r := httptest.NewRequest(http.MethodPost, live+"/search/create", strings.NewReader(skyscannerQuery("JFK", "LHR", days, "USD", "")))
			r.Header.Set("X-Api-Key", "key")
			return r
		},
	} {
		for kind, days := range map[string]func(int) int{"warm": func(int) int { return 30 }, "cold": func(i int) int { return i % 361 }} {
			b.Run(provider+"/"+kind, func(b *testing.B) {
				handler := sandbox.New(catalog, sandbox.Options{Seed: 1, Now: func() time.Time { return now }}).Handler()
				d := &discard{header: http.Header{}}
				i := 0
				for b.Loop() {
					handler.ServeHTTP(d, request(days(i)))
					i++
				}
				b.ReportMetric(float64(d.bytes)/float64(i), "B/answer")
			})
		}
	}
}
