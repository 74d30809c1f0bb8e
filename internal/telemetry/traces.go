package telemetry

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// maxAttributeLength bounds the text of one attribute of a span, in characters:
// enough for an error with its causes.
const maxAttributeLength = 1000

// newTracerProvider sends sampled spans in batches, off every answer's path. While
// the receiver does not keep up, at most 2048 spans wait and further ones are
// dropped.
func newTracerProvider(ctx context.Context, o Options, about *resource.Resource) (*sdktrace.TracerProvider, error) {
	options := []otlptracehttp.Option{otlptracehttp.WithEndpointURL(o.Traces.URL)}
	if len(o.Traces.Headers) > 0 {
		options = append(options, otlptracehttp.WithHeaders(o.Traces.Headers))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("exporting traces: %w", err)
	}
	limits := sdktrace.NewSpanLimits()
	if limits.AttributeValueLengthLimit < 0 {
		limits.AttributeValueLengthLimit = maxAttributeLength
	}
	return sdktrace.NewTracerProvider(
		sdktrace.WithResource(about), sdktrace.WithSampler(o.Sampler.of(o.SampleRatio)),
		sdktrace.WithRawSpanLimits(limits), sdktrace.WithBatcher(exporter),
	), nil
}
