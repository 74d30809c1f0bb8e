package fanout

import (
	"context"
	"net/http/httptrace"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// startSpan begins the attempt's span, below the caller's. Without a recording
// span there is none: an attempt alone is no trace, and most calls then save the
// cost.
func (t *Transport) startSpan(ctx context.Context, number int, hedge bool) (context.Context, trace.Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, nil
	}
	return t.tracer.Start(ctx, "fanout.attempt", //nolint:spancheck // endSpan ends it.
		trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("fanout.provider", t.options.Name),
			attribute.Int("fanout.attempt", number),
			attribute.Bool("fanout.hedge", hedge),
		))
}

// endSpan notes what became of the attempt. Its span covers what the estimate
// learns from: the time until the answer's headers.
func (a *attempt) endSpan() {
	if a.span == nil {
		return
	}
	a.span.SetAttributes(attribute.String("fanout.outcome", a.outcome.String()))
	switch a.outcome {
	case answered, lost, abandoned:
	default:
		a.span.SetStatus(codes.Error, a.cause().Error())
	}
	a.span.End()
}

// traceConnections counts the connections that attempts open: a hedge that is cut
// off costs its HTTP/1 connection (golang/go#50984).
func (t *Transport) traceConnections(ctx context.Context) context.Context {
	if httptrace.ContextClientTrace(ctx) == nil {
		return httptrace.WithClientTrace(ctx, t.connTrace)
	}
	own := *t.connTrace // WithClientTrace writes the outer trace's hooks into it.
	return httptrace.WithClientTrace(ctx, &own)
}

func (t *Transport) newConnTrace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if !info.Reused {
			t.connected.Add(1)
		}
	}}
}
