package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/api"
)

func TestExchangeRatesAreRefreshed(t *testing.T) {
	today := inDays(0)
	bank := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<Envelope><Cube><Cube time=%q>`, today)
		for _, currency := range []string{
			"USD", "JPY", "CZK", "DKK", "GBP", "HUF", "PLN", "RON", "SEK", "CHF", "ISK", "NOK", "TRY", "AUD", "BRL", "CAD",
		} {
			fmt.Fprintf(w, `<Cube currency=%q rate="2"/>`, currency)
		}
		fmt.Fprint(w, `</Cube></Cube></Envelope>`)
	}))
	defer bank.Close()
	base := startService(t, map[string]string{"EXCHANGE_RATES_URL": bank.URL})
	question := []string{"origin", "JFK", "destination", "LHR", "departure_date", inDays(30), "currency", "EUR", "limit", "1"}
	result := await(t, func() (api.SearchResponse, bool) {
		result := searchFor(t, base, question...)
		return result, result.ExchangeRates.AsOf == today
	})
	offer := result.Itineraries[0].Offers[0]
	var dollars, euros float64
	_, _ = fmt.Sscan(offer.OriginalPrice.Amount, &dollars)
	_, _ = fmt.Sscan(offer.Price.Amount, &euros)
	if dollars < 2*euros-0.011 || dollars > 2*euros+0.011 {
		t.Errorf("%v dollars are shown as %v euros at 2 to 1", dollars, euros)
	}
	if check := readinessOf(t, base).Checks["reference_data"]; !check.Ok || check.Detail == nil {
		t.Errorf("readiness: %+v", check)
	}
}

func TestReadyWithoutRedisIsDegraded(t *testing.T) {
	base := startService(t, map[string]string{"REDIS_URL": "unix:///nowhere/redis.sock"})
	ready := readinessOf(t, base)
	if ready.Status != api.ReadinessStatusDegraded || ready.Checks["redis"].Ok || !ready.Checks["reference_data"].Ok {
		t.Errorf("readiness: %+v", ready)
	}
	if detail := ready.Checks["redis"].Detail; detail == nil || strings.Contains(*detail, "nowhere") {
		t.Errorf("the probe does not say what is wrong, or tells of addresses: %v", detail)
	}
}

// readinessOf is what a probe sees of a service that answers searches.
func readinessOf(tb testing.TB, base string) api.Readiness {
	tb.Helper()
	response, body := call(tb, http.MethodGet, base+"/health/ready", "")
	var ready api.Readiness
	if err := json.Unmarshal(body, &ready); err != nil || response.StatusCode != http.StatusOK {
		tb.Fatalf("%s: %s (%v)", response.Status, body, err)
	}
	return ready
}

// await looks until what it looks for is there, for half a minute at most.
func await[T any](tb testing.TB, look func() (T, bool)) T {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	every := time.NewTicker(10 * time.Millisecond)
	defer every.Stop()
	for {
		seen, found := look()
		if found {
			return seen
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			tb.Fatalf("waited in vain; last seen: %+v", seen)
		}
	}
}
