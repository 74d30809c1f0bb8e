package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/otlptranslator"
	"go.opentelemetry.io/contrib/instrumentation/runtime"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
)

const (
	// maxSeries bounds the combinations of attributes of one metric. Every
	// attribute is of a small set, so nothing comes near it; what would exceed it
	// is counted together.
	maxSeries = 1000
	// maxScrapes bounds the readers of /metrics at a time.
	maxScrapes = 4
	// defaultInterval is OpenTelemetry's own.
	defaultInterval = time.Minute
)

// naming is how names reach Prometheus: cache.lookups as cache_lookups_total.
func naming() otlptranslator.TranslationStrategyOption {
	return otlptranslator.UnderscoreEscapingWithSuffixes
}

// newMeterProvider collects for /metrics always, and for a receiver where there is
// one.
func newMeterProvider(ctx context.Context, o Options, about *resource.Resource, scrapes prometheus.Registerer, known *instruments) (*sdkmetric.MeterProvider, error) {
	scraped, err := otelprometheus.New(otelprometheus.WithRegisterer(scrapes),
		otelprometheus.WithTranslationStrategy(naming()), otelprometheus.WithoutScopeInfo())
	if err != nil {
		return nil, fmt.Errorf("answering /metrics: %w", err)
	}
	options := []sdkmetric.Option{
		sdkmetric.WithResource(about), sdkmetric.WithCardinalityLimit(maxSeries),
		sdkmetric.WithView(known.note), sdkmetric.WithReader(scraped),
	}
	if o.Metrics != nil {
		sent, err := newSender(ctx, o)
		if err != nil {
			return nil, err
		}
		options = append(options, sdkmetric.WithReader(sent))
	}
	provider := sdkmetric.NewMeterProvider(options...)
	if err := runtime.Start(runtime.WithMeterProvider(provider)); err != nil {
		return nil, errors.Join(fmt.Errorf("metrics of the Go runtime: %w", err), provider.Shutdown(ctx))
	}
	return provider, nil
}

func newSender(ctx context.Context, o Options) (sdkmetric.Reader, error) {
	options := []otlpmetrichttp.Option{otlpmetrichttp.WithEndpointURL(o.Metrics.URL)}
	if len(o.Metrics.Headers) > 0 {
		options = append(options, otlpmetrichttp.WithHeaders(o.Metrics.Headers))
	}
	exporter, err := otlpmetrichttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("exporting metrics: %w", err)
	}
	interval := o.Interval
	if interval == 0 {
		interval = defaultInterval
	}
	return sdkmetric.NewPeriodicReader(exporter, sdkmetric.WithInterval(interval)), nil
}

// scrapeHandler answers /metrics in the format that the scraper asks for;
// OpenMetrics has exemplars, which lead from a bucket to a trace in it. The edge
// compresses.
func scrapeHandler(registry *prometheus.Registry) http.Handler {
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		EnableOpenMetrics: true, DisableCompression: true, MaxRequestsInFlight: maxScrapes,
	})
}
