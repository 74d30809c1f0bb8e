package httpapi

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hedgehop/hedgehop/internal/googletoken"
)

// TokenVerifier judges tokens that Google signed. It must be safe for concurrent
// use.
type TokenVerifier interface {
	// Verify accepts a token. An error with googletoken.ErrRefused is the token's
	// fault; any other means that it could not be judged.
	Verify(ctx context.Context, token string) error
}

// gate lets in those who may tell of changes.
type gate struct {
	token  *digest // Of the token that counts; nil: none does.
	google TokenVerifier
}

func newGate(events Events) gate {
	g := gate{google: events.Google}
	if events.Token != "" {
		g.token = new(digestOf(events.Token))
	}
	return g
}

// digest stands in for a secret where it is compared: all have one length, and
// where two begin to differ says nothing of where their secrets do.
type digest [sha256.Size]byte

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }

// equal takes the same time whatever the outcome.
func (d *digest) equal(other digest) bool { return subtle.ConstantTimeCompare(d[:], other[:]) == 1 }

// admit judges the bearer token of a request (RFC 6750).
func (g gate) admit(r *http.Request) error {
	if g.token == nil && g.google == nil {
		return &problem{kind: kindEventsClosed, detail: "Start the service with EVENTS_TOKEN, or with EVENTS_OIDC_AUDIENCE and EVENTS_OIDC_EMAIL."}
	}
	token, sent := bearer(r.Header)
	if !sent {
		return noToken("The request has no token; send Authorization: Bearer and the token of this address.", `Bearer realm="events"`)
	}
	if g.token != nil && g.token.equal(digestOf(token)) {
		return nil
	}
	err := googletoken.ErrRefused
	if g.google != nil {
		err = g.google.Verify(r.Context(), token)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, googletoken.ErrRefused):
		refused := noToken("The token does not count here; send the token of this address.", `Bearer realm="events", error="invalid_token"`)
		return fmt.Errorf("%w: %w", refused, err)
	default:
		return notHeld(err, "The token could not be judged; send the event again.")
	}
}

// bearer is the token of a request that has exactly one.
func bearer(h http.Header) (token string, sent bool) {
	given := h.Values("Authorization")
	if len(given) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

func noToken(detail, challenge string) error {
	return &problem{kind: kindUnauthorized, detail: detail, header: http.Header{"Www-Authenticate": {challenge}}}
}
