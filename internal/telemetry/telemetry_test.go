package telemetry

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/internal/telemetry/telemetrytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started replaces the global providers, so tests that use it do not run in
// parallel.
func started(t *testing.T, o Options) *Telemetry {
	t.Helper()
	watched, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return watched
}

func scrape(t *testing.T, watched *Telemetry, accept string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	watched.Handler().ServeHTTP(w, r)
	return w.Body.String()
}

func TestWhatIsRecordedArrives(t *testing.T) {
	receiver := telemetrytest.New(t)
	watched := started(t, Options{
		Version: "v1.2.3", Platform: Platform{Service: "fares", Revision: "fares-7", Project: "acme"},
		Attributes: Pairs{"deployment.environment.name": "test", "service.version": "ignored"},
		Traces:     &Receiver{URL: receiver.URL() + "/v1/traces", Headers: Pairs{"X-Token": "secret"}},
		Metrics:    &Receiver{URL: receiver.URL() + "/v1/metrics"},
	})
	ctx, span := otel.Tracer("test").Start(t.Context(), "work")
	calls, err := otel.Meter("test").Int64Counter("calls", metric.WithUnit("{call}"))
	if err != nil {
		t.Fatal(err)
	}
	calls.Add(ctx, 2)
	span.SetAttributes(attribute.String("long", strings.Repeat("x", 5000)))
	span.End()
	watched.Shutdown(t.Context())

	spans := receiver.Spans()
	if len(spans) != 1 || spans[0].GetName() != "work" || len(spans[0].Attributes["long"]) != maxAttributeLength {
		t.Fatalf("spans: %v", spans)
	}
	about := spans[0].Resource
	for _, ours := range []string{"service.instance.id", "telemetry.sdk.name", "telemetry.sdk.language", "telemetry.sdk.version"} {
		if about[ours] == "" {
			t.Errorf("no %s", ours)
		}
		delete(about, ours)
	}
	want := map[string]string{
		"service.name": "fares", "service.version": "v1.2.3", "deployment.environment.name": "test",
		"cloud.provider": "gcp", "cloud.platform": "gcp_cloud_run", "cloud.account.id": "acme", "faas.name": "fares", "faas.version": "fares-7",
	}
	if diff := cmp.Diff(want, about); diff != "" {
		t.Error(diff)
	}
	names := strings.Join(receiver.Metrics(), " ")
	if !strings.Contains(names, "calls") || !strings.Contains(names, "go.memory.used") {
		t.Errorf("metrics: %s", names)
	}
	if sent := receiver.Header("X-Token"); len(sent) != 2 || sent[0] == sent[1] {
		t.Errorf("headers %q, want the token with traces alone", sent)
	}
}

func TestNothingIsSentUnasked(t *testing.T) {
	watched := started(t, Options{Sampler: SampleAll})
	defer watched.Shutdown(t.Context())
	_, span := otel.Tracer("test").Start(t.Context(), "work")
	if span.IsRecording() {
		t.Error("a span is recorded for nobody")
	}
}

func TestScrapesHaveNamesUnitsAndExemplars(t *testing.T) {
	receiver := telemetrytest.New(t)
	watched := started(t, Options{Traces: &Receiver{URL: receiver.URL() + "/v1/traces"}})
	defer watched.Shutdown(t.Context())
	meter := otel.Meter("test")
	took, _ := meter.Float64Histogram("work.duration", metric.WithUnit("s"), metric.WithDescription("What work took."))
	state, _ := meter.Int64Gauge("work.state", metric.WithUnit("1"))
	_, _ = meter.Int64Counter("work.never")
	ctx, span := otel.Tracer("test").Start(t.Context(), "work")
	took.Record(ctx, 0.2)
	state.Record(ctx, 2)
	span.End()

	text := scrape(t, watched, "application/openmetrics-text")
	for _, want := range []string{
		"# HELP work_duration_seconds What work took.", "work_duration_seconds_count 1", "work_state 2",
		`trace_id="` + span.SpanContext().TraceID().String() + `"`, `service_name="search-api"`, "go_goroutine_count",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	known := map[string]string{}
	for _, i := range watched.Instruments() {
		if strings.HasPrefix(i.Name, "work.") {
			known[i.Name] = i.Kind + " " + i.Family
		}
	}
	want := map[string]string{
		"work.duration": "histogram work_duration_seconds", "work.state": "gauge work_state", "work.never": "counter work_never_total",
	}
	if diff := cmp.Diff(want, known); diff != "" {
		t.Error(diff)
	}
}

func TestSeriesAreBounded(t *testing.T) {
	watched := started(t, Options{})
	defer watched.Shutdown(t.Context())
	calls, _ := otel.Meter("test").Int64Counter("calls")
	for i := range 3 * maxSeries {
		calls.Add(t.Context(), 1, metric.WithAttributes(attribute.Int("caller", i)))
	}
	text := scrape(t, watched, "")
	if n := strings.Count(text, "\ncalls_total{"); n > maxSeries {
		t.Errorf("%d series", n)
	}
	if !strings.Contains(text, `otel_metric_overflow="true"`) {
		t.Error("what exceeds the bound is not counted")
	}
}

func TestTheCallerDecidesWhatIsSampled(t *testing.T) {
	receiver := telemetrytest.New(t)
	for _, tc := range []struct {
		sampler           Sampler
		share             float64
		yes, no, noParent bool
	}{
		{"", 1, true, false, true},
		{SampleAsParentOrAll, 1, true, false, true},
		{SampleAsParentOrNone, 1, true, false, false},
		{SampleAsParentOrPart, 0, true, false, false},
		{SampleShare, 1, true, true, true},
		{SampleShare, 0, false, false, false},
		{SampleAll, 0, true, true, true},
		{SampleNone, 1, false, false, false},
	} {
		watched := started(t, Options{Sampler: tc.sampler, SampleRatio: tc.share, Traces: &Receiver{URL: receiver.URL() + "/v1/traces"}})
		for parent, want := range map[string]bool{
			"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01": tc.yes,
			"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00": tc.no,
			"": tc.noParent,
		} {
			ctx := otel.GetTextMapPropagator().Extract(t.Context(), propagation.MapCarrier{"traceparent": parent})
			_, span := otel.Tracer("test").Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
			if span.IsRecording() != want {
				t.Errorf("%q at %g, traceparent %q: recorded %t", tc.sampler, tc.share, parent, !want)
			}
			span.End()
		}
		watched.Shutdown(t.Context())
	}
}

// TestAReceiverThatIsAway replaces the default logger, so it does not run in
// parallel.
func TestAReceiverThatIsAway(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(NewLogger(&log, LogOptions{Format: FormatText}))
	defer slog.SetDefault(before)
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	defer silent.Close()
	defer close(over)
	away := &Receiver{URL: silent.URL + "/v1/traces"}
	watched := started(t, Options{Traces: away, Metrics: away})
	for range 5000 { // More than may wait: nothing blocks.
		_, span := otel.Tracer("test").Start(t.Context(), "work")
		span.End()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // A stop that took all its time still has the flush.
	watched.Shutdown(ctx)
	if got := log.String(); !strings.Contains(got, "what=traces") || !strings.Contains(got, "what=metrics") {
		t.Errorf("a loss is not logged: %s", got)
	}
}

func TestAnUnknownSamplerIsRefused(t *testing.T) {
	if _, err := Start(t.Context(), Options{Sampler: "often"}); err == nil || !strings.Contains(err.Error(), "often") {
		t.Errorf("got %v", err)
	}
}

func TestComplaintsAreLoggedOnceAMinute(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(NewLogger(&log, LogOptions{Format: FormatText}))
	defer slog.SetDefault(before)
	now := time.Now()
	c := &complaints{now: func() time.Time { return now }}
	for range 3 {
		c.Handle(errors.New("receiver away"))
	}
	now = now.Add(complaintEvery)
	c.Handle(errors.New("still away"))
	want := []string{`error="receiver away" unlogged=0`, `error="still away" unlogged=2`}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], want[0]) || !strings.Contains(lines[1], want[1]) {
		t.Errorf("want %q, got %q", want, lines)
	}
}
