package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// clients builds one hedged transport per class, for one provider.
func (s *service) clients(name string, c Config, p plan, with shared) (providers.Clients, error) {
	limit := limiter(name, p.rates, p.pollRates, with.remembered)
	var built [3]*http.Client
	var transports []*fanout.Transport
	for i, hedging := range []fanout.Class{fanout.Free, fanout.Metered, fanout.Never} {
		transport, err := fanout.New(transportOptions(name, hedging, c, p, limit, with.fleet))
		if err != nil {
			return providers.Clients{}, fmt.Errorf("the %s client of %s: %w", hedging, name, err)
		}
		s.teardown.add(fmt.Sprintf("the %s client of %s", hedging, name), func(context.Context) error {
			transport.Close()
			return nil
		})
		transports = append(transports, transport)
		s.learners = append(s.learners, learner{blob: p.latencyBlob(name, hedging), transport: transport})
		built[i] = &http.Client{Transport: providers.MemoryTransport{Next: transport}, CheckRedirect: refuseRedirects}
	}
	s.ready.watch(name, func(context.Context) httpapi.Check { return providerCheck(transports) })
	return providers.Clients{Free: built[0], Metered: built[1], Never: built[2]}, nil
}

func transportOptions(name string, hedging fanout.Class, c Config, p plan, limit func(context.Context) error, fleet *fanout.Fleet) fanout.Options {
	o := fanout.Options{
		Name: name, Class: hedging, Bases: p.bases,
		MaxAttempts: c.MaxAttempts, Budget: c.Budget, Delay: c.Delay, Typical: p.typical,
		Timeout: c.ProviderTimeout, Limit: limit, Fleet: fleet,
	}
	if hedging == fanout.Never || c.Budget == 0 {
		o.MaxAttempts = 1
	}
	if o.MaxAttempts == 1 {
		o.Delay = 0 // HEDGE_DELAY is of those who may be hedged.
	}
	return o
}

// refuseRedirects hands the redirect to the adapter as an answer that is none:
// no provider's API redirects, and a credential must not follow one elsewhere.
func refuseRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
