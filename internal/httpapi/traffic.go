package httpapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// scopeName names this package to OpenTelemetry.
const scopeName = "github.com/hedgehop/hedgehop/internal/httpapi"

// traffic is what operators see of requests besides the log line: a span of each,
// and their rate, errors and duration by route. Names are those of OpenTelemetry's
// conventions for HTTP servers. No attribute is the caller's choice, but for the
// method and then only a known one: routes stand in place of paths, and queries
// are left out.
type traffic struct {
	tracer   trace.Tracer
	duration metric.Float64Histogram
	active   metric.Int64UpDownCounter
}

func newTraffic() *traffic {
	meter := otel.Meter(scopeName)
	t := &traffic{tracer: otel.Tracer(scopeName)}
	var faults [2]error
	t.duration, faults[0] = meter.Float64Histogram("http.server.request.duration", metric.WithUnit("s"),
		metric.WithDescription("Requests, by route and status."),
		metric.WithExplicitBucketBoundaries(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2, 3, 5, 8))
	t.active, faults[1] = meter.Int64UpDownCounter("http.server.active_requests", metric.WithUnit("{request}"),
		metric.WithDescription("Requests that are being answered."))
	if err := errors.Join(faults[:]...); err != nil {
		otel.Handle(err) // What could not be made records nothing.
	}
	return t
}

// begin starts the span of a request, below that of its traceparent. Probes have
// none: they would be most of the traces.
func (t *traffic) begin(r *http.Request) (context.Context, trace.Span) {
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	method := knownMethod(r.Method)
	t.active.Add(ctx, 1, metric.WithAttributes(method))
	if isProbe(r.URL.Path) {
		return ctx, noop.Span{}
	}
	//nolint:spancheck // end ends it.
	return t.tracer.Start(ctx, method.Value.AsString(), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(method))
}

// end says what became of the request and ends its span.
func (t *traffic) end(r *http.Request, span trace.Span, w middleware.WrapResponseWriter, took time.Duration) {
	defer span.End()
	ctx, method, status := r.Context(), knownMethod(r.Method), w.Status()
	if status == 0 { // Nothing was written, which net/http turns into this.
		status = http.StatusOK
	}
	attributes := []attribute.KeyValue{method, attribute.Int("http.response.status_code", status)}
	if route := chi.RouteContext(ctx).RoutePattern(); route != "" {
		attributes = append(attributes, attribute.String("http.route", route))
		span.SetName(method.Value.AsString() + " " + route)
	}
	t.active.Add(ctx, -1, metric.WithAttributes(method))
	t.duration.Record(ctx, took.Seconds(), metric.WithAttributes(attributes...))
	span.SetAttributes(attributes...)
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, http.StatusText(status))
	}
}

// knownMethod is _OTHER for words that callers make up.
func knownMethod(method string) attribute.KeyValue {
	if !slices.Contains([]string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
	}, method) {
		method = "_OTHER"
	}
	return attribute.String("http.request.method", method)
}

// isProbe reports paths that are asked by machines that watch.
func isProbe(path string) bool {
	return strings.HasPrefix(path, "/health/") || path == "/metrics"
}
