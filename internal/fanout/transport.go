package fanout

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

const (
	// maxKinds bounds how many kinds of call are told apart.
	maxKinds = 8

	freePolicy    = 0 // Index of the policy for Free and Unclassified calls.
	meteredPolicy = 1
)

// Transport is a hedging [http.RoundTripper] for one provider. Make it with [New].
// Safe for concurrent use.
type Transport struct {
	options   Options
	replicas  replicas
	policies  [2]*policy
	breaker   breaker
	pushback  pushback
	inFlight  atomic.Int64
	outcomes  [outcomeKinds]atomic.Int64
	connected atomic.Int64

	kinds      sync.Map // Kind to *estimator; bounded by maxKinds.
	addingKind sync.Mutex
	kindCount  int

	tracer    trace.Tracer
	connTrace *httptrace.ClientTrace
	metrics   metric.Registration
}

// New returns a transport, or an error that joins every fault of the options (see
// [Options.Validate]).
func New(o Options) (*Transport, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Primary == nil {
		o.Primary = NewBase()
	}
	if o.Secondary == nil {
		o.Secondary = NewBase()
	}
	t := &Transport{options: o, breaker: newBreaker(o.Name, o.Timeout)}
	t.replicas.bases = o.Bases
	t.policies[freePolicy] = newPolicy(termsOf(Free, &o))
	t.policies[meteredPolicy] = newPolicy(termsOf(Metered, &o))
	t.estimatorOf("")
	t.tracer = otel.Tracer(scope)
	t.connTrace = t.newConnTrace()
	var err error
	t.metrics, err = t.instrument(otel.Meter(scope))
	return t, err
}

// RoundTrip sends the request, hedged if its class and body allow, and returns the
// first good answer. If no attempt has a good one it returns the latest failing
// answer (5xx, 408, 425, 429) for the caller to read; if none has an answer at all,
// an [*AttemptsError].
//
// A call ends after Options.Timeout or with the request's context, the reading of
// the body included. The body must be closed, as always. Attempts other than the
// first are sent with a copy of the header and a body from GetBody.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	now := time.Now()
	t.enter()
	defer t.leave()
	c := t.newCall(req, now)
	if c.policy == nil {
		return c.once()
	}
	overflow := c.policy.feed(t.inFlight.Load(), now)
	t.options.Fleet.collect(overflow, c.policy.terms.share)
	return c.race()
}

func (t *Transport) newCall(req *http.Request, now time.Time) *call {
	c := &call{
		transport: t,
		caller:    req.Context(),
		request:   req,
		marks:     marksOf(req.Context()),
		replica:   t.replicas.first(),
		began:     now,
		deadline:  now.Add(t.options.Timeout),
	}
	c.estimator = t.estimatorOf(c.marks.kind)
	class := max(t.options.Class, c.marks.class)
	if !class.repeatable(req) {
		return c
	}
	index := freePolicy
	if class == Metered {
		index = meteredPolicy
	}
	if p := t.policies[index]; p.terms.attempts > 1 {
		c.policy, c.allowed, c.plan = p, p.terms.attempts, c.estimator.plan(index)
	}
	return c
}

func (t *Transport) enter() {
	t.inFlight.Add(1)
	t.options.Fleet.enter()
}

func (t *Transport) leave() {
	t.inFlight.Add(-1)
	t.options.Fleet.leave()
}

// estimatorOf returns the estimator of a kind, that of the unnamed kind where
// there are too many.
func (t *Transport) estimatorOf(kind string) *estimator {
	if e, ok := t.kinds.Load(kind); ok {
		return e.(*estimator)
	}
	t.addingKind.Lock()
	defer t.addingKind.Unlock()
	if e, ok := t.kinds.Load(kind); ok {
		return e.(*estimator)
	}
	if t.kindCount == maxKinds {
		return t.estimatorOf("")
	}
	now := time.Now()
	terms := []terms{t.policies[freePolicy].terms, t.policies[meteredPolicy].terms}
	e := newEstimator(&t.options, terms, prior(t.options.Typical, now), now)
	t.kinds.Store(kind, e)
	t.kindCount++
	return e
}

// pool returns the round tripper for an attempt.
func (t *Transport) pool(number int) http.RoundTripper {
	if number == 1 {
		return t.options.Primary
	}
	return t.options.Secondary
}

// permit asks the rate limit.
func (t *Transport) permit(ctx context.Context) error {
	if t.options.Limit == nil {
		return nil
	}
	err := t.options.Limit(ctx)
	if err == nil || errors.Is(err, ErrRateLimited) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrRateLimited, err)
}

// CloseIdleConnections closes the idle connections of both pools.
func (t *Transport) CloseIdleConnections() {
	closeIdle(t.options.Primary)
	closeIdle(t.options.Secondary)
}

// Close ends the transport's metrics and closes its idle connections. Calls that
// run go on.
func (t *Transport) Close() {
	t.CloseIdleConnections()
	// Only a foreign implementation can fail to forget a callback, and then its
	// metrics go stale; nothing here depends on them.
	_ = t.metrics.Unregister()
}
