package telemetry

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Options say who is observed and where that goes. The zero value exports
// nothing; /metrics is answered all the same.
type Options struct {
	// Service names the process. Empty: what Attributes say, else Platform's, else
	// "search-api".
	Service string
	// Version is that of the program; empty: unknown.
	Version string
	// Platform is where it runs; the zero value: not on Cloud Run.
	Platform Platform
	// Attributes say more about the process; Service and Version win.
	Attributes Pairs
	// Traces and Metrics are where to send them; nil: nowhere.
	Traces, Metrics *Receiver
	// Sampler chooses the traces that are recorded, by SampleRatio where it says so.
	Sampler     Sampler
	SampleRatio float64
	// Interval is how often metrics are sent; 0: every minute.
	Interval time.Duration
}

// Platform is what Cloud Run says of the process:
// https://cloud.google.com/run/docs/container-contract#services-env-vars.
type Platform struct {
	Service, Revision string
	// Project is the Google Cloud project, which Cloud Run does not tell.
	Project string
}

// Receiver takes OTLP over HTTP, protobuf encoded.
type Receiver struct {
	// URL is the whole address, /v1/traces and the like included.
	URL string
	// Headers are sent with each request; they may hold a credential.
	Headers Pairs
}

// Endpoint is the address of an OTLP receiver.
type Endpoint string

// UnmarshalText accepts an http or https address without credentials, query or
// fragment: a credential belongs into a header.
func (e *Endpoint) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil {
		return fmt.Errorf("no address: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q is no address of a receiver", text)
	}
	*e = Endpoint(text)
	return nil
}

// Pairs are names with values.
type Pairs map[string]string

// UnmarshalText reads name=value, comma-separated, values percent-encoded, as
// OpenTelemetry's variables have them:
// https://opentelemetry.io/docs/specs/otel/resource/sdk/#specifying-resource-information-via-an-environment-variable.
// Its errors show no values.
func (p *Pairs) UnmarshalText(text []byte) error {
	pairs := Pairs{}
	for part := range strings.SplitSeq(string(text), ",") {
		name, value, found := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || name == "" || err != nil {
			return fmt.Errorf("%d pairs in, no name=value follows", len(pairs))
		}
		pairs[name] = decoded
	}
	*p = pairs
	return nil
}

// Sampler says which traces are recorded, by OpenTelemetry's names; empty is
// "parentbased_always_on".
type Sampler string

// The samplers. Those that are based on the parent do as the caller's traceparent
// says, where there is one.
const (
	SampleAll            Sampler = "always_on"
	SampleNone           Sampler = "always_off"
	SampleShare          Sampler = "traceidratio"
	SampleAsParentOrAll  Sampler = "parentbased_always_on"
	SampleAsParentOrNone Sampler = "parentbased_always_off"
	SampleAsParentOrPart Sampler = "parentbased_traceidratio"
)

// UnmarshalText accepts the names of samplers.
func (s *Sampler) UnmarshalText(text []byte) error {
	if sampler := Sampler(text); sampler.of(1) != nil {
		*s = sampler
		return nil
	}
	return fmt.Errorf("%q is no sampler", text)
}

// of is nil for a name that is none.
func (s Sampler) of(share float64) sdktrace.Sampler {
	switch s {
	case SampleAll:
		return sdktrace.AlwaysSample()
	case SampleNone:
		return sdktrace.NeverSample()
	case SampleShare:
		return sdktrace.TraceIDRatioBased(share)
	case "", SampleAsParentOrAll:
		return sdktrace.ParentBased(sdktrace.AlwaysSample())
	case SampleAsParentOrNone:
		return sdktrace.ParentBased(sdktrace.NeverSample())
	case SampleAsParentOrPart:
		return sdktrace.ParentBased(sdktrace.TraceIDRatioBased(share))
	default:
		return nil
	}
}
