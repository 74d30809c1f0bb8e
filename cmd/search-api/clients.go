package main

import (
	"context"
	"fmt"
	"net/http"

	limits "golang.org/x/time/rate"

	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// clients builds one hedged transport per class, for one provider.
func (s *service) clients(name string, c Config, p plan, fleet *fanout.Fleet) (providers.Clients, error) {
	limit := limiter(p.rates)
	var built [3]*http.Client
	for i, hedging := range []fanout.Class{fanout.Free, fanout.Metered, fanout.Never} {
		transport, err := fanout.New(transportOptions(name, hedging, c, p, limit, fleet))
		if err != nil {
			return providers.Clients{}, fmt.Errorf("the %s client of %s: %w", hedging, name, err)
		}
		s.teardown.add(fmt.Sprintf("the %s client of %s", hedging, name), func(context.Context) error {
			transport.Close()
			return nil
		})
		built[i] = &http.Client{Transport: transport, CheckRedirect: refuseRedirects}
	}
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
	return o
}

// refuseRedirects hands the redirect to the adapter as an answer that is none:
// no provider's API redirects, and a credential must not follow one elsewhere.
func refuseRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// burstShare of a limit may be sent at once; the rest is spread, so that no
// window of the limit's span holds more than the limit.
const burstShare = 10

// limiter waits for a place within all limits, or fails at once where the place
// would come after the caller's deadline. Nil where there is no limit.
func limiter(all rates) func(context.Context) error {
	if len(all) == 0 {
		return nil
	}
	waits := make([]*limits.Limiter, len(all))
	for i, l := range all {
		burst := max(1, l.requests/burstShare)
		waits[i] = limits.NewLimiter(limits.Limit(float64(l.requests-burst+1)/l.per.Seconds()), burst)
	}
	return func(ctx context.Context) error {
		for _, w := range waits {
			if err := w.Wait(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}
