package fanout

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// collected is every data point, by name and attributes, zeros left out.
func collected(t *testing.T, reader sdkmetric.Reader) map[string]string {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	points := map[string]string{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				note(points, m.Name, data.DataPoints)
			case metricdata.Gauge[int64]:
				note(points, m.Name, data.DataPoints)
			case metricdata.Gauge[float64]:
				note(points, m.Name, data.DataPoints)
			}
		}
	}
	return points
}

func note[N int64 | float64](points map[string]string, name string, data []metricdata.DataPoint[N]) {
	for _, p := range data {
		var more []string
		for _, a := range p.Attributes.ToSlice() {
			if a.Key != "provider" && a.Key != "class" && a.Value.AsString() != "" {
				more = append(more, a.Value.AsString())
			}
		}
		if p.Value != 0 {
			points[strings.Join(append([]string{name}, more...), " ")] = fmt.Sprintf("%.2f", float64(p.Value))
		}
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := sdkmetric.NewManualReader()
		before := otel.GetMeterProvider()
		otel.SetMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
		defer otel.SetMeterProvider(before)

		s := &script{steps: []step{{time.Minute, 200, ""}, {10 * ms, 200, ""}, {5 * ms, 503, ""}, {5 * ms, 200, ""}}}
		o := constant(s, 50*ms)
		tr := hedged(t, o)
		ask(WithKind(t.Context(), "search"), t, tr)
		tr.policies[freePolicy].bucket.tokens = 3
		ask(t.Context(), t, tr)
		synctest.Wait()
		want := map[string]string{
			"fanout.attempts answered":      "2.00",
			"fanout.attempts lost":          "1.00",
			"fanout.attempts refused":       "1.00",
			"fanout.hedges.sent":            "1.00",
			"fanout.hedges.won":             "1.00",
			"fanout.failovers":              "1.00",
			"fanout.hedges.win_rate":        "1.00",
			"fanout.hedges.budget":          "2.00",
			"fanout.hedges.delay":           "0.05",
			"fanout.hedges.delay search":    "0.05",
			"fanout.hedges.survival":        "0.15",
			"fanout.hedges.survival search": "0.15",
		}
		if diff := cmp.Diff(want, collected(t, reader)); diff != "" {
			t.Error(diff)
		}
		tr.Close()
		if left := collected(t, reader); len(left) != 0 {
			t.Errorf("after Close: %v", left)
		}
	})
}

func TestSpanPerAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		recorder := tracetest.NewSpanRecorder()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
		s := &script{steps: []step{{time.Minute, 200, ""}, {10 * ms, 200, ""}}}
		tr := rich(hedged(t, constant(s, 50*ms)))
		tr.tracer = provider.Tracer(scope)
		ask(t.Context(), t, tr) // No trace, no spans.
		s.arrived = nil
		ctx, root := provider.Tracer("test").Start(t.Context(), "search")
		ask(ctx, t, tr)
		root.End()
		synctest.Wait()
		var spans []string
		for _, span := range recorder.Ended() {
			if span.Name() != "fanout.attempt" {
				continue
			}
			if span.Parent().SpanID() != root.SpanContext().SpanID() {
				t.Errorf("%v is not below the search", span)
			}
			var words []string
			for _, a := range span.Attributes() {
				words = append(words, strings.TrimPrefix(string(a.Key), "fanout.")+"="+a.Value.String())
			}
			words = append(words, span.EndTime().Sub(span.StartTime()).String())
			spans = append(spans, strings.Join(words, " "))
		}
		slices.Sort(spans)
		want := []string{
			"provider=sandbox attempt=1 hedge=false outcome=lost 60ms",
			"provider=sandbox attempt=2 hedge=true outcome=answered 10ms",
		}
		if diff := cmp.Diff(want, spans); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSpanOfAFailureSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		recorder := tracetest.NewSpanRecorder()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
		o := untuned(roundTripFunc(func(*http.Request) (*http.Response, error) { return nil, errReset }))
		o.MaxAttempts = 1
		tr := hedged(t, o)
		tr.tracer = provider.Tracer(scope)
		ctx, root := provider.Tracer("test").Start(context.Background(), "search")
		defer root.End()
		_, _, _ = get(ctx, tr)
		if got := recorder.Ended()[0].Status().Description; !strings.Contains(got, errReset.Error()) {
			t.Errorf("status %q", got)
		}
	})
}
