package httpapi

import (
	"net/http"

	"github.com/hedgehop/hedgehop/api"
)

// State says whether searches can be answered.
type State string

// The states of the contract; the first two answer searches.
const (
	StateReady    State = "ready"
	StateDegraded State = "degraded" // Something that searches can do without is down.
	StateStarting State = "starting"
	StateStopping State = "stopping"
)

// Readiness is a State and what it was concluded from.
type Readiness struct {
	State State
	// Checks has one Check for each thing that the service works with, by name.
	Checks map[string]Check
}

// Check is how one thing that the service works with is.
type Check struct {
	OK bool
	// Detail is for people; empty where there is nothing to say.
	Detail string
}

func live(w http.ResponseWriter, _ *http.Request) error {
	return serveJSON(w, http.StatusOK, cacheNever, api.Liveness{Status: api.LivenessStatusLive})
}

func (s *server) ready(w http.ResponseWriter, r *http.Request) error {
	readiness := s.options.Ready(r.Context())
	status := http.StatusServiceUnavailable
	if readiness.State == StateReady || readiness.State == StateDegraded {
		status = http.StatusOK
	}
	shown := api.Readiness{Status: api.ReadinessStatus(readiness.State), Checks: make(map[string]api.Check, len(readiness.Checks))}
	for name, check := range readiness.Checks {
		shown.Checks[name] = api.Check{Ok: check.OK, Detail: known(check.Detail)}
	}
	return serveJSON(w, status, cacheNever, shown)
}
