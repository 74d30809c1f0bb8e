package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sethvargo/go-envconfig"
)

// BenchmarkHit is a repeated search without the network: what the service itself
// costs.
func BenchmarkHit(b *testing.B) {
	config, err := readConfig(context.Background(), envconfig.MapLookuper(map[string]string{"PORT": "0", "SANDBOX_LATENCY": "none"}))
	if err != nil {
		b.Fatal(err)
	}
	service, err := start(context.Background(), config)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := service.stop(context.Background()); err != nil {
			b.Error(err)
		}
	}()
	address := "/v1/flights/search?limit=3&origin=JFK&destination=LHR&departure_date=" + inDays(30)
	request := httptest.NewRequest(http.MethodGet, address, nil)
	for range 3 {
		service.served.ServeHTTP(httptest.NewRecorder(), request)
	}
	b.ReportAllocs()
	for b.Loop() {
		recorder := httptest.NewRecorder()
		service.served.ServeHTTP(recorder, request)
		if recorder.Code != http.StatusOK {
			b.Fatal(recorder.Code)
		}
	}
}
