package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/httprate"
)

// ClientLimit is how many requests one client may send in a sliding span of
// time, a second or more.
type ClientLimit struct {
	Requests int
	Per      time.Duration
}

// limitClients holds each client to all limits; what an earlier one refuses does
// not count for a later one. What it counts is of this
// instance alone and is forgotten after twice the span. The counts are made once,
// for all routes that the middleware is put before.
func limitClients(limits []ClientLimit, trustedHops int) func(http.Handler) http.Handler {
	refuse := handler(func(http.ResponseWriter, *http.Request) error {
		return &problem{kind: kindTooManyRequests, detail: "This client has sent more requests than it may; Retry-After says when to go on."}
	})
	var limiters []*httprate.RateLimiter
	for _, limit := range limits {
		limiters = append(limiters, httprate.NewRateLimiter(limit.Requests, limit.Per,
			httprate.WithKeyFuncs(func(r *http.Request) (string, error) { return clientOf(r, trustedHops), nil }),
			httprate.WithLimitHandler(refuse.ServeHTTP),
			httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"}),
		))
	}
	return func(next http.Handler) http.Handler {
		for _, limiter := range slices.Backward(limiters) {
			next = limiter.Handler(next)
		}
		return next
	}
}

// clientOf is the address that stands for the client: the entry that the
// outermost trusted proxy has added to X-Forwarded-For, counted from the right,
// since whoever sends a request can write what he likes to the left of it.
// Without trusted proxies it is the peer's. Of an IPv6 address it is the network
// of 64 bits, which one client commonly has to itself.
func clientOf(r *http.Request, trustedHops int) string {
	peer, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		peer = r.RemoteAddr
	}
	if trustedHops == 0 {
		return httprate.CanonicalizeIP(peer)
	}
	var entries []string
	for _, line := range r.Header.Values("X-Forwarded-For") {
		entries = append(entries, strings.Split(line, ",")...)
	}
	if len(entries) == 0 {
		return httprate.CanonicalizeIP(peer)
	}
	// Fewer entries than hops: the request came in behind some of the proxies, and
	// all that it has are trusted ones'.
	entry := strings.TrimSpace(entries[max(0, len(entries)-trustedHops)])
	if address, ok := addressOf(entry); ok {
		return httprate.CanonicalizeIP(address)
	}
	return httprate.CanonicalizeIP(peer)
}

// addressOf reads an address with or without a port.
func addressOf(entry string) (string, bool) {
	if address, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil {
		return address.WithZone("").String(), true
	}
	if both, err := netip.ParseAddrPort(entry); err == nil {
		return both.Addr().WithZone("").String(), true
	}
	return "", false
}
