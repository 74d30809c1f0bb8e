package fanout

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// scope names this package to OpenTelemetry.
const scope = "github.com/hedgehop/hedgehop/internal/fanout"

// gauges are the metrics of a transport. All are read from [Transport.State] when
// they are collected, so that a request pays for none. Attributes are the provider
// and the class, and where it says so the outcome (eight), the reason (five) or the
// kind of call (at most eight).
type gauges struct {
	attempts    metric.Int64ObservableCounter // By outcome.
	sent        metric.Int64ObservableCounter
	won         metric.Int64ObservableCounter
	denied      metric.Int64ObservableCounter // By reason.
	failovers   metric.Int64ObservableCounter
	connections metric.Int64ObservableCounter
	inFlight    metric.Int64ObservableGauge
	breaker     metric.Int64ObservableGauge
	brownOut    metric.Int64ObservableGauge
	budget      metric.Float64ObservableGauge
	winRate     metric.Float64ObservableGauge
	delay       metric.Float64ObservableGauge // By kind.
	survival    metric.Float64ObservableGauge // By kind.
}

// breakerStates are the values of the breaker's gauge.
func breakerStates() map[string]int64 {
	return map[string]int64{"closed": 0, "half-open": 1, "open": 2}
}

// instrument registers the transport's metrics until the registration is undone.
func (t *Transport) instrument(meter metric.Meter) (metric.Registration, error) {
	g, instruments, err := newGauges(meter)
	if err != nil {
		return nil, fmt.Errorf("%s: metrics: %w", t.options.Name, err)
	}
	registration, err := meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		t.report(o, g)
		return nil
	}, instruments...)
	if err != nil {
		return nil, fmt.Errorf("%s: metrics: %w", t.options.Name, err)
	}
	return registration, nil
}

func newGauges(meter metric.Meter) (*gauges, []metric.Observable, error) {
	m := maker{meter: meter}
	g := &gauges{
		attempts:    m.counter("fanout.attempts", "Attempts by outcome.", "{attempt}"),
		sent:        m.counter("fanout.hedges.sent", "Hedges sent.", "{hedge}"),
		won:         m.counter("fanout.hedges.won", "Hedges that gave the answer.", "{hedge}"),
		denied:      m.counter("fanout.hedges.denied", "Hedges and failovers not sent, by reason.", "{hedge}"),
		failovers:   m.counter("fanout.failovers", "Attempts sent because another one failed.", "{attempt}"),
		connections: m.counter("fanout.connections.opened", "Connections opened by attempts.", "{connection}"),
		inFlight:    m.gauge("fanout.calls.in_flight", "Calls that wait for an answer.", "{call}"),
		breaker:     m.gauge("fanout.breaker.state", "Circuit breaker: 0 closed, 1 half-open, 2 open.", "1"),
		brownOut:    m.gauge("fanout.hedges.brown_out", "1 while hedges do not help and the budget is cut.", "1"),
		budget:      m.level("fanout.hedges.budget", "Hedges that may be sent now.", "{hedge}"),
		winRate:     m.level("fanout.hedges.win_rate", "Share of the last 32 hedges that won.", "1"),
		delay:       m.level("fanout.hedges.delay", "Age at which a call is hedged; 0: not.", "s"),
		survival:    m.level("fanout.hedges.survival", "Share of attempts that are out for longer than the delay.", "1"),
	}
	return g, m.made, errors.Join(m.faults...)
}

// maker makes instruments and remembers them and their faults.
type maker struct {
	meter  metric.Meter
	made   []metric.Observable
	faults []error
}

func (m *maker) counter(name, about, unit string) metric.Int64ObservableCounter {
	c, err := m.meter.Int64ObservableCounter(name, metric.WithDescription(about), metric.WithUnit(unit))
	m.note(c, err)
	return c
}

func (m *maker) gauge(name, about, unit string) metric.Int64ObservableGauge {
	g, err := m.meter.Int64ObservableGauge(name, metric.WithDescription(about), metric.WithUnit(unit))
	m.note(g, err)
	return g
}

func (m *maker) level(name, about, unit string) metric.Float64ObservableGauge {
	g, err := m.meter.Float64ObservableGauge(name, metric.WithDescription(about), metric.WithUnit(unit))
	m.note(g, err)
	return g
}

func (m *maker) note(instrument metric.Observable, err error) {
	if err != nil {
		m.faults = append(m.faults, err)
		return
	}
	m.made = append(m.made, instrument)
}

// report observes every metric once.
func (t *Transport) report(o metric.Observer, g *gauges) {
	s := t.State()
	own := []attribute.KeyValue{
		attribute.String("provider", s.Name),
		attribute.String("class", t.options.Class.String()),
	}
	plain := metric.WithAttributes(own...)
	o.ObserveInt64(g.sent, s.Sent, plain)
	o.ObserveInt64(g.won, s.Won, plain)
	o.ObserveInt64(g.failovers, s.Failovers, plain)
	o.ObserveInt64(g.connections, s.Connections, plain)
	o.ObserveInt64(g.inFlight, s.InFlight, plain)
	o.ObserveInt64(g.breaker, breakerStates()[s.Breaker], plain)
	o.ObserveInt64(g.brownOut, flag(s.BrownOut), plain)
	o.ObserveFloat64(g.budget, s.Budget, plain)
	o.ObserveFloat64(g.winRate, s.WinRate, plain)
	for outcome, n := range s.Attempts {
		o.ObserveInt64(g.attempts, n, plain, metric.WithAttributes(attribute.String("outcome", outcome)))
	}
	for reason, n := range s.Denied {
		o.ObserveInt64(g.denied, n, plain, metric.WithAttributes(attribute.String("reason", reason)))
	}
	t.reportKinds(o, g, plain)
}

func (t *Transport) reportKinds(o metric.Observer, g *gauges, plain metric.ObserveOption) {
	t.kinds.Range(func(kind, _ any) bool {
		s := t.StateOf(kind.(string))
		of := metric.WithAttributes(attribute.String("kind", kind.(string)))
		o.ObserveFloat64(g.delay, s.Delay.Seconds(), plain, of)
		o.ObserveFloat64(g.survival, s.Survival, plain, of)
		return true
	})
}

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}
