package amadeus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// What wiring needs to know of a real Amadeus account.
const (
	// DefaultClass: every search is billed.
	DefaultClass = providers.ClassMetered
	// Typical is a search's latency before any was measured: fares are priced
	// while the caller waits.
	Typical = 2 * time.Second
	// DefaultRateLimits is what the vendor publishes for its test host, ten calls
	// a second, 100 ms apart; production allows 40
	// (https://developers.amadeus.com/self-service/apis-docs/guides/developer-guides/api-rate-limits/).
	// The lower one holds for both.
	DefaultRateLimits = "10/s"
	// DefaultBase is the vendor's production host. Its test host,
	// https://test.api.amadeus.com, has the same paths and invented fares.
	DefaultBase = "https://api.amadeus.com"
)

const (
	tokenPath  = "v1/security/oauth2/token"
	searchPath = "v2/shopping/flight-offers"
)

// Options are what a Client is made of; all are required.
type Options struct {
	// Base is the logical address, which Clients may replace by a replica's.
	Base *url.URL
	// ClientID and ClientSecret are the credential; neither is ever shown.
	ClientID, ClientSecret string
	// Search is the hedging class of a search. Token calls are never hedged.
	Search  providers.Class
	Clients providers.Clients
	Zones   providers.Zones
}

// Client searches Amadeus. It is safe for concurrent use; all its searches
// share one access token.
type Client struct {
	options   Options
	searchURL string
	tokenURL  string
	tokens    *providers.TokenSource
}

// New is a Client; nothing is sent before the first search.
func New(options Options) *Client {
	c := &Client{
		options:   options,
		searchURL: options.Base.JoinPath(searchPath).String(),
		tokenURL:  options.Base.JoinPath(tokenPath).String(),
	}
	c.tokens = providers.NewTokenSource(c.fetchToken)
	return c
}

// Name is "amadeus".
func (*Client) Name() string { return "amadeus" }

// Warm fetches the token, so that the first search does not wait for it.
func (c *Client) Warm(ctx context.Context) error {
	_, err := c.tokens.Token(ctx)
	return err
}

// Search asks for offers and returns at the latest when ctx ends. A failure is
// a *providers.Error. A token that the vendor refuses is renewed and the search
// sent once more.
func (c *Client) Search(ctx context.Context, q flight.Query) (providers.Answer, error) {
	body, err := json.Marshal(request(q))
	if err != nil {
		return providers.Answer{}, err
	}
	token, err := c.tokens.Token(ctx)
	if err != nil {
		return providers.Answer{}, err
	}
	answer, err := c.ask(ctx, token, body, len(q.Slices))
	if !tokenRefused(err) {
		return answer, err
	}
	if token, err = c.tokens.Renew(ctx, token); err != nil {
		return providers.Answer{}, err
	}
	return c.ask(ctx, token, body, len(q.Slices))
}

func (c *Client) ask(ctx context.Context, token string, body []byte, slices int) (providers.Answer, error) {
	// A bytes.Reader gives the request a GetBody, without which it could not be
	// hedged.
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.searchURL, bytes.NewReader(body))
	if err != nil {
		return providers.Answer{}, providers.TransportError(err)
	}
	req.Header.Set("X-HTTP-Method-Override", http.MethodGet)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/vnd.amadeus+json, application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := c.options.Clients.For(c.options.Search).Do(req) //nolint:bodyclose // refusal and ReadBody close it.
	if err != nil {
		return providers.Answer{}, providers.TransportError(err)
	}
	secrets := append(c.secrets(), token)
	if resp.StatusCode != http.StatusOK {
		return providers.Answer{}, refusal(resp, secrets...)
	}
	answer, err := providers.ReadBody(resp, providers.MaxAnswer)
	if err != nil {
		return providers.Answer{}, err
	}
	return decode(answer, c.options.Zones, slices, secrets...)
}

// tokenRefused tells a token that is no longer good (401) from a credential that
// may not search at all (403).
func tokenRefused(err error) bool {
	var failure *providers.Error
	if !errors.As(err, &failure) || failure.Kind != providers.KindUnauthorized {
		return false
	}
	switch text(failure.Code) {
	case codeInvalidToken, codeTokenExpired, codeTokenRevoked:
		return true
	default:
		return failure.Status == http.StatusUnauthorized
	}
}
