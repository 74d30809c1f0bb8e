package skyscanner

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// What wiring needs to know of a real Skyscanner key.
const (
	// DefaultClass: a second creation would open a second session, and a poll may
	// not be hedged at all, since no session may have two readers.
	DefaultClass = providers.ClassNever
	// Typical is the latency of one call, not of a search, before any was
	// measured: each answers at once with what is there.
	Typical = 500 * time.Millisecond
	// DefaultRateLimits is the vendor's limit for creations, PollRateLimits the one
	// for polls (providers.CallPoll), both per key.
	DefaultRateLimits = "100/m"
	PollRateLimits    = "500/m"
	// DefaultBase is the address of the vendor itself.
	DefaultBase = "https://partners.api.skyscanner.net/apiservices/v3"
)

// maxSearch ends a search whose caller sets no limit: the vendor wants its own
// partners to answer within 30 seconds.
const maxSearch = 30 * time.Second

const (
	createPath = "/flights/live/search/create"
	pollPath   = "/flights/live/search/poll/"
)

// Options are what a Client is made of; all but Poll are required.
type Options struct {
	// Base is the logical address, which Clients may replace by a replica's.
	Base *url.URL
	// APIKey is sent as x-api-key and never shown.
	APIKey string
	// Search is the hedging class of the call that creates a session.
	Search providers.Class
	// Poll is that of the calls that read it. Empty: free where Search is, as in a
	// sandbox, and else never, for no session of the vendor may have two readers.
	Poll    providers.Class
	Clients providers.Clients
	Zones   providers.Zones
}

// Client searches Skyscanner. It is safe for concurrent use.
type Client struct {
	options   Options
	createURL string
}

// New is a Client; nothing is sent before the first search.
func New(o Options) *Client {
	switch {
	case o.Poll != "":
	case o.Search == providers.ClassFree:
		o.Poll = providers.ClassFree
	default:
		o.Poll = providers.ClassNever
	}
	return &Client{options: o, createURL: o.Base.JoinPath(createPath).String()}
}

// Name is "skyscanner".
func (*Client) Name() string { return "skyscanner" }

// Search asks for offers until the vendor's list is complete. Where it is not
// shortly before ctx's deadline, or the vendor fails on the way, the offers that
// have come are the answer, with Cut set. A search without any of them is a
// failure: a *providers.Error, in which ctx's own error stays visible to
// errors.Is.
func (c *Client) Search(ctx context.Context, q flight.Query) (providers.Answer, error) {
	if err := unsupported(q); err != nil {
		return providers.Answer{}, err
	}
	body, err := createBody(q)
	if err != nil {
		return providers.Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxSearch)
	defer cancel()
	s := session{client: c, body: body}
	ended := s.run(ctx)
	if ended != nil && (s.results == nil || errors.Is(ctx.Err(), context.Canceled)) {
		return providers.Answer{}, ended
	}
	answer, err := decode(s.results, c.options.Zones, len(q.Slices))
	if err != nil || ended == nil {
		return answer, err
	}
	return partial(answer, ended)
}

// partial is an answer to a search that ended before its time.
func partial(answer providers.Answer, ended error) (providers.Answer, error) {
	if len(answer.Offers) == 0 {
		return providers.Answer{}, ended
	}
	answer.Cut = true
	answer.Warnings = append(answer.Warnings, "the list is not complete: "+ended.Error())
	return answer, nil
}

func (c *Client) pollURL(token string) string {
	return c.options.Base.JoinPath(pollPath).String() + url.PathEscape(token)
}

// ask sends one call and gives its body, whole and bounded.
func (c *Client) ask(ctx context.Context, class providers.Class, address string, body []byte) ([]byte, error) {
	// A bytes.Reader gives the request GetBody, without which it is not hedged.
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, content)
	if err != nil {
		return nil, providers.TransportError(err)
	}
	req.Header.Set("X-Api-Key", c.options.APIKey)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.options.Clients.For(class).Do(req) //nolint:bodyclose // failureOf and ReadBody close it.
	if err != nil {
		return nil, providers.TransportError(err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, failureOf(resp, c.options.APIKey)
	}
	return providers.ReadBody(resp, providers.MaxAnswer)
}
