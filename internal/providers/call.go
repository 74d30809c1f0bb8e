package providers

import "context"

// Call is what a request asks for, where a vendor limits its calls apart.
type Call string

// The calls that vendors limit apart.
const (
	// CallSearch begins a search; it is what a request asks for unless it says
	// otherwise.
	CallSearch Call = "search"
	// CallPoll reads on in a search that has begun.
	CallPoll Call = "poll"
	// CallRefresh begins a search that nobody waits for; it leaves a share of every
	// limit to those that somebody does.
	CallRefresh Call = "refresh"
)

type callKey struct{}

// WithCall says what the requests under the context ask for.
func WithCall(ctx context.Context, call Call) context.Context {
	return context.WithValue(ctx, callKey{}, call)
}

// CallOf is what the requests under the context ask for.
func CallOf(ctx context.Context) Call {
	if call, ok := ctx.Value(callKey{}).(Call); ok {
		return call
	}
	return CallSearch
}
