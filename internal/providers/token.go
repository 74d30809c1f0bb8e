package providers

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// tokenMargin is how long before its expiry a token is replaced.
	tokenMargin = time.Minute
	// tokenTimeout is the limit of one token call, whoever waits for it.
	tokenTimeout = 5 * time.Second
)

// Token is an access token as OAuth 2 issues it (RFC 6749, section 5.1).
type Token struct {
	Value string
	// Lifetime counts from the moment it was asked for.
	Lifetime time.Duration
}

// TokenSource keeps one access token for all searches of a credential. Tokens
// are fetched one at a time, however many wait. It is safe for concurrent use.
type TokenSource struct {
	fetch  func(context.Context) (Token, error)
	flight singleflight.Group

	mu      sync.Mutex
	value   string
	renewal time.Time // From then on a new one is fetched beside its use.
	expiry  time.Time
}

// NewTokenSource fetches tokens with fetch, which must end with its context; an
// *Error is passed on as it is. Nothing is fetched before the first use.
func NewTokenSource(fetch func(context.Context) (Token, error)) *TokenSource {
	return &TokenSource{fetch: fetch}
}

// Token gives the token in hand, or waits for a new one as long as ctx allows.
// In the last minute before its expiry the old one is still given, while a new
// one is fetched.
func (s *TokenSource) Token(ctx context.Context) (string, error) {
	value, fresh := s.current()
	if fresh {
		return value, nil
	}
	arrival := s.refresh(ctx, "")
	if value != "" {
		return value, nil
	}
	return await(ctx, arrival)
}

// Renew is for a token that the provider refused before its time: it gives
// another one, fetched now unless somebody already has done so. An adapter
// renews once per call and then believes the refusal.
func (s *TokenSource) Renew(ctx context.Context, refused string) (string, error) {
	return await(ctx, s.refresh(ctx, refused))
}

// current is the token as long as it has not expired, and whether that is still
// far off.
func (s *TokenSource) current() (value string, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !now.Before(s.expiry) {
		return "", false
	}
	return s.value, now.Before(s.renewal)
}

// refresh joins the token call under way or starts one. The call outlives the
// caller who started it, for others wait for it too; it has its own limit.
func (s *TokenSource) refresh(ctx context.Context, refused string) <-chan singleflight.Result {
	return s.flight.DoChan("", func() (any, error) {
		// Another call may have ended between the caller's look and this one.
		if value, fresh := s.current(); fresh && value != refused {
			return value, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tokenTimeout)
		defer cancel()
		asked := time.Now()
		token, err := s.fetch(ctx)
		if err != nil {
			return "", err
		}
		s.keep(token, asked)
		return token.Value, nil
	})
}

func (s *TokenSource) keep(token Token, asked time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	margin := min(tokenMargin, token.Lifetime/2)
	s.value = token.Value
	s.expiry = asked.Add(token.Lifetime)
	s.renewal = s.expiry.Add(-margin)
}

func await(ctx context.Context, arrival <-chan singleflight.Result) (string, error) {
	select {
	case <-ctx.Done():
		return "", TransportError(ctx.Err())
	case result := <-arrival:
		value, _ := result.Val.(string)
		return value, result.Err
	}
}
