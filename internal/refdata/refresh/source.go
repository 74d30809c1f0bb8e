package refresh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// Bounds of one fetch; refdata.ParseECB bounds what is read.
const (
	fetchLimit   = 10 * time.Second
	headerLimit  = 5 * time.Second
	headerBytes  = 16 << 10
	maxRedirects = 3
)

// errElsewhere keeps a fetch at the address that was configured.
var errElsewhere = errors.New("redirected to another host or scheme, or too often")

// source is where exchange rates are published.
type source struct {
	url  *url.URL
	http *http.Client
}

func newSource(address *url.URL, transport http.RoundTripper) *source {
	if transport == nil {
		transport = &http.Transport{
			Proxy: http.ProxyFromEnvironment,
			// A connection that is used once a day is not kept.
			DisableKeepAlives:     true,
			TLSHandshakeTimeout:   headerLimit,
			ResponseHeaderTimeout: headerLimit, MaxResponseHeaderBytes: headerBytes,
		}
	}
	return &source{url: address, http: &http.Client{Transport: transport, Timeout: fetchLimit, CheckRedirect: stayThere}}
}

// stayThere follows redirects within the host that was configured.
func stayThere(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if next.URL.Scheme != first.Scheme || next.URL.Host != first.Host || len(via) > maxRedirects {
		return errElsewhere
	}
	return nil
}

func (s *source) fetch(ctx context.Context) (refdata.Rates, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url.String(), nil)
	if err != nil {
		return refdata.Rates{}, fmt.Errorf("asking for exchange rates: %w", err)
	}
	req.Header.Set("Accept", "application/xml, text/xml")
	req.Header.Set("User-Agent", "hedgehop")
	resp, err := s.http.Do(req)
	if err != nil {
		return refdata.Rates{}, fmt.Errorf("asking for exchange rates: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // What matters has been read.
	if resp.StatusCode != http.StatusOK {
		return refdata.Rates{}, fmt.Errorf("asking for exchange rates: %s answers %s", s.url.Redacted(), resp.Status)
	}
	return refdata.ParseECB(resp.Body)
}
