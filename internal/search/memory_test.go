package search

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// reading is a provider whose every answer has so many bytes.
type reading int

func (reading) Name() string { return "duffel" }

func (n reading) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(strings.Repeat(" ", int(n))))}, nil
}

func (n reading) Search(ctx context.Context, _ flight.Query) (providers.Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://provider", http.NoBody)
	if err != nil {
		return providers.Answer{}, err
	}
	resp, err := providers.MemoryTransport{Next: n}.RoundTrip(req)
	if err != nil {
		return providers.Answer{}, err
	}
	_, err = providers.ReadBody(resp, providers.MaxAnswer)
	return providers.Answer{}, err
}

func TestAnswersCountWhileTheyAreDecodedAndNoLonger(t *testing.T) {
	for size, want := range map[reading]Status{900 << 10: StatusOK, 1100 << 10: StatusError} {
		service := serviceOf(t, size)
		service.options.Memory = providers.NewMemory(1 << 20)
		for i := range 3 {
			result, err := service.Search(t.Context(), oneWay("JFK", "LHR", flight.Date{Year: 2026, Month: 12, Day: 15 + i}.String()), nil)
			if (err == nil) != (want == StatusOK) || err == nil && result.Providers[0].Status != want {
				t.Errorf("search %d of %d bytes: %v", i+1, size, err)
			}
		}
	}
}
