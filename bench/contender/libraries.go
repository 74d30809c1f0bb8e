package contender

import (
	"net/http"
	"time"

	"github.com/cristalhq/hedgedhttp"
	"github.com/failsafe-go/failsafe-go/budget"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"
)

// hedgedhttpAt is cristalhq/hedgedhttp. It shares goroutines and timers between
// all clients of a process, which virtual time does not allow.
func hedgedhttpAt(delay time.Duration) func(http.RoundTripper) (http.RoundTripper, error) {
	return func(next http.RoundTripper) (http.RoundTripper, error) {
		return hedgedhttp.NewRoundTripper(delay, attempts, next)
	}
}

// failsafeFixed is failsafe-go with a constant delay and its default budget: a
// fifth of what is in flight, at least three.
func failsafeFixed(next http.RoundTripper) (http.RoundTripper, error) {
	policy := hedgepolicy.NewBuilderWithDelay[*http.Response](byTheBook).
		WithMaxHedges(attempts - 1).WithBudget(budget.New()).Build()
	return failsafehttp.NewRoundTripper(next, policy), nil
}

// failsafeAdaptive is failsafe-go's delay that follows a quantile: the 90th of about
// the last 200 calls, from the 20th call on.
func failsafeAdaptive(next http.RoundTripper) (http.RoundTripper, error) {
	policy := hedgepolicy.NewBuilderWithDelayQuantile[*http.Response](0.9, 200, 20).
		WithMaxHedges(attempts - 1).WithBudget(budget.New()).Build()
	return failsafehttp.NewRoundTripper(next, policy), nil
}
