package googletoken

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// ErrRefused is in every error that is the token's own fault. Any other error of
// Verify means that the token could not be judged.
var ErrRefused = errors.New("the token is refused")

// leeway is how far the clocks of Google and of this machine may differ.
const leeway = 30 * time.Second

// issuers are the two forms in which Google names itself
// (https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken).
func isIssuer(name string) bool {
	return name == "https://accounts.google.com" || name == "accounts.google.com"
}

// Options say which tokens count. Audience and Email are mandatory.
type Options struct {
	// Audience is who the token must be for.
	Audience string
	// Email is the service account that it must be signed for.
	Email string
	// KeysURL is where the keys are published; empty: Google's own address.
	KeysURL string
	// Client fetches the keys; nil: one of its own, which follows no redirect.
	Client *http.Client
}

// Verifier judges tokens. It is safe for concurrent use.
type Verifier struct {
	parser *jwt.Parser
	email  string
	keys   *keys
}

// New makes a Verifier; keys are fetched when the first token comes.
func New(o Options) (*Verifier, error) {
	if o.Audience == "" || o.Email == "" {
		return nil, errors.New("googletoken: Audience and Email are mandatory; without both, anyone with a Google account could sign")
	}
	return &Verifier{
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodRS256.Alg()}),
			jwt.WithAudience(o.Audience),
			jwt.WithExpirationRequired(),
			jwt.WithIssuedAt(),
			jwt.WithLeeway(leeway),
		),
		email: o.Email,
		keys:  newKeys(o.KeysURL, o.Client),
	}, nil
}

// claims are those that are judged here; the library judges the times and the
// audience.
type claims struct {
	jwt.RegisteredClaims
	Email         string `json:"email"`
	EmailVerified bool   `json:"email_verified"`
}

// Validate is called by the library once the signature holds.
func (c claims) Validate() error {
	switch {
	case !isIssuer(c.Issuer):
		return errors.New("the issuer is not Google")
	case !c.EmailVerified:
		return errors.New("the account is not verified")
	}
	return nil
}

// maxToken is the longest token that is looked at, in bytes; Google's have about
// a thousand.
const maxToken = 8 << 10

// Verify accepts a token, or says why not. Its text names neither the token nor
// the account. ErrRefused tells a bad token from keys that could not be fetched.
func (v *Verifier) Verify(ctx context.Context, token string) error {
	if len(token) > maxToken {
		return fmt.Errorf("%w: it has more than %d bytes", ErrRefused, maxToken)
	}
	var found claims
	var unknown *unavailableError
	_, err := v.parser.ParseWithClaims(token, &found, func(t *jwt.Token) (any, error) {
		id, _ := t.Header["kid"].(string)
		return v.keys.find(ctx, id)
	})
	switch {
	case errors.As(err, &unknown):
		return unknown
	case err != nil:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	case found.Email != v.email:
		return fmt.Errorf("%w: it is of another account", ErrRefused)
	}
	return nil
}
