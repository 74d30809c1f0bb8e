package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

// Invalidator withdraws fares. It must be safe for concurrent use.
type Invalidator interface {
	// ScopeFaults lists all that is wrong with a scope.
	ScopeFaults(scope search.Scope) []flight.Fault
	// Invalidate returns nil only once it holds on every instance.
	Invalidate(ctx context.Context, scope search.Scope) error
}

// Events says who may tell of changes and who is told. Without a Token and a
// Google verifier the endpoint is closed.
type Events struct {
	// Token is the bearer token that counts; empty: none does.
	Token string
	// Google judges tokens that Google signed; nil: none counts.
	Google TokenVerifier
	// Fares is mandatory where the endpoint is open.
	Fares Invalidator
	// RefdataChanged reloads "airports", "airlines" or "currencies" on every
	// instance and returns nil once that holds. Nil where reference data cannot
	// change while the service runs: then there is nothing to do.
	RefdataChanged func(ctx context.Context, set string) error
}

// eventRetry is when an event that could not be made to hold is worth another
// attempt: what it needs is down, and mostly soon up again.
const eventRetry = time.Second

// postEvent takes one event. The token comes first: who has none learns nothing,
// and costs nothing.
func (s *server) postEvent(w http.ResponseWriter, r *http.Request) error {
	if err := s.gate.admit(r); err != nil {
		return err
	}
	if err := refuseParameters(r.URL.RawQuery, "is not a parameter of this address; it has none"); err != nil {
		return err
	}
	event, err := readEvent(w, r)
	if err != nil {
		return err
	}
	done, err := s.obey(r.Context(), event)
	if err != nil {
		return err
	}
	return serveJSON(w, http.StatusOK, cacheNever, api.EventAnswer{Invalidated: done})
}

// obey does what the event asks for.
func (s *server) obey(ctx context.Context, event cloudEvent) (api.Invalidated, error) {
	if event.kind == refdataChanged {
		return s.reload(ctx, event)
	}
	return s.withdraw(ctx, event)
}

func (s *server) withdraw(ctx context.Context, event cloudEvent) (api.Invalidated, error) {
	scope, own := readScope(event.data)
	all := own
	if scope.Provider+scope.Origin+scope.Destination != "" { // Else it has been said that they are missing.
		all = append(all, s.options.Events.Fares.ScopeFaults(scope)...)
	}
	if faults := slices.Concat(event.faults, question{faults: own, form: event.form}.locate(all)); len(faults) > 0 {
		return api.Invalidated{}, invalid(faults)
	}
	if err := s.options.Events.Fares.Invalidate(ctx, scope); err != nil {
		return api.Invalidated{}, notHeld(err, "Older fares may still be answered; send the event again.")
	}
	return withdrawn(scope), nil
}

// withdrawn shows a scope; a market is that of all providers.
func withdrawn(scope search.Scope) api.Invalidated {
	if scope.Origin == "" {
		return api.Invalidated{Provider: &scope.Provider}
	}
	return api.Invalidated{Origin: &scope.Origin, Destination: &scope.Destination, DepartureDate: known(scope.Date.String())}
}

func (s *server) reload(ctx context.Context, event cloudEvent) (api.Invalidated, error) {
	set, own := readSet(event.data)
	if faults := slices.Concat(event.faults, question{faults: own, form: event.form}.locate(own)); len(faults) > 0 {
		return api.Invalidated{}, invalid(faults)
	}
	if s.options.Events.RefdataChanged != nil {
		if err := s.options.Events.RefdataChanged(ctx, set); err != nil {
			return api.Invalidated{}, notHeld(err, "Older reference data may still be answered; send the event again.")
		}
	}
	return api.Invalidated{Set: &set}, nil
}

// notHeld is for an event that must be sent again; the cause is for the log.
func notHeld(cause error, detail string) error {
	return fmt.Errorf("%w: %w", &problem{
		kind: kindNotInvalidated, detail: detail, header: http.Header{"Retry-After": {retryAfter(eventRetry)}},
	}, cause)
}
