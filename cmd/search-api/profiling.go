package main

import (
	"context"
	"net/http"
	"net/http/pprof"
	"time"
)

// profileLimit bounds one profile: the longest that is of use, and a bit.
const profileLimit = 2 * time.Minute

// startProfiling serves profiles where PPROF_ADDR says, never on the service's
// own port: a profile shows what is in memory.
func (s *service) startProfiling(ctx context.Context, c Config) error {
	if c.PprofAddress == "" {
		return nil
	}
	listener, err := listen(ctx, string(c.PprofAddress))
	if err != nil {
		return err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /debug/pprof/", pprof.Index)
	routes.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	routes.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	s.serve("profiles", listener, routes, profileLimit)
	return nil
}
