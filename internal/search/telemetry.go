package search

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/hedgehop/hedgehop/internal/cache"
)

// scopeName names this package to OpenTelemetry.
const scopeName = "github.com/hedgehop/hedgehop/internal/search"

// reason says why a provider is asked.
type reason string

const (
	reasonMiss    reason = "miss"    // Nothing that it said is remembered.
	reasonStale   reason = "stale"   // What it said is no longer fresh.
	reasonRefresh reason = "refresh" // What it said is asked for often and ends soon.
)

func reasonOf(state cache.State) reason {
	if state == cache.Stale {
		return reasonStale
	}
	return reasonMiss
}

// telemetry is what operators see of searches: spans and metrics. No attribute
// holds a place, a date or anything else that a traveller asked for.
type telemetry struct {
	tracer   trace.Tracer
	searches metric.Float64Histogram
	calls    metric.Float64Histogram
	answers  metric.Int64Counter
	ages     metric.Float64Histogram
	rechecks metric.Int64Counter
	admits   metric.Int64Counter
	labels   labelSets
}

// newTelemetry makes the instruments. Bounds of the histograms follow the
// objectives in docs/operations.md: hits take single milliseconds, providers up to
// PROVIDER_TIMEOUT, and fares live for minutes.
func newTelemetry(meter metric.Meter, tracer trace.Tracer) (*telemetry, error) {
	if meter == nil {
		meter = otel.Meter(scopeName)
	}
	if tracer == nil {
		tracer = otel.Tracer(scopeName)
	}
	t := &telemetry{tracer: tracer}
	var faults [6]error
	t.searches, faults[0] = meter.Float64Histogram("hedgehop.search.duration", metric.WithUnit("s"),
		metric.WithDescription("Searches, by whether every provider's fares are in the answer and whether the cache had them."),
		metric.WithExplicitBucketBoundaries(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2, 3, 5, 8))
	t.calls, faults[1] = meter.Float64Histogram("hedgehop.provider.duration", metric.WithUnit("s"),
		metric.WithDescription("Calls of providers, all attempts and the reading together, by status and why they were asked."),
		metric.WithExplicitBucketBoundaries(.025, .05, .1, .25, .5, .75, 1, 1.5, 2, 3, 4, 6))
	t.answers, faults[2] = meter.Int64Counter("hedgehop.provider.answers", metric.WithUnit("{answer}"),
		metric.WithDescription("Each provider's part in each search, by status and where its fares came from."))
	t.ages, faults[3] = meter.Float64Histogram("hedgehop.fare.age", metric.WithUnit("s"),
		metric.WithDescription("Age of a provider's fares when they are served."),
		metric.WithExplicitBucketBoundaries(1, 5, 15, 30, 60, 120, 180, 300, 420, 600, 900))
	t.rechecks, faults[4] = meter.Int64Counter("hedgehop.fares.rechecked", metric.WithUnit("{fare}"),
		metric.WithDescription("Cached fares that were asked for again, by whether their price was still the same."))
	t.admits, faults[5] = meter.Int64Counter("hedgehop.search.admissions", metric.WithUnit("{search}"),
		metric.WithDescription("Searches that had to ask providers, by whether they found a place to do so."))
	return t, errors.Join(faults[:]...)
}

// admitted counts how a search came by its place.
func (t *telemetry) admitted(ctx context.Context, how admitted) {
	t.admits.Add(ctx, 1, t.labels.of(labels{outcome: string(how)}).add...)
}

// called counts one call of a provider.
func (t *telemetry) called(ctx context.Context, provider string, why reason, took time.Duration, err error) {
	status, _ := statusOf(err)
	t.calls.Record(ctx, took.Seconds(), t.labels.of(labels{provider: provider, status: string(status), reason: string(why)}).record...)
}

// searched counts a search and describes its span, which is ctx's. One that was
// refused as invalid asked nobody and counts with its route alone.
func (t *telemetry) searched(ctx context.Context, result *Result, err error, took time.Duration) {
	outcome, providers := outcomeOf(result, err)
	use := cacheUseOf(providers)
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		noteSearch(span, result, err, outcome, use)
	}
	if outcome == "invalid" {
		return
	}
	t.searches.Record(ctx, took.Seconds(), t.labels.of(labels{outcome: outcome, cache: use}).record...)
	for _, p := range providers {
		t.answered(ctx, p)
	}
}

func (t *telemetry) answered(ctx context.Context, p Outcome) {
	t.answers.Add(ctx, 1, t.labels.of(labels{provider: p.Name, status: string(p.Status), cache: string(p.Cache)}).add...)
	if p.Status == StatusOK || p.Cache == CacheStale {
		t.ages.Record(ctx, p.Age.Seconds(), t.labels.of(labels{provider: p.Name, cache: string(p.Cache)}).record...)
	}
}

// outcomeOf is the one word for a search, and what its providers did.
func outcomeOf(result *Result, err error) (string, []Outcome) {
	none, nobody := errors.AsType[*NoAnswerError](err)
	_, wrong := errors.AsType[*InvalidError](err)
	switch {
	case nobody:
		return "none", none.Providers
	case wrong || errors.Is(err, ErrCursor):
		return "invalid", nil
	case errors.Is(err, context.Canceled):
		return "left", nil
	case errors.Is(err, ErrFull):
		return "full", nil
	case err != nil:
		return "failed", nil
	case result.Complete:
		return "complete", result.Providers
	default:
		return "partial", result.Providers
	}
}

// cacheUseOf tells the searches that waited for nobody from those that did.
func cacheUseOf(providers []Outcome) string {
	hits := 0
	for _, p := range providers {
		if p.Cache == CacheHit {
			hits++
		}
	}
	switch hits {
	case 0:
		return "miss"
	case len(providers):
		return "hit"
	default:
		return "mixed"
	}
}

// noteSearch tells the span of a search what came of it.
func noteSearch(span trace.Span, result *Result, err error, outcome, use string) {
	span.SetAttributes(attribute.String("hedgehop.outcome", outcome))
	if outcome != "invalid" {
		span.SetAttributes(attribute.String("hedgehop.cache", use))
	}
	if result != nil {
		span.SetAttributes(attribute.String("hedgehop.search_id", result.SearchID))
	}
	if err != nil && outcome != "invalid" && outcome != "left" {
		span.SetStatus(codes.Error, err.Error())
	}
}

// noteLookup tells the span of a lookup what was found.
func noteLookup(span trace.Span, found []fares) {
	if !span.IsRecording() {
		return
	}
	for _, f := range found {
		span.SetAttributes(attribute.String("hedgehop.cache."+f.Question().Kind, f.State.String()))
	}
}

// asking begins the span of every source's part in a search. Attempts are below
// it; a hit's takes no time.
func (t *telemetry) asking(ctx context.Context, all []heard, began time.Time) {
	whole := trace.SpanFromContext(ctx)
	for i := range all {
		if all[i].span = whole; !whole.IsRecording() {
			continue
		}
		name := all[i].source.Provider.Name()
		_, all[i].span = t.tracer.Start(ctx, "provider "+name, trace.WithTimestamp(began), //nolint:spancheck // asked ends it.
			trace.WithAttributes(attribute.String("hedgehop.provider", name)))
	}
}

// asked ends those spans, each when its provider had answered.
func asked(all []heard, began time.Time) {
	for _, h := range all {
		if !h.span.IsRecording() {
			continue
		}
		status, text := statusOf(h.err)
		h.span.SetAttributes(
			attribute.String("hedgehop.status", string(status)), attribute.String("hedgehop.cache", string(h.use)),
			attribute.Int("hedgehop.offers", h.offers), attribute.Int("hedgehop.attempts", h.attempts),
		)
		if status != StatusOK && status != StatusUnsupported {
			h.span.SetStatus(codes.Error, text)
		}
		h.span.End(trace.WithTimestamp(began.Add(h.latency)))
	}
}

// noteMerge tells the span of a merge what came of it.
func noteMerge(span trace.Span, result *Result) {
	if span.IsRecording() && result != nil {
		span.SetAttributes(
			attribute.Bool("hedgehop.remembered", result.Body.Encoded != nil),
			attribute.Int("hedgehop.itineraries", result.Summary.Itineraries), attribute.Int("hedgehop.offers", result.Summary.Offers),
		)
	}
}
