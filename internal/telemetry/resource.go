package telemetry

import (
	"cmp"
	"context"
	"crypto/rand"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// defaultService is the name of the process where nobody gives it another.
const defaultService = "search-api"

// resourceOf describes the process. Its instance id is new at every start, so
// that the counts of two instances are never taken for one.
func resourceOf(ctx context.Context, o Options) (*resource.Resource, error) {
	var given []attribute.KeyValue
	for name, value := range o.Attributes {
		given = append(given, attribute.String(name, value))
	}
	service := cmp.Or(o.Service, o.Attributes["service.name"], o.Platform.Service, defaultService)
	own := []attribute.KeyValue{semconv.ServiceName(service), semconv.ServiceInstanceID(rand.Text())}
	if o.Version != "" {
		own = append(own, semconv.ServiceVersion(o.Version))
	}
	return resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(platformAttributes(o.Platform)...),
		resource.WithAttributes(given...), resource.WithAttributes(own...))
}

// platformAttributes follow OpenTelemetry's conventions for Cloud Run. The region
// is not among them: it would take a call of the metadata server at start.
func platformAttributes(p Platform) []attribute.KeyValue {
	var known []attribute.KeyValue
	if p.Service != "" {
		known = append(known, semconv.CloudProviderGCP, semconv.CloudPlatformGCPCloudRun, semconv.FaaSName(p.Service))
	}
	if p.Revision != "" {
		known = append(known, semconv.FaaSVersion(p.Revision))
	}
	if p.Project != "" {
		known = append(known, semconv.CloudAccountID(p.Project))
	}
	return known
}
