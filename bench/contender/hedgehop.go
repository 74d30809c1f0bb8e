package contender

import (
	"net/http"
	"time"

	"github.com/hedgehop/hedgehop/bench/origin"
	"github.com/hedgehop/hedgehop/internal/fanout"
)

// options are those that the service gives a sandbox provider where the environment
// says nothing (cmd/search-api: HEDGE_MAX_ATTEMPTS, HEDGE_BUDGET, PROVIDER_TIMEOUT
// and the typical latency of a sandbox).
func options(p origin.Provider, fleet *fanout.Fleet) fanout.Options {
	return fanout.Options{
		Name: "laboratory", Class: fanout.Free, Bases: p.Bases,
		MaxAttempts: 3, Budget: 0.20, Typical: 30 * time.Millisecond, Timeout: 6 * time.Second,
		Primary: p.Pool(), Secondary: p.Pool(), Fleet: fleet,
	}
}

// hedgehop is the product: a transport for each provider and the process's fleet.
func hedgehop(providers []origin.Provider) (*Client, error) {
	c := &Client{}
	fleet := fanout.NewFleet()
	var transports []*fanout.Transport
	for _, p := range providers {
		transport, err := fanout.New(options(p, fleet))
		if err != nil {
			return nil, err
		}
		c.closers = append(c.closers, transport.Close)
		c.Transports = append(c.Transports, http.RoundTripper(transport))
		transports = append(transports, transport)
	}
	c.Delay = func() time.Duration { return transports[0].State().Delay }
	return c, nil
}
