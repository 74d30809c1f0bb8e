package main

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sethvargo/go-envconfig"

	"github.com/hedgehop/hedgehop/internal/telemetry"
	"github.com/hedgehop/hedgehop/internal/telemetry/telemetrytest"
)

// observed is the whole program, and what a receiver and a scraper see of it.
type observed struct {
	service  *service
	base     string
	receiver *telemetrytest.Receiver
}

// startObserved exports all traces and metrics to a receiver of the test.
func startObserved(t *testing.T) observed {
	t.Helper()
	receiver := telemetrytest.New(t)
	config, err := readConfig(t.Context(), envconfig.MapLookuper(map[string]string{
		"PORT": "0", "SANDBOX_LATENCY": "none", "SANDBOX_CONTROL": "true", "HEDGE_DELAY": "100ms", "EVENTS_TOKEN": "demo",
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.URL(),
		"OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test", "K_SERVICE": "fares", "K_REVISION": "fares-7",
	}))
	if err != nil {
		t.Fatal(err)
	}
	service, err := start(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(service.address(), "]:")
	return observed{service, "http://127.0.0.1:" + port, receiver}
}

// search asks for a day and returns the status.
func (o observed) search(t *testing.T, days int) int {
	t.Helper()
	response, _ := call(t, http.MethodGet, fmt.Sprintf("%s/v1/flights/search?origin=JFK&destination=LHR&departure_date=%s", o.base, inDays(days)), "")
	return response.StatusCode
}

func (o observed) fault(t *testing.T, provider, fault string) {
	t.Helper()
	method := http.MethodPut
	if fault == "" {
		method = http.MethodDelete
	}
	if response, body := call(t, method, o.base+"/sandbox/faults/"+provider, fault); response.StatusCode != http.StatusNoContent {
		t.Fatalf("%s: %s", response.Status, body)
	}
}

// TestWhatOperatorsSee: a search with a hedge, the same from the cache, one that
// a provider is missing from, and one that all are missing from, as they reach an
// OTLP receiver and a Prometheus.
func TestWhatOperatorsSee(t *testing.T) {
	o := startObserved(t)
	o.fault(t, "duffel", `{"mode": "slow", "delay": "400ms"}`)
	statuses := []int{o.search(t, 30)} // Hedged.
	o.fault(t, "duffel", "")
	statuses = append(statuses, o.search(t, 30)) // A hit.
	o.fault(t, "amadeus", `{"mode": "error"}`)
	statuses = append(statuses, o.search(t, 31)) // Partial.
	o.fault(t, "duffel", `{"mode": "error"}`)
	o.fault(t, "skyscanner", `{"mode": "error"}`)
	statuses = append(statuses, o.search(t, 32)) // Nobody.
	if diff := cmp.Diff([]int{200, 200, 200, 503}, statuses); diff != "" {
		t.Fatal(diff)
	}
	_, scraped := call(t, http.MethodGet, o.base+"/metrics", "")
	if err := o.service.stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Run("spans", func(t *testing.T) { checkSpans(t, o.receiver.Spans()) })
	t.Run("metrics exported", func(t *testing.T) { checkExported(t, o) })
	t.Run("metrics scraped", func(t *testing.T) { checkScraped(t, string(scraped), o.service.telemetry.Instruments()) })
}

func checkSpans(t *testing.T, all []telemetrytest.Span) {
	t.Helper()
	var requests []telemetrytest.Span
	for _, span := range all {
		if span.GetName() == "GET /v1/flights/search" {
			requests = append(requests, span)
		}
		if span.Resource["service.name"] != "fares" || span.Resource["faas.version"] != "fares-7" || span.Resource["deployment.environment.name"] != "test" {
			t.Errorf("resource %v", span.Resource)
		}
	}
	slices.SortFunc(requests, func(a, b telemetrytest.Span) int {
		return int(a.GetStartTimeUnixNano()) - int(b.GetStartTimeUnixNano())
	})
	var trees []string
	for _, request := range requests {
		trees = append(trees, tree(request, all))
	}
	want := []string{
		"search complete miss (cache.lookup, provider amadeus ok miss, provider duffel ok miss, provider skyscanner ok miss, merge)",
		"search complete hit (cache.lookup, provider amadeus ok hit, provider duffel ok hit, provider skyscanner ok hit, merge)",
		"search partial miss (cache.lookup, provider amadeus error miss, provider duffel ok miss, provider skyscanner ok miss, merge)",
		"search none miss (cache.lookup, provider amadeus error miss, provider duffel error miss, provider skyscanner error miss)",
	}
	if diff := cmp.Diff(want, trees); diff != "" {
		t.Fatal(diff)
	}
	for i, wanted := range []string{"2 hedge", "", "1 answered", "1 refused"} {
		got := attempts(requests[i].Under(all, "search")[0].Under(all, "provider duffel")[0], all)
		if !strings.Contains(got, wanted) || wanted == "" && got != "" {
			t.Errorf("attempts of search %d: %q, want %q", i, got, wanted)
		}
	}
	if last := requests[3]; !last.Failed() || !last.Under(all, "search")[0].Failed() {
		t.Error("a search without an answer is no error")
	}
}

// tree writes the spans of a request in one line.
func tree(request telemetrytest.Span, all []telemetrytest.Span) string {
	searches := request.Under(all, "search")
	if len(searches) != 1 {
		return fmt.Sprintf("%d searches", len(searches))
	}
	search := searches[0]
	var parts []string
	for range search.Under(all, "cache.lookup") {
		parts = append(parts, "cache.lookup")
	}
	providers := search.Under(all, "provider ")
	slices.SortFunc(providers, func(a, b telemetrytest.Span) int { return strings.Compare(a.GetName(), b.GetName()) })
	for _, p := range providers {
		parts = append(parts, fmt.Sprintf("%s %s %s", p.GetName(), p.Attributes["hedgehop.status"], p.Attributes["hedgehop.cache"]))
	}
	for range search.Under(all, "merge") {
		parts = append(parts, "merge")
	}
	return fmt.Sprintf("search %s %s (%s)", search.Attributes["hedgehop.outcome"], search.Attributes["hedgehop.cache"], strings.Join(parts, ", "))
}

// attempts are those of a provider's call, by number.
func attempts(provider telemetrytest.Span, all []telemetrytest.Span) string {
	var shown []string
	for _, attempt := range provider.Under(all, "fanout.attempt") {
		text := attempt.Attributes["fanout.attempt"]
		if attempt.Attributes["fanout.hedge"] == "true" {
			text += " hedge"
		}
		shown = append(shown, text+" "+attempt.Attributes["fanout.outcome"])
	}
	slices.Sort(shown)
	return strings.Join(slices.Compact(shown), ", ")
}

func checkExported(t *testing.T, o observed) {
	t.Helper()
	exported := o.receiver.Metrics()
	for _, want := range []string{
		"http.server.request.duration", "hedgehop.search.duration", "hedgehop.provider.duration", "hedgehop.provider.answers",
		"hedgehop.fare.age", "hedgehop.start.duration", "fanout.attempts", "fanout.hedges.sent", "fanout.breaker.state",
		"cache.lookups", "cache.lookup.duration", "go.memory.used", "go.goroutine.count",
	} {
		if !slices.Contains(exported, want) {
			t.Errorf("%s was not exported, only %s", want, exported)
		}
	}
}

func checkScraped(t *testing.T, text string, known []telemetry.Instrument) {
	t.Helper()
	for _, want := range []string{
		`hedgehop_search_duration_seconds_count{cache="miss",outcome="complete"} 1`,
		`hedgehop_search_duration_seconds_count{cache="hit",outcome="complete"} 1`,
		`hedgehop_search_duration_seconds_count{cache="miss",outcome="partial"} 1`,
		`hedgehop_search_duration_seconds_count{cache="miss",outcome="none"} 1`,
		`hedgehop_provider_duration_seconds_count{provider="duffel",reason="miss",status="ok"} 2`,
		`hedgehop_provider_duration_seconds_count{provider="amadeus",reason="miss",status="error"} 2`,
		`hedgehop_provider_answers_total{cache="hit",provider="skyscanner",status="ok"} 1`,
		`hedgehop_fare_age_seconds_count{cache="hit",provider="duffel"} 1`,
		`http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="200",http_route="/v1/flights/search"} 3`,
		`http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="503",http_route="/v1/flights/search"} 1`,
		`fanout_hedges_sent_total{class="free",provider="duffel"} `,
		`fanout_breaker_state{class="free",provider="duffel"} 0`,
		`cache_lookups_total{kind="amadeus",outcome="hit"} 1`,
		"hedgehop_start_duration_seconds ", "go_goroutine_count ", "process_start_time_seconds ", `service_name="fares"`,
	} {
		if !strings.Contains(text, "\n"+want) && !strings.Contains(text, want) {
			t.Errorf("%s was not scraped from\n%s", want, text)
		}
	}
	families := map[string]bool{"target_info": true}
	for _, i := range known {
		families[i.Family] = true
	}
	for _, family := range regexp.MustCompile(`(?m)^# TYPE (\S+) `).FindAllStringSubmatch(text, -1) {
		if !families[family[1]] && !strings.HasPrefix(family[1], "process_") {
			t.Errorf("%s was scraped but is no instrument's", family[1])
		}
	}
}

func TestTelemetryOptions(t *testing.T) {
	headers, traceHeaders := telemetry.Pairs{"authorization": "Bearer all"}, telemetry.Pairs{"authorization": "Bearer traces"}
	for _, tc := range []struct {
		name            string
		env             map[string]string
		traces, metrics *telemetry.Receiver
	}{
		{"nothing asked", nil, nil, nil},
		{"an address alone exports nothing", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:1"}, nil, nil},
		{"Prometheus needs no exporter", map[string]string{"OTEL_METRICS_EXPORTER": "prometheus"}, nil, nil},
		{"the usual collector", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, &telemetry.Receiver{URL: "http://localhost:4318/v1/traces"}, nil},
		{
			"all of it",
			map[string]string{
				"OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "prometheus, otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:1/base/",
				"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "https://m/as-it-is", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20all",
				"OTEL_EXPORTER_OTLP_TRACES_HEADERS": "authorization=Bearer%20traces",
			},
			&telemetry.Receiver{URL: "http://c:1/base/v1/traces", Headers: traceHeaders},
			&telemetry.Receiver{URL: "https://m/as-it-is", Headers: headers},
		},
		{"disabled", map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, nil, nil},
	} {
		c, err := read(tc.env)
		if err != nil {
			t.Fatal(err)
		}
		o := c.Telemetry.options(c.Platform)
		if diff := cmp.Diff([]*telemetry.Receiver{tc.traces, tc.metrics}, []*telemetry.Receiver{o.Traces, o.Metrics}); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
	c, err := read(map[string]string{"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.25", "OTEL_METRIC_EXPORT_INTERVAL": "5000", "OTEL_SERVICE_NAME": "x"})
	if err != nil {
		t.Fatal(err)
	}
	o := c.Telemetry.options(c.Platform)
	if o.Sampler != telemetry.SampleShare || o.SampleRatio != 0.25 || o.Interval != 5*time.Second || o.Service != "x" {
		t.Errorf("%+v", o)
	}
}

func TestUnusableTelemetryIsRefusedAtOnce(t *testing.T) {
	env := map[string]string{
		"OTEL_TRACES_EXPORTER": "zipkin", "OTEL_METRICS_EXPORTER": "none,otlp", "OTEL_LOGS_EXPORTER": "otlp", "OTEL_TRACES_SAMPLER": "often",
		"OTEL_TRACES_SAMPLER_ARG": "NaN", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318",
		"OTEL_EXPORTER_OTLP_HEADERS": "canary", "OTEL_METRIC_EXPORT_INTERVAL": "1m", "OTEL_RESOURCE_ATTRIBUTES": "x", "PPROF_ADDR": "0.0.0.0:6060",
	}
	_, err := read(env)
	if err == nil || strings.Contains(err.Error(), "canary") {
		t.Fatalf("got %v", err)
	}
	lines := strings.Split(err.Error(), "\n")
	for name := range env {
		if !containsPrefix(lines, name+"=") {
			t.Errorf("no line of %s in:\n%s", name, err)
		}
	}
	if len(lines) != len(env) {
		t.Errorf("want %d lines, got:\n%s", len(env), err)
	}
}

func TestProfilesAreServedOnTheirOwnAddressAlone(t *testing.T) {
	free, err := listen(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	base := startService(t, map[string]string{"PPROF_ADDR": address})
	if response, body := call(t, http.MethodGet, "http://"+address+"/debug/pprof/goroutine?debug=1", ""); response.StatusCode != http.StatusOK || !strings.Contains(string(body), "goroutine profile") {
		t.Errorf("%s: %s", response.Status, body)
	}
	if response, _ := call(t, http.MethodGet, base+"/debug/pprof/goroutine", ""); response.StatusCode != http.StatusNotFound {
		t.Errorf("profiles on the service's own port: %s", response.Status)
	}
	for text, ok := range map[string]bool{
		"127.0.0.1:0": true, "[::1]:6060": true, "localhost:1": true,
		":6060": false, "10.0.0.1:6060": false, "localhost": false, "localhost:x": false, "example.com:1": false,
	} {
		if err := new(loopback).UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
