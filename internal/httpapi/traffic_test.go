package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

// watch makes the global providers ones that the test can read, so a test that
// uses it does not run in parallel.
func watch(t *testing.T) (*sdkmetric.ManualReader, *tracetest.SpanRecorder) {
	t.Helper()
	reader, recorder := sdkmetric.NewManualReader(), tracetest.NewSpanRecorder()
	meters, tracers := otel.GetMeterProvider(), otel.GetTracerProvider()
	otel.SetMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)))
	t.Cleanup(func() {
		otel.SetMeterProvider(meters)
		otel.SetTracerProvider(tracers)
	})
	return reader, recorder
}

func pairs(attributes []attribute.KeyValue) string {
	var texts []string
	for _, a := range attributes {
		texts = append(texts, string(a.Key)+"="+a.Value.String())
	}
	return strings.Join(texts, " ")
}

// requests counts by attributes, and what is still active.
func requests(t *testing.T, reader sdkmetric.Reader) map[string]string {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	counts := map[string]string{}
	for _, m := range all.ScopeMetrics[0].Metrics {
		switch data := m.Data.(type) {
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				counts[pairs(p.Attributes.ToSlice())] = fmt.Sprint(p.Count)
			}
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				counts["active "+pairs(p.Attributes.ToSlice())] = fmt.Sprint(p.Value)
			}
		}
	}
	return counts
}

func TestRequestsAreMeasuredByRoute(t *testing.T) {
	reader, recorder := watch(t)
	s := &searcher{}
	h := httpapi.New(options(s))
	traced := get(oneWay)
	traced.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	answered := ask(t, h, traced)
	for _, target := range []string{"/v1/airports/JFK", "/v1/airports/LHR", "/v1/airports/QQQ?secret=1", "/nowhere/secret", "/health/live", "/metrics"} {
		ask(t, h, get(target))
	}
	odd := get("/v1/currencies")
	odd.Method = "SECRET"
	ask(t, h, odd)
	s.answer = func(context.Context, search.Request) (*search.Result, error) { return nil, errors.New("secret") }
	ask(t, h, get(oneWay))

	want := map[string]string{
		"http.request.method=GET http.response.status_code=200 http.route=/v1/flights/search":  "1",
		"http.request.method=GET http.response.status_code=500 http.route=/v1/flights/search":  "1",
		"http.request.method=GET http.response.status_code=200 http.route=/v1/airports/{iata}": "2",
		"http.request.method=GET http.response.status_code=404 http.route=/v1/airports/{iata}": "1",
		"http.request.method=GET http.response.status_code=404":                                "1",
		"http.request.method=GET http.response.status_code=200 http.route=/health/live":        "1",
		"http.request.method=GET http.response.status_code=200 http.route=/metrics":            "1",
		"http.request.method=_OTHER http.response.status_code=405":                             "1",
		"active http.request.method=GET":                                                       "0",
		"active http.request.method=_OTHER":                                                    "0",
	}
	if diff := cmp.Diff(want, requests(t, reader)); diff != "" {
		t.Error(diff)
	}
	var names []string
	for _, span := range recorder.Ended() {
		names = append(names, span.Name()+" "+span.Status().Code.String())
		if text := fmt.Sprint(span.Attributes(), span.Status(), span.Events()); strings.Contains(text, "secret") || strings.Contains(text, "JFK") {
			t.Errorf("%s shows what the caller wrote: %s", span.Name(), text)
		}
	}
	wanted := []string{
		"GET /v1/flights/search Unset", "GET /v1/airports/{iata} Unset", "GET /v1/airports/{iata} Unset", "GET /v1/airports/{iata} Unset",
		"GET Unset", "_OTHER Unset", "GET /v1/flights/search Error",
	}
	slices.Sort(names)
	slices.Sort(wanted)
	if diff := cmp.Diff(wanted, names); diff != "" {
		t.Error(diff)
	}
	first := recorder.Ended()[0]
	if first.SpanContext().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || first.Parent().SpanID().String() != "b7ad6b7169203331" {
		t.Errorf("%s is not below its caller's span", first.SpanContext().TraceID())
	}
	if got := answered.Header().Get("Traceparent"); !strings.Contains(got, first.SpanContext().SpanID().String()) {
		t.Errorf("traceparent %q is not that of the request's span", got)
	}
}

// TestTheLogLineOfASearch replaces the default logger, so it does not run in
// parallel.
func TestTheLogLineOfASearch(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	defer slog.SetDefault(before)
	outcomes := []search.Outcome{
		{Name: "duffel", Status: search.StatusOK, Cache: search.CacheMiss, Offers: 12, Attempts: 2, Latency: 341 * time.Millisecond},
		{Name: "amadeus", Status: search.StatusTimeout, Cache: search.CacheMiss, Error: "for JFK"},
	}
	partial := func(_ context.Context, req search.Request) (*search.Result, error) {
		return &search.Result{SearchID: "search-1", Request: req, Providers: outcomes, Body: search.Body{Name: "body"}, Rates: catalog().Rates()}, nil
	}
	none := func(context.Context, search.Request) (*search.Result, error) {
		return nil, &search.NoAnswerError{Providers: outcomes[1:]}
	}
	timedOut := map[string]any{"status": "timeout", "cache": "miss", "offers": 0.0, "attempts": 0.0, "latency_ms": 0.0}
	for _, tc := range []struct {
		name   string
		answer func(context.Context, search.Request) (*search.Result, error)
		want   map[string]any
	}{
		{"partial", partial, map[string]any{
			"level": "INFO", "status": 200.0, "search_id": "search-1", "complete": false,
			"providers": map[string]any{
				"duffel":  map[string]any{"status": "ok", "cache": "miss", "offers": 12.0, "attempts": 2.0, "latency_ms": 341.0},
				"amadeus": timedOut,
			},
		}},
		{"none", none, map[string]any{
			"level": "WARN", "status": 503.0, "providers": map[string]any{"amadeus": timedOut},
			"error": "searching: none of 1 providers answered",
		}},
	} {
		log.Reset()
		ask(t, httpapi.New(options(&searcher{answer: tc.answer})), get(oneWay))
		line := map[string]any{}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%s: not one line: %s", tc.name, log.String())
		}
		for _, varying := range []string{"time", "request_id", "duration_ms", "bytes"} {
			if line[varying] == nil {
				t.Errorf("%s: no %s", tc.name, varying)
			}
			delete(line, varying)
		}
		tc.want["msg"], tc.want["method"], tc.want["route"] = "request", http.MethodGet, "/v1/flights/search"
		if diff := cmp.Diff(tc.want, line); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}
