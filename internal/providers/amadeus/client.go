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

// Name is how this provider is called in answers and in configuration.
const Name = "amadeus"

// VendorURL is the vendor's production host. Its test host,
// https://test.api.amadeus.com, has the same paths and invented fares.
const VendorURL = "https://api.amadeus.com"

const (
	// DefaultClass is the hedging class of a search with a real credential: each
	// one is billed.
	DefaultClass = providers.ClassMetered
	// DefaultRateLimit is what the vendor publishes for its test host, ten calls
	// a second; production allows 40
	// (https://developers.amadeus.com/self-service/apis-docs/guides/developer-guides/api-rate-limits/).
	// The lower one holds for both.
	DefaultRateLimit = "10/s"
	// Typical is how long a search usually takes at the vendor, a first guess
	// until latencies have been seen.
	Typical = 2 * time.Second
)

const (
	tokenPath  = "v1/security/oauth2/token"
	searchPath = "v2/shopping/flight-offers"
)

// Options are all that a Provider needs. Every field is mandatory.
type Options struct {
	// Base is the address that the vendor's paths follow, such as VendorURL.
	Base *url.URL
	// ClientID and ClientSecret are the credential.
	ClientID, ClientSecret string
	// Search is the hedging class of a search. Token calls are never hedged.
	Search providers.Class
	// Clients send the calls.
	Clients providers.Clients
	// Zones places airports in time.
	Zones providers.Zones
}

// Provider searches Amadeus. It is safe for concurrent use; all its searches
// share one access token.
type Provider struct {
	options   Options
	searchURL string
	tokenURL  string
	tokens    *providers.TokenSource
}

// New makes a Provider. Nothing is asked before the first search.
func New(options Options) *Provider {
	p := &Provider{
		options:   options,
		searchURL: options.Base.JoinPath(searchPath).String(),
		tokenURL:  options.Base.JoinPath(tokenPath).String(),
	}
	p.tokens = providers.NewTokenSource(p.fetchToken)
	return p
}

// Name is the constant Name.
func (*Provider) Name() string { return Name }

// Search asks for offers and returns at the latest when ctx ends. A failure is
// a *providers.Error. A token that the vendor refuses is renewed and the search
// sent once more.
func (p *Provider) Search(ctx context.Context, q flight.Query) (providers.Answer, error) {
	body, err := json.Marshal(request(q))
	if err != nil {
		return providers.Answer{}, err
	}
	token, err := p.tokens.Token(ctx)
	if err != nil {
		return providers.Answer{}, err
	}
	answer, err := p.ask(ctx, token, body, len(q.Slices))
	if !tokenRefused(err) {
		return answer, err
	}
	if token, err = p.tokens.Renew(ctx, token); err != nil {
		return providers.Answer{}, err
	}
	return p.ask(ctx, token, body, len(q.Slices))
}

func (p *Provider) ask(ctx context.Context, token string, body []byte, slices int) (providers.Answer, error) {
	// A bytes.Reader gives the request a GetBody, without which it could not be
	// hedged.
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.searchURL, bytes.NewReader(body))
	if err != nil {
		return providers.Answer{}, providers.TransportError(err)
	}
	req.Header.Set("X-HTTP-Method-Override", http.MethodGet)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/vnd.amadeus+json, application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := p.options.Clients.For(p.options.Search).Do(req)
	if err != nil {
		return providers.Answer{}, providers.TransportError(err)
	}
	if resp.StatusCode != http.StatusOK {
		return providers.Answer{}, refusal(resp, append(p.secrets(), token)...)
	}
	answer, err := providers.ReadBody(resp, providers.MaxAnswer)
	if err != nil {
		return providers.Answer{}, err
	}
	return decode(answer, p.options.Zones, slices)
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
