// Package fanout asks several slow services at once and keeps the tail of their
// latency short.
//
// It has two halves that know nothing of each other's callers:
//
//   - [Gather] runs calls side by side within a time budget. Nobody's failure
//     cancels another's call, and what has arrived in time is the answer.
//   - [Transport] is an [net/http.RoundTripper] that hedges: when a request takes
//     longer than requests of its kind usually do, a second copy is sent, and the
//     first good answer wins (Dean and Barroso, "The Tail at Scale", CACM 2013).
//
// How the hedged transport decides, and where each part stands:
//
//	who may be hedged      class.go      free, metered, never
//	when to send a copy    delay.go      the delay that buys most for the fewest copies
//	what latency is like   survival.go   Kaplan–Meier over histogram.go, cut-off attempts included
//	how many copies        bucket.go     a token bucket fed by first attempts; fleet.go
//	when copies do no good guard.go      the brown-out guard
//	when told to wait      pushback.go   Retry-After
//	where copies go        replica.go    another base address, another connection pool
//	when to stop asking    breaker.go    a circuit breaker that ignores lost hedges
//	who wins               call.go       the race; extra.go who joins it, decision.go its end
//	what is seen           state.go      and telemetry.go, tracing.go
//	what a new one knows   snapshot.go   the latency that another instance has learnt
//
// The package knows no flights and imports nothing of this module.
package fanout
