// Package telemetrytest has a receiver of OTLP for tests: what a service exports
// is asserted as the receiver decoded it.
package telemetrytest

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	spanpb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Receiver takes traces and metrics over OTLP/HTTP, protobuf encoded, and keeps
// all of them. Safe for concurrent use.
type Receiver struct {
	tb     testing.TB
	server *httptest.Server

	mu       sync.Mutex
	traces   []*tracepb.ExportTraceServiceRequest
	metrics  []*metricspb.ExportMetricsServiceRequest
	requests []*http.Request
}

// New starts a receiver that is closed with the test. A request that it cannot
// decode fails the test.
func New(tb testing.TB) *Receiver {
	tb.Helper()
	r := &Receiver{tb: tb}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, req *http.Request) {
		take(r, w, req, new(tracepb.ExportTraceServiceRequest), func(got *tracepb.ExportTraceServiceRequest) { r.traces = append(r.traces, got) })
	})
	routes.HandleFunc("POST /v1/metrics", func(w http.ResponseWriter, req *http.Request) {
		take(r, w, req, new(metricspb.ExportMetricsServiceRequest), func(got *metricspb.ExportMetricsServiceRequest) { r.metrics = append(r.metrics, got) })
	})
	r.server = httptest.NewServer(routes)
	tb.Cleanup(r.server.Close)
	return r
}

// URL is the base address, as OTEL_EXPORTER_OTLP_ENDPOINT takes it.
func (r *Receiver) URL() string { return r.server.URL }

// take decodes a request and keeps it.
func take[M proto.Message](r *Receiver, w http.ResponseWriter, req *http.Request, into M, keep func(M)) {
	body := io.Reader(req.Body)
	if req.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(req.Body)
		if err != nil {
			r.refuse(w, req, err)
			return
		}
		body = unpacked
	}
	encoded, err := io.ReadAll(body)
	if err == nil {
		err = proto.Unmarshal(encoded, into)
	}
	if err != nil {
		r.refuse(w, req, err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	keep(into)
	r.requests = append(r.requests, req)
	w.Header().Set("Content-Type", "application/x-protobuf") // An empty answer is an empty message: all taken.
}

func (r *Receiver) refuse(w http.ResponseWriter, req *http.Request, err error) {
	r.tb.Errorf("%s: %v", req.URL.Path, err)
	http.Error(w, err.Error(), http.StatusBadRequest)
}

// Header returns the value of a header of every request so far.
func (r *Receiver) Header(name string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var values []string
	for _, req := range r.requests {
		values = append(values, req.Header.Get(name))
	}
	return values
}

// Spans returns all spans received so far.
func (r *Receiver) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Span
	for _, request := range r.traces {
		for _, resource := range request.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				for _, span := range scope.GetSpans() {
					all = append(all, Span{Span: span, Attributes: attributes(span.GetAttributes()), Resource: attributes(resource.GetResource().GetAttributes())})
				}
			}
		}
	}
	return all
}

// Span is a span with its attributes as text.
type Span struct {
	*spanpb.Span
	Attributes, Resource map[string]string
}

// Failed reports that the span ended as an error.
func (s Span) Failed() bool { return s.GetStatus().GetCode() == spanpb.Status_STATUS_CODE_ERROR }

// Under returns the spans directly below this one whose name begins with prefix.
func (s Span) Under(all []Span, prefix string) []Span {
	var below []Span
	for _, span := range all {
		if slices.Equal(span.GetTraceId(), s.GetTraceId()) && slices.Equal(span.GetParentSpanId(), s.GetSpanId()) && strings.HasPrefix(span.GetName(), prefix) {
			below = append(below, span)
		}
	}
	return below
}

// Metrics returns the names of all metrics received so far, sorted.
func (r *Receiver) Metrics() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, request := range r.metrics {
		for _, resource := range request.GetResourceMetrics() {
			for _, scope := range resource.GetScopeMetrics() {
				for _, metric := range scope.GetMetrics() {
					names = append(names, metric.GetName())
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func attributes(pairs []*commonpb.KeyValue) map[string]string {
	all := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		all[pair.GetKey()] = text(pair.GetValue())
	}
	return all
}

func text(v *commonpb.AnyValue) string {
	switch value := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return value.StringValue
	case *commonpb.AnyValue_BoolValue:
		return fmt.Sprint(value.BoolValue)
	case *commonpb.AnyValue_IntValue:
		return fmt.Sprint(value.IntValue)
	default:
		return v.String()
	}
}
