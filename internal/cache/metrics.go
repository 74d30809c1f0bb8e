package cache

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// instruments are the counts of one cache. Kinds are the caller's few sources,
// outcomes are constants, so that no count can grow without bound.
type instruments struct {
	lookups, calls, fills, invalidations, leases, oddities metric.Int64Counter

	duration metric.Float64Histogram
	gauges   metric.Registration
}

func newInstruments(meter metric.Meter, c *Cache) (*instruments, error) {
	if meter == nil {
		meter = otel.Meter("github.com/hedgehop/hedgehop/internal/cache")
	}
	var i instruments
	counters := []struct {
		into        *metric.Int64Counter
		name, about string
	}{
		{&i.lookups, "cache.lookups", "questions looked up, by kind and what was found"},
		{&i.calls, "cache.calls", "shared fetches, by kind and outcome"},
		{&i.fills, "cache.fills", "entries to be written, by kind and outcome"},
		{&i.invalidations, "cache.invalidations", "invalidations, by whether they hold"},
		{&i.leases, "cache.leases", "leases among instances, by kind and outcome"},
		{&i.oddities, "cache.odd_entries", "stored bytes that could not be used, by kind and reason"},
	}
	var faults []error
	for _, counter := range counters {
		var err error
		*counter.into, err = meter.Int64Counter(counter.name, metric.WithDescription(counter.about))
		faults = append(faults, err)
	}
	var err error
	i.duration, err = meter.Float64Histogram("cache.lookup.duration", metric.WithUnit("s"),
		metric.WithDescription("what lookups took, round trips and decoding included"),
		metric.WithExplicitBucketBoundaries(.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1))
	faults = append(faults, err, i.observe(meter, c))
	return &i, errors.Join(faults...)
}

// observe registers what is read when somebody collects.
func (i *instruments) observe(meter metric.Meter, c *Cache) error {
	held, err := meter.Int64ObservableGauge("cache.local.size", metric.WithUnit("By"),
		metric.WithDescription("decoded copies and views held in this process"))
	if err != nil {
		return err
	}
	open, err := meter.Int64ObservableGauge("cache.breaker.open",
		metric.WithDescription("breakers that keep lookups off Redis now"))
	if err != nil {
		return err
	}
	i.gauges, err = meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		o.ObserveInt64(held, c.local.bytes())
		if s, ok := c.store.(*redisStore); ok {
			o.ObserveInt64(open, s.openBreakers())
		}
		return nil
	}, held, open)
	return err
}

func (i *instruments) close() error { return i.gauges.Unregister() }

func outcome(kind, value string) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(attribute.String("kind", kind), attribute.String("outcome", value)))
}

func (i *instruments) lookup(ctx context.Context, kind string, s State) {
	i.lookups.Add(ctx, 1, outcome(kind, s.String()))
}

func (i *instruments) lookupTook(ctx context.Context, d time.Duration) {
	i.duration.Record(ctx, d.Seconds())
}

func (i *instruments) call(ctx context.Context, kind, value string) {
	i.calls.Add(ctx, 1, outcome(kind, value))
}

func (i *instruments) fill(ctx context.Context, kind, value string) {
	i.fills.Add(ctx, 1, outcome(kind, value))
}

func (i *instruments) lease(ctx context.Context, kind, value string) {
	i.leases.Add(ctx, 1, outcome(kind, value))
}

func (i *instruments) invalidation(ctx context.Context, value string) {
	i.invalidations.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", value)))
}

func (i *instruments) odd(ctx context.Context, kind string, reason error) {
	i.oddities.Add(ctx, 1, outcome(kind, reason.Error()))
}

// report logs a fault of this process's own making that no caller waits for.
func (c *Cache) report(ctx context.Context, err error) {
	slog.WarnContext(ctx, "an answer was not remembered", "error", err)
}
