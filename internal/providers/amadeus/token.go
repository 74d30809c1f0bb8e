package amadeus

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/providers"
)

// tokenAnswer is the answer of the token endpoint, whose failures have a form of
// their own (RFC 6749, section 5.2).
type tokenAnswer struct {
	AccessToken      string `json:"access_token"`
	ExpiresIn        text   `json:"expires_in"`
	Error            string `json:"error"`
	ErrorDescription string `json:"error_description"`
}

// fetchToken asks for a token. It goes through the client that never hedges: a
// second request would create a second token.
func (c *Client) fetchToken(ctx context.Context) (providers.Token, error) {
	form := url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {c.options.ClientID},
		"client_secret": {c.options.ClientSecret},
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.tokenURL, strings.NewReader(form.Encode()))
	if err != nil {
		return providers.Token{}, providers.TransportError(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	resp, err := c.options.Clients.Never.Do(req) //nolint:bodyclose // readToken closes it.
	if err != nil {
		return providers.Token{}, providers.TransportError(err)
	}
	return c.readToken(resp)
}

func (c *Client) readToken(resp *http.Response) (providers.Token, error) {
	failure := providers.StatusError(resp)
	body, err := providers.ReadBody(resp, providers.MaxErrorBody)
	var wire tokenAnswer
	if err == nil {
		err = json.Unmarshal(body, &wire)
	}
	switch {
	case resp.StatusCode != http.StatusOK:
		// What cannot be read says no more than the status.
		return providers.Token{}, c.tokenRefusal(failure, wire)
	case err != nil:
		return providers.Token{}, providers.BodyError(resp.StatusCode, err)
	}
	seconds := wire.ExpiresIn.count()
	if wire.AccessToken == "" || seconds == nil {
		return providers.Token{}, providers.BodyError(resp.StatusCode, errors.New("no token in the answer"))
	}
	return providers.Token{Value: wire.AccessToken, Lifetime: time.Duration(*seconds) * time.Second}, nil
}

// tokenRefusal blames the credential for what would be a bad query elsewhere.
func (c *Client) tokenRefusal(failure *providers.Error, wire tokenAnswer) error {
	if failure.Kind == providers.KindRejected {
		failure.Kind = providers.KindUnauthorized
	}
	failure.Code = providers.PlainText(wire.Error, c.secrets()...)
	if sentence := providers.PlainText(wire.ErrorDescription, c.secrets()...); sentence != "" {
		failure.Detail = sentence
	}
	return failure
}

func (c *Client) secrets() []string {
	return []string{c.options.ClientID, c.options.ClientSecret}
}
