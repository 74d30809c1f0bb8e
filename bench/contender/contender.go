// Package contender has the ways to hedge that the laboratory compares: none, the
// textbook, two libraries, a constant that an oracle chose, and the product's own
// engine with the options that the service gives it.
package contender

import (
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/hedgehop/hedgehop/bench/origin"
)

const (
	// byTheBook is the delay of those who look at no latency: a hedge at 80 ms, as
	// the examples of the libraries have it, and three attempts in all.
	byTheBook = 80 * time.Millisecond
	attempts  = 3
)

// Contender is one way to hedge.
type Contender struct {
	Name string
	// Virtual says that it can run in virtual time.
	Virtual bool
	// open makes a client for each provider of a search.
	open func([]origin.Provider) (*Client, error)
}

// Client is a contender at work. Transports has one for each provider.
type Client struct {
	Transports []http.RoundTripper
	// Delay returns the delay in use now at the first provider; nil where the
	// contender does not tell.
	Delay func() time.Duration

	closers []func()
}

// Open makes a client with fresh pools that knows nothing yet.
func (c Contender) Open(providers []origin.Provider) (*Client, error) { return c.open(providers) }

// Close ends the client and its idle connections.
func (c *Client) Close() {
	for _, end := range c.closers {
		end()
	}
}

// All returns every contender, the product last. oracle is the constant that is
// best for the law at hand.
func All(oracle time.Duration) []Contender {
	return []Contender{
		{Name: "no hedging", Virtual: true, open: each(plain)},
		{Name: "textbook 80 ms × 3", Virtual: true, open: each(textbook(byTheBook))},
		{Name: "cristalhq/hedgedhttp 80 ms × 3", open: each(hedgedhttpAt(byTheBook))},
		{Name: "failsafe-go 80 ms × 3, 20% budget", Virtual: true, open: each(failsafeFixed)},
		{Name: "failsafe-go adaptive q90, 20% budget", Virtual: true, open: each(failsafeAdaptive)},
		{Name: "oracle's constant × 3", Virtual: true, open: each(textbook(oracle))},
		{Name: Product, Virtual: true, open: hedgehop},
	}
}

// Product is the name of the product's own engine.
const Product = "hedgehop"

// each opens a contender that keeps its providers apart, as one that knows only
// round trippers does: over one pool, replicas in turn.
func each(wrap func(http.RoundTripper) (http.RoundTripper, error)) func([]origin.Provider) (*Client, error) {
	return func(providers []origin.Provider) (*Client, error) {
		c := &Client{}
		for _, p := range providers {
			pool := p.Pool()
			c.closers = append(c.closers, func() { closeIdle(pool) })
			rt, err := wrap(&inTurn{bases: p.Bases, pool: pool})
			if err != nil {
				return nil, err
			}
			c.Transports = append(c.Transports, rt)
		}
		return c, nil
	}
}

// closeIdle closes a pool's connections, if it is one.
func closeIdle(rt http.RoundTripper) {
	if pool, ok := rt.(interface{ CloseIdleConnections() }); ok {
		pool.CloseIdleConnections()
	}
}

// inTurn sends each request to the next replica: the load balancer of those who
// have none of their own.
type inTurn struct {
	bases []*url.URL
	turn  atomic.Uint64
	pool  http.RoundTripper
}

// RoundTrip sends the request.
func (t *inTurn) RoundTrip(r *http.Request) (*http.Response, error) {
	base := t.bases[t.turn.Add(1)%uint64(len(t.bases))]
	aimed := r.WithContext(r.Context())
	address := *r.URL
	address.Scheme, address.Host = base.Scheme, base.Host
	aimed.URL, aimed.Host = &address, ""
	return t.pool.RoundTrip(aimed)
}

func plain(next http.RoundTripper) (http.RoundTripper, error) { return next, nil }
