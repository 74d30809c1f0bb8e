package refresh

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// outcome is what became of data that was read.
type outcome string

const (
	taken     outcome = "taken"
	same      outcome = "same"      // What is held already.
	older     outcome = "older"     // Than what is held.
	unusable  outcome = "unusable"  // Of another form, corrupt or implausible.
	refused   outcome = "refused"   // Newer, but it contradicts the embedded catalogue.
	withdrawn outcome = "withdrawn" // Left before the last withdrawal.
	absent    outcome = "absent"
	failed    outcome = "failed" // Could not be read.
)

// The sets as they are counted.
const (
	setRates   = "rates"
	setCatalog = "catalog"
)

type instruments struct{ loads metric.Int64Counter }

func newInstruments(meter metric.Meter, r *Refresher) (*instruments, error) {
	if meter == nil {
		meter = otel.Meter("github.com/hedgehop/hedgehop/internal/refdata/refresh")
	}
	loads, err := meter.Int64Counter("hedgehop.refdata.loads", metric.WithUnit("{load}"),
		metric.WithDescription("Reads of reference data, by set, where from, and what became of it."))
	_, errAge := meter.Float64ObservableGauge("hedgehop.refdata.rates.age", metric.WithUnit("s"),
		metric.WithDescription("Time since the day of the exchange rates in use began."),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			o.Observe(r.ratesAge(time.Now()).Seconds())
			return nil
		}))
	return &instruments{loads: loads}, errors.Join(err, errAge)
}

func (i *instruments) load(ctx context.Context, set string, from Origin, got outcome) {
	i.loads.Add(ctx, 1, metric.WithAttributeSet(attribute.NewSet(
		attribute.String("set", set), attribute.String("from", string(from)), attribute.String("outcome", string(got)))))
}
