package duffel

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// What wiring needs to know of a real Duffel account.
const (
	// DefaultClass: a search costs nothing by itself, but counts for the rate
	// limit and for the 1500 searches that one order pays for.
	DefaultClass = providers.ClassMetered
	// Typical is a search's latency before any was measured: Duffel waits for
	// the airlines, most of which take two to three seconds.
	Typical = 2500 * time.Millisecond
	// DefaultRateLimits is empty, for Duffel publishes no number: it differs by
	// account and comes with each answer. What exceeds it ends as
	// providers.KindRateLimited with the wait that Duffel names.
	DefaultRateLimits = ""
	// DefaultBase is the address of the vendor itself.
	DefaultBase = "https://api.duffel.com"
)

const (
	apiVersion = "v2"
	// maxPages bounds one search where Duffel answers in pages.
	maxPages = 50
)

// Options are what a Client is made of; all are required.
type Options struct {
	// Base is the logical address, which Clients may replace by a replica's.
	Base *url.URL
	// Token is sent as a bearer token and never shown.
	Token string
	// Search is the hedging class of searches.
	Search  providers.Class
	Clients providers.Clients
	// Zones wins over the zones that Duffel names in its answers.
	Zones providers.Zones
}

// Client searches Duffel. It is safe for concurrent use.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client
	zones providers.Zones
	// limit is how many bytes of one answer are read.
	limit int64
}

// New is a Client; nothing is sent before the first search.
func New(o Options) *Client {
	return &Client{
		base: o.Base, token: o.Token, http: o.Clients.For(o.Search), zones: o.Zones, limit: providers.MaxAnswer,
	}
}

// Name is "duffel".
func (*Client) Name() string { return "duffel" }

// Search asks for offers of q and follows all pages of the answer. A failure is
// a *providers.Error; ctx's own error stays visible to errors.Is. Where a later
// page fails, the offers of the earlier ones are the answer, with Cut set.
func (c *Client) Search(ctx context.Context, q flight.Query) (providers.Answer, error) {
	body, err := searchBody(q)
	if err != nil {
		return providers.Answer{}, err
	}
	d := newDecoder(c.zones)
	first, err := c.ask(ctx, d, http.MethodPost, searchAddress(ctx, c.base), body)
	if err != nil {
		return providers.Answer{}, err
	}
	if err := c.follow(ctx, d, first); err != nil {
		return providers.Answer{}, err
	}
	return d.answer, nil
}

// follow lists what the first answer left out: the offers of later pages, or all
// of them where it had only the name of the request.
func (c *Client) follow(ctx context.Context, d *decoder, first page) error {
	last := first
	for range maxPages {
		if last.listed && last.after == "" {
			return nil
		}
		next, err := c.ask(ctx, d, http.MethodGet, listAddress(c.base, first.requestID, last.after), nil)
		if err != nil && !last.listed {
			return err
		}
		if err != nil || !next.listed || next.after != "" && next.after == last.after {
			d.cut("a later page of the list could not be read")
			return nil //nolint:nilerr // The offers so far are an answer, and say that they are not all.
		}
		last = next
	}
	d.cut("the list has more pages than are read")
	return nil
}

// ask sends one call and adds the offers of its answer to d.
func (c *Client) ask(ctx context.Context, d *decoder, method, address string, body []byte) (page, error) {
	// A bytes.Reader gives the request GetBody, without which it is not hedged.
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return page{}, providers.TransportError(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Duffel-Version", apiVersion)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return page{}, providers.TransportError(err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return page{}, failureOf(resp, c.token)
	}
	defer resp.Body.Close()
	return c.readPage(d, resp.StatusCode, resp.Body)
}

func (c *Client) readPage(d *decoder, status int, body io.Reader) (page, error) {
	p, err := d.read(providers.LimitBody(body, c.limit))
	if err != nil {
		return page{}, providers.BodyError(status, err)
	}
	if len(p.failures) > 0 {
		failure := &providers.Error{Kind: providers.KindFailed, Status: status, Detail: "an error inside a good answer"}
		explain(failure, p.failures, c.token)
		return page{}, failure
	}
	return p, nil
}
