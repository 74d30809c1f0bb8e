package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// flushLimit is how long the last spans and metrics may take to be sent. With the
// stop before it, it stays within the 10 s that Cloud Run leaves after SIGTERM.
const flushLimit = 1400 * time.Millisecond

// Telemetry is traces and metrics as they were started. Safe for concurrent use.
type Telemetry struct {
	scrapes *prometheus.Registry
	known   *instruments
	meters  *sdkmetric.MeterProvider
	tracers trace.TracerProvider
	// flushTraces is nil where none are recorded.
	flushTraces func(context.Context) error
}

// Start makes the providers of traces and metrics as o says and puts them in the
// global places where the rooms look for them, with W3C's traceparent as the way
// from caller to callee. No receiver needs to answer. Options that exporters
// refuse are an error. Shut it down to send what is left.
func Start(ctx context.Context, o Options) (*Telemetry, error) {
	t := &Telemetry{
		scrapes: prometheus.NewRegistry(), known: &instruments{known: map[string]Instrument{}}, tracers: noop.NewTracerProvider(),
	}
	if o.Sampler.of(o.SampleRatio) == nil {
		return nil, fmt.Errorf("telemetry: %q is no sampler", o.Sampler)
	}
	about, err := resourceOf(ctx, o)
	if err != nil {
		return nil, err
	}
	if t.meters, err = newMeterProvider(ctx, o, about, t.scrapes, t.known); err != nil {
		return nil, err
	}
	if o.Traces != nil {
		sdk, err := newTracerProvider(ctx, o, about)
		if err != nil {
			return nil, errors.Join(err, t.meters.Shutdown(ctx))
		}
		t.tracers, t.flushTraces = sdk, sdk.Shutdown
	}
	t.scrapes.MustRegister(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	t.install()
	return t, nil
}

func (t *Telemetry) install() {
	otel.SetErrorHandler(&complaints{now: time.Now})
	otel.SetTextMapPropagator(propagation.TraceContext{})
	otel.SetMeterProvider(t.meters)
	otel.SetTracerProvider(t.tracers)
}

// Handler answers /metrics.
func (t *Telemetry) Handler() http.Handler { return scrapeHandler(t.scrapes) }

// Instruments returns every metric made so far, sorted by name.
func (t *Telemetry) Instruments() []Instrument { return t.known.all() }

// Flush sends the metrics of the moment, within ctx and 1.4 s: before those who
// report them when asked are closed. What cannot be sent is logged.
func (t *Telemetry) Flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, flushLimit)
	defer cancel()
	logLoss(ctx, "metrics", t.meters.ForceFlush(ctx))
}

// Shutdown sends what is left, for at most 1.4 s, whatever time ctx leaves. What
// cannot be sent is lost, and logged: a receiver that is away is no reason for a
// stop to fail.
func (t *Telemetry) Shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushLimit)
	defer cancel()
	var both sync.WaitGroup
	both.Go(func() { logLoss(ctx, "metrics", t.meters.Shutdown(ctx)) })
	if t.flushTraces != nil {
		both.Go(func() { logLoss(ctx, "traces", t.flushTraces(ctx)) })
	}
	both.Wait()
}

func logLoss(ctx context.Context, what string, err error) {
	if err != nil {
		slog.WarnContext(ctx, "the last telemetry could not be sent", "what", what, "error", err)
	}
}
