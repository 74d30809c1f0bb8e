package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"

	"github.com/hedgehop/hedgehop/internal/telemetry"
)

// Platform is what Cloud Run says of the instance:
// https://cloud.google.com/run/docs/container-contract#services-env-vars.
type Platform struct {
	Service  string `env:"K_SERVICE" allowed:"any text" about:"Cloud Run sets it: the service's name in traces and metrics."`
	Revision string `env:"K_REVISION" allowed:"any text" about:"Cloud Run sets it."`
	Project  string `env:"GOOGLE_CLOUD_PROJECT" allowed:"a project id" about:"With it Cloud Logging shows lines beside their trace."`
}

// Telemetry is what is exported, by OpenTelemetry's own names. What stands for
// none of its variables here (certificates, compression, batch sizes, limits of
// spans), OpenTelemetry's exporters read themselves.
type Telemetry struct {
	Disabled           bool               `env:"OTEL_SDK_DISABLED, default=false" allowed:"true or false" about:"true: no traces and nothing exported, whatever else is set; /metrics is answered."`
	ServiceName        string             `env:"OTEL_SERVICE_NAME" allowed:"any text" about:"Empty: service.name of OTEL_RESOURCE_ATTRIBUTES, else K_SERVICE, else search-api."`
	ResourceAttributes telemetry.Pairs    `env:"OTEL_RESOURCE_ATTRIBUTES" allowed:"name=value, comma-separated, values percent-encoded" about:"More about this process."`
	TracesExporter     traceExporter      `env:"OTEL_TRACES_EXPORTER, default=none" allowed:"none or otlp" about:"Where traces go."`
	MetricsExporter    metricExporters    `env:"OTEL_METRICS_EXPORTER, default=none" allowed:"none, otlp, prometheus or otlp,prometheus" about:"Where metrics go. Prometheus may always read /metrics."`
	LogsExporter       logExporter        `env:"OTEL_LOGS_EXPORTER, default=none" allowed:"none" about:"Logs go to standard error."`
	Sampler            telemetry.Sampler  `env:"OTEL_TRACES_SAMPLER, default=parentbased_always_on" allowed:"always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off or parentbased_traceidratio" about:"Which traces are recorded. Cloud Run's front end is the parent of each and samples at most one request in ten seconds for an instance; traceidratio chooses whatever it says."`
	SampleRatio        share              `env:"OTEL_TRACES_SAMPLER_ARG, default=1" allowed:"0 to 1" about:"The share that the traceidratio samplers take."`
	Protocol           protocol           `env:"OTEL_EXPORTER_OTLP_PROTOCOL, default=http/protobuf" allowed:"http/protobuf" about:"What receivers are spoken to in."`
	Endpoint           telemetry.Endpoint `env:"OTEL_EXPORTER_OTLP_ENDPOINT, default=http://localhost:4318" allowed:"http or https address without credentials" about:"The receiver; /v1/traces and /v1/metrics are put behind it."`
	TracesEndpoint     telemetry.Endpoint `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" allowed:"http or https address without credentials" about:"The receiver of traces, used as it is."`
	MetricsEndpoint    telemetry.Endpoint `env:"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT" allowed:"http or https address without credentials" about:"The receiver of metrics, used as it is."`
	Headers            telemetry.Pairs    `env:"OTEL_EXPORTER_OTLP_HEADERS" secret:"true" allowed:"name=value, comma-separated, values percent-encoded" about:"Sent with every export, for credentials."`
	TracesHeaders      telemetry.Pairs    `env:"OTEL_EXPORTER_OTLP_TRACES_HEADERS" secret:"true" allowed:"name=value, comma-separated, values percent-encoded" about:"With traces, in place of OTEL_EXPORTER_OTLP_HEADERS."`
	MetricsHeaders     telemetry.Pairs    `env:"OTEL_EXPORTER_OTLP_METRICS_HEADERS" secret:"true" allowed:"name=value, comma-separated, values percent-encoded" about:"With metrics, in place of OTEL_EXPORTER_OTLP_HEADERS."`
	Interval           milliseconds       `env:"OTEL_METRIC_EXPORT_INTERVAL, default=60000" allowed:"a number of milliseconds, 1 or more" about:"How often metrics are exported."`
	PprofAddress       loopback           `env:"PPROF_ADDR" allowed:"a loopback address such as localhost:6060" about:"Serves profiles there; docs/operations.md has the recipe. Empty: none."`
}

// options are what the telemetry room is started with.
func (t Telemetry) options(p Platform) telemetry.Options {
	o := telemetry.Options{
		Service: t.ServiceName, Version: version(), Platform: telemetry.Platform(p), Attributes: t.ResourceAttributes,
		Sampler: t.Sampler, SampleRatio: float64(t.SampleRatio), Interval: time.Duration(t.Interval),
	}
	if t.Disabled {
		return o
	}
	if t.TracesExporter == exportOTLP {
		o.Traces = t.receiver("/v1/traces", t.TracesEndpoint, t.TracesHeaders)
	}
	if slices.Contains(t.MetricsExporter, exportOTLP) {
		o.Metrics = t.receiver("/v1/metrics", t.MetricsEndpoint, t.MetricsHeaders)
	}
	return o
}

// receiver prefers a signal's own settings to those for all.
func (t Telemetry) receiver(path string, own telemetry.Endpoint, headers telemetry.Pairs) *telemetry.Receiver {
	if headers == nil {
		headers = t.Headers
	}
	if own != "" {
		return &telemetry.Receiver{URL: string(own), Headers: headers}
	}
	return &telemetry.Receiver{URL: strings.TrimRight(string(t.Endpoint), "/") + path, Headers: headers}
}

// version is that of the module, or of the commit that was built; empty where the
// build does not say.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return ""
}

// startTelemetry comes first, so that it ends last and tells of all that was
// before.
func (s *service) startTelemetry(ctx context.Context, c Config) (err error) {
	if s.telemetry, err = telemetry.Start(ctx, c.Telemetry.options(c.Platform)); err != nil {
		return err
	}
	s.teardown.add("telemetry", func(ctx context.Context) error {
		s.telemetry.Shutdown(ctx)
		return nil
	})
	return nil
}

func (s *service) flushMetrics(ctx context.Context) error {
	s.telemetry.Flush(ctx)
	return nil
}

// countStart tells how long the start took, from the configuration on.
func countStart(ctx context.Context, took time.Duration) {
	gauge, err := otel.Meter("github.com/hedgehop/hedgehop/cmd/search-api").Float64Gauge("hedgehop.start.duration",
		metric.WithUnit("s"), metric.WithDescription("What the start took until searches could be answered."))
	if err != nil {
		otel.Handle(err)
		return
	}
	gauge.Record(ctx, took.Seconds())
}

// exportOTLP and exportNone are OpenTelemetry's names of exporters;
// exportPrometheus is /metrics.
const (
	exportOTLP       = "otlp"
	exportNone       = "none"
	exportPrometheus = "prometheus"
)

type (
	traceExporter   string
	metricExporters []string
	logExporter     string
	protocol        string
)

// UnmarshalText reads where traces go.
func (e *traceExporter) UnmarshalText(text []byte) error {
	*e = traceExporter(text)
	return oneOf(string(text), exportNone, exportOTLP)
}

// UnmarshalText reads where metrics go.
func (e *metricExporters) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if err := oneOf(part, exportNone, exportOTLP, exportPrometheus); err != nil {
			return err
		}
		*e = append(*e, part)
	}
	if slices.Contains(*e, exportNone) && len(*e) > 1 {
		return fmt.Errorf("%q together with others", exportNone)
	}
	return nil
}

// UnmarshalText reads where logs go.
func (e *logExporter) UnmarshalText(text []byte) error {
	*e = logExporter(text)
	return oneOf(string(text), exportNone)
}

// UnmarshalText reads what receivers are spoken to in.
func (p *protocol) UnmarshalText(text []byte) error {
	*p = protocol(text)
	return oneOf(string(text), "http/protobuf")
}

func oneOf(word string, allowed ...string) error {
	if !slices.Contains(allowed, word) {
		return fmt.Errorf("%q is none of %s", word, strings.Join(allowed, ", "))
	}
	return nil
}

// share is a part of a whole.
type share float64

// UnmarshalText reads a number from 0 to 1.
func (s *share) UnmarshalText(text []byte) error {
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return fmt.Errorf("%q is no share", text)
	}
	*s = share(f)
	return nil
}

// milliseconds is a time in OpenTelemetry's notation.
type milliseconds time.Duration

// UnmarshalText reads a positive whole number of milliseconds.
func (m *milliseconds) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of milliseconds", text)
	}
	*m = milliseconds(time.Duration(n) * time.Millisecond)
	return nil
}

// loopback is an address that only this machine reaches.
type loopback string

// UnmarshalText reads host:port whose host is localhost or a loopback address.
func (l *loopback) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err != nil {
		return err
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is no port", port)
	}
	if address, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !address.IsLoopback()) {
		return fmt.Errorf("%q is not this machine alone", host)
	}
	*l = loopback(text)
	return nil
}
