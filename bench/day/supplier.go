package day

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
	"github.com/hedgehop/hedgehop/bench/origin"
	"github.com/hedgehop/hedgehop/internal/fanout"
)

// Latency is what a provider takes: two to three seconds, and four to eight for one
// answer of ten.
func Latency() law.Law {
	return law.Mixture{
		Fast: law.Uniform{From: 2 * time.Second, To: 3 * time.Second},
		Slow: law.Uniform{From: 4 * time.Second, To: 8 * time.Second}, Share: 0.1,
	}
}

// patience limits a provider call without hedging; the product has its own limits.
const patience = 12 * time.Second

// world is what all containers share.
type world struct {
	step    Step
	fares   *fares
	origins []origin.Provider
	store   *store
}

func newWorld(t Traffic, step Step) *world {
	w := &world{step: step, fares: newFares(t), store: newStore()}
	for n := range suppliers {
		p := origin.Virtual(1)
		p.Replicas[0].Begin(law.Always(Latency()), t.Seed*10+uint64(n))
		w.origins = append(w.origins, p)
	}
	return w
}

// requests counts what reached the providers.
func (w *world) requests() int {
	sum := 0
	for _, p := range w.origins {
		sum += len(p.Replicas[0].Arrivals())
	}
	return sum
}

// supplier is a provider as one container reaches it.
type supplier struct {
	number    int
	fares     *fares
	transport http.RoundTripper
}

// suppliers are a container's; end closes them.
func (w *world) suppliers() (all []supplier, end func()) {
	end = func() {}
	fleet := fanout.NewFleet()
	for n, p := range w.origins {
		s := supplier{number: n, fares: w.fares, transport: &onlyBase{p}}
		if w.step.Hedge {
			transport, err := hedged(n, p, fleet)
			if err != nil { // Options that are right once are right always.
				panic(err)
			}
			closeOthers := end
			end = func() { closeOthers(); transport.Close() }
			s.transport = transport
		}
		all = append(all, s)
	}
	return all, end
}

// hedged is the product's transport with the service's defaults for a supplier that
// costs nothing more per request.
func hedged(n int, p origin.Provider, fleet *fanout.Fleet) (*fanout.Transport, error) {
	return fanout.New(fanout.Options{
		Name: fmt.Sprintf("supplier-%d", n), Class: fanout.Free, Bases: p.Bases, MaxAttempts: 3, Budget: 0.20,
		Typical: 2500 * time.Millisecond, Timeout: 6 * time.Second, Primary: p.Pool(), Secondary: p.Pool(), Fleet: fleet,
	})
}

// onlyBase sends to a provider's one address.
type onlyBase struct{ provider origin.Provider }

// RoundTrip sends the request.
func (o *onlyBase) RoundTrip(r *http.Request) (*http.Response, error) {
	aimed := r.WithContext(r.Context())
	aimed.URL = o.provider.Bases[0]
	return o.provider.Pool().RoundTrip(aimed)
}

// ask returns the price of a question: the one when the call began.
func (s supplier) ask(ctx context.Context, question int) (version int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	version = s.fares.version(s.number, question)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://supplier/offers", http.NoBody)
	if err != nil {
		return 0, err
	}
	response, err := s.transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	return version, response.Body.Close()
}
