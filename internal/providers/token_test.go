package providers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// issuer hands out numbered tokens of half an hour after a second each.
type issuer struct {
	calls atomic.Int32
	fail  atomic.Bool
}

func (i *issuer) fetch(ctx context.Context) (Token, error) {
	n := i.calls.Add(1)
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return Token{}, TransportError(ctx.Err())
	}
	if i.fail.Load() {
		return Token{}, &Error{Kind: KindUnauthorized, Status: 401}
	}
	return Token{Value: fmt.Sprintf("token-%d", n), Lifetime: 30 * time.Minute}, nil
}

func mustToken(t *testing.T, s *TokenSource) string {
	t.Helper()
	value, err := s.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Twenty searches at once with a token that the provider calls expired ask for
// one new token together (nventive/UnoApplicationTemplate#86).
func TestTokenOneCallForTwentySearches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var i issuer
		source := NewTokenSource(i.fetch)
		old := mustToken(t, source)
		var searches sync.WaitGroup
		for n := range 20 {
			searches.Go(func() {
				// Half of them are refused only after the renewal has ended.
				time.Sleep(time.Duration(n) * 100 * time.Millisecond)
				value, err := source.Renew(t.Context(), old)
				if err != nil || value != "token-2" {
					t.Errorf("search %d got %q, %v", n, value, err)
				}
			})
		}
		searches.Wait()
		if got := i.calls.Load(); got != 2 {
			t.Errorf("%d token calls, want the first and one renewal", got)
		}
	})
}

func TestTokenExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var i issuer
		source := NewTokenSource(i.fetch)
		mustToken(t, source)
		time.Sleep(time.Hour)
		var searches sync.WaitGroup
		for range 20 {
			searches.Go(func() {
				if value, err := source.Token(t.Context()); err != nil || value != "token-2" {
					t.Errorf("got %q, %v", value, err)
				}
			})
		}
		searches.Wait()
		if got := i.calls.Load(); got != 2 {
			t.Errorf("%d token calls, want 2", got)
		}
	})
}

func TestTokenIsRenewedBesideItsUseInTheLastMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var i issuer
		source := NewTokenSource(i.fetch)
		mustToken(t, source)
		time.Sleep(29*time.Minute - 2*time.Second)
		if mustToken(t, source); i.calls.Load() != 1 {
			t.Error("renewed more than a minute before the expiry")
		}
		time.Sleep(2 * time.Second)
		asked := time.Now()
		if got := mustToken(t, source); got != "token-1" || time.Since(asked) != 0 {
			t.Errorf("got %q after %v, want the old one at once", got, time.Since(asked))
		}
		time.Sleep(2 * time.Second)
		if got := mustToken(t, source); got != "token-2" || i.calls.Load() != 2 {
			t.Errorf("got %q after %d calls", got, i.calls.Load())
		}
	})
}

func TestTokenOutlivesTheCallerWhoStartedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var i issuer
		source := NewTokenSource(i.fetch)
		impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		started := time.Now()
		_, err := source.Token(impatient)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(started) != 100*time.Millisecond {
			t.Errorf("left with %v after %v", err, time.Since(started))
		}
		if got := mustToken(t, source); got != "token-1" {
			t.Errorf("the second caller got %q", got)
		}
	})
}

func TestTokenCallHasALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := NewTokenSource(func(ctx context.Context) (Token, error) {
			<-ctx.Done()
			return Token{}, TransportError(ctx.Err())
		})
		_, err := source.Token(t.Context())
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != KindTimeout {
			t.Errorf("got %v, want a timeout", err)
		}
	})
}

func TestTokenFailureIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var i issuer
		i.fail.Store(true)
		source := NewTokenSource(i.fetch)
		var failure *Error
		if _, err := source.Token(t.Context()); !errors.As(err, &failure) || failure.Kind != KindUnauthorized {
			t.Errorf("got %v, want the refusal", err)
		}
		i.fail.Store(false)
		if got := mustToken(t, source); got != "token-2" {
			t.Errorf("got %q", got)
		}
	})
}

func TestTokenOfShortLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		source := NewTokenSource(func(context.Context) (Token, error) {
			calls.Add(1)
			return Token{Value: "brief", Lifetime: 10 * time.Second}, nil
		})
		mustToken(t, source)
		time.Sleep(4 * time.Second)
		mustToken(t, source)
		synctest.Wait()
		if calls.Load() != 1 {
			t.Error("a token of less than a minute is fetched for every search")
		}
	})
}
