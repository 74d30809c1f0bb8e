package main

import (
	"context"
	"sync/atomic"

	"github.com/hedgehop/hedgehop/internal/httpapi"
)

// readiness is whether searches can be answered: from the end of the start until
// the stop.
type readiness struct{ state atomic.Value }

func newReadiness() *readiness {
	r := new(readiness)
	r.set(httpapi.StateStarting)
	return r
}

func (r *readiness) set(state httpapi.State) { r.state.Store(state) }

// report is what /health/ready answers.
func (r *readiness) report(context.Context) httpapi.Readiness {
	state, _ := r.state.Load().(httpapi.State)
	return httpapi.Readiness{State: state}
}
