package main

import (
	"context"
	"sync/atomic"

	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/httpapi"
)

// readiness is whether searches can be answered: from the end of the start until
// the stop. What they can do without is watched and reported beside it.
type readiness struct {
	state  atomic.Value
	checks map[string]func(context.Context) httpapi.Check
}

func newReadiness() *readiness {
	r := &readiness{checks: map[string]func(context.Context) httpapi.Check{}}
	r.set(httpapi.StateStarting)
	return r
}

func (r *readiness) set(state httpapi.State) { r.state.Store(state) }

// stopping reports that the service has said it stops.
func (r *readiness) stopping() bool { return r.state.Load() == httpapi.StateStopping }

// watch adds a check, before the server serves.
func (r *readiness) watch(name string, check func(context.Context) httpapi.Check) {
	r.checks[name] = check
}

// report is what /health/ready answers.
func (r *readiness) report(ctx context.Context) httpapi.Readiness {
	state, _ := r.state.Load().(httpapi.State)
	report := httpapi.Readiness{State: state, Checks: make(map[string]httpapi.Check, len(r.checks))}
	for name, check := range r.checks {
		checked := check(ctx)
		report.Checks[name] = checked
		if !checked.OK && state == httpapi.StateReady {
			report.State = httpapi.StateDegraded
		}
	}
	return report
}

// redisCheck says what a Redis that does not answer means. Why it does not is for
// the logs: anybody may read the probe, and the reason has addresses in it.
func redisCheck(err error) httpapi.Check {
	if err != nil {
		return httpapi.Check{Detail: "does not answer; searches go on without it, events are refused"}
	}
	return httpapi.Check{OK: true}
}

// providerCheck says what a provider whose circuit is open means.
func providerCheck(transports []*fanout.Transport) httpapi.Check {
	for _, t := range transports {
		if t.State().Breaker == "open" {
			return httpapi.Check{Detail: "failed repeatedly and is left alone for a moment; searches go on without it"}
		}
	}
	return httpapi.Check{OK: true}
}
