package amadeus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// vendor is a server that issues numbered tokens and accepts the newest.
type vendor struct {
	mu       sync.Mutex
	tokens   int
	expired  bool // The newest token is refused until another one is issued.
	searches int
	answer   func(w http.ResponseWriter)
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w.Header().Set("Content-Type", "application/vnd.amadeus+json")
	if strings.HasSuffix(r.URL.Path, tokenPath) {
		v.tokens++
		v.expired = false
		fmt.Fprintf(w, `{"type": "amadeusOAuth2Token", "token_type": "Bearer", "access_token": "token-%d", "expires_in": 1799}`, v.tokens)
		return
	}
	v.searches++
	if v.expired || r.Header.Get("Authorization") != fmt.Sprintf("Bearer token-%d", v.tokens) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"errors": [{"code": 38192, "title": "Access token expired", "detail": "The access token is expired", "status": 401}]}`)
		return
	}
	v.answer(w)
}

func offers(w http.ResponseWriter) { fmt.Fprint(w, oneOffer) }

// newClient asks the vendor below a path, as the sandbox is mounted.
func newClient(t *testing.T, handler http.Handler) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL + "/amadeus")
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{
		Base: base, ClientID: "the-client", ClientSecret: "the-secret", Search: providers.ClassMetered,
		Clients: providers.Clients{Metered: server.Client(), Never: server.Client()}, Zones: zones,
	})
}

func TestTravelers(t *testing.T) {
	got := travelers(flight.Passengers{Adults: 2, ChildAges: []int{2, 11, 12, 17}, Infants: 2})
	want := []traveler{
		{ID: "1", TravelerType: "ADULT"},
		{ID: "2", TravelerType: "ADULT"},
		{ID: "3", TravelerType: "CHILD"},
		{ID: "4", TravelerType: "CHILD"},
		{ID: "5", TravelerType: "ADULT"},
		{ID: "6", TravelerType: "ADULT"},
		{ID: "7", TravelerType: "HELD_INFANT", AssociatedAdultID: "1"},
		{ID: "8", TravelerType: "HELD_INFANT", AssociatedAdultID: "2"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("travelers (-want +got):\n%s", diff)
	}
}

// A transport can only hedge what it can send again.
func TestSearchCanBeHedged(t *testing.T) {
	var replayable bool
	client := newClient(t, &vendor{answer: offers})
	wire := client.options.Clients.Metered.Transport
	client.options.Clients.Metered = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		replayable = r.GetBody != nil
		return wire.RoundTrip(r)
	})}
	if _, err := client.Search(t.Context(), oneWay()); err != nil || !replayable {
		t.Errorf("error %v, replayable %t", err, replayable)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// nventive/UnoApplicationTemplate#86: twenty searches find their shared token
// expired.
func TestSearchesRenewOneTokenTogether(t *testing.T) {
	const searches = 20
	v := &vendor{answer: offers}
	client := newClient(t, v)
	if _, err := client.Search(t.Context(), oneWay()); err != nil {
		t.Fatal(err)
	}
	v.mu.Lock()
	v.expired, v.searches = true, 0
	v.mu.Unlock()

	var wg sync.WaitGroup
	errs := make([]error, searches)
	for i := range searches {
		wg.Go(func() { _, errs[i] = client.Search(t.Context(), oneWay()) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if v.tokens != 2 || v.searches > 2*searches {
		t.Errorf("%d token calls and %d searches, want 2 and at most %d", v.tokens, v.searches, 2*searches)
	}
}

func TestSearchBelievesTheSecondRefusal(t *testing.T) {
	v := &vendor{answer: func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"errors": [{"code": 38190, "title": "Invalid access token", "status": 401}]}`)
	}}
	client := newClient(t, v)
	_, err := client.Search(t.Context(), oneWay())
	var failure *providers.Error
	if !errors.As(err, &failure) || failure.Kind != providers.KindUnauthorized || v.searches != 2 || v.tokens != 2 {
		t.Errorf("error %v after %d searches and %d tokens, want unauthorized after 2 and 2", err, v.searches, v.tokens)
	}
}

func TestSearchDoesNotRenewWhenForbidden(t *testing.T) {
	v := &vendor{answer: func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"errors": [{"code": 38197, "title": "Forbidden", "status": 403}]}`)
	}}
	client := newClient(t, v)
	if _, err := client.Search(t.Context(), oneWay()); err == nil || v.searches != 1 {
		t.Errorf("error %v after %d searches, want one refusal", err, v.searches)
	}
}

func TestSearchWithoutToken(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		body   string
		kind   providers.Kind
	}{
		{"unknown client", 401, `{"error": "invalid_client", "error_description": "Client credentials are invalid", "code": 38187, "title": "Invalid parameters"}`, providers.KindUnauthorized},
		{"unsupported grant", 400, `{"error": "unsupported_grant_type", "error_description": "the-secret", "code": 38187}`, providers.KindUnauthorized},
		{"rate limit", 429, `{"errors": [{"code": 38194, "status": 429}]}`, providers.KindRateLimited},
		{"gateway page", 502, `<html>the-secret</html>`, providers.KindFailed},
		{"no token in it", 200, `{"expires_in": 1799}`, providers.KindMalformed},
		{"no lifetime in it", 200, `{"access_token": "x"}`, providers.KindMalformed},
		{"not JSON", 200, `the-secret`, providers.KindMalformed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			client := newClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, tokenPath) {
					t.Errorf("%s was asked without a token", r.URL.Path)
				}
				w.WriteHeader(tc.status)
				fmt.Fprint(w, tc.body)
			}))
			_, err := client.Search(t.Context(), oneWay())
			var failure *providers.Error
			if !errors.As(err, &failure) || failure.Kind != tc.kind {
				t.Fatalf("error %v, want kind %s", err, tc.kind)
			}
			if strings.Contains(err.Error(), "the-secret") {
				t.Errorf("%q quotes the credential", err)
			}
		})
	}
}

func TestTokenCallNeverHedged(t *testing.T) {
	client := newClient(t, &vendor{answer: offers})
	wire := client.options.Clients.Metered
	client.options.Clients.Metered = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, tokenPath) {
			t.Error("the token call went through the client that hedges")
		}
		return wire.Transport.RoundTrip(r)
	})}
	if _, err := client.Search(t.Context(), oneWay()); err != nil {
		t.Fatal(err)
	}
}

func TestSearchFoundNothing(t *testing.T) {
	client := newClient(t, &vendor{answer: func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"errors": [{"status": 404, "code": 1797, "title": "NOT FOUND", "detail": "No response found for this query"}]}`)
	}})
	answer, err := client.Search(t.Context(), oneWay())
	if err != nil || len(answer.Offers) != 0 {
		t.Errorf("%d offers and error %v, want none of either", len(answer.Offers), err)
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	v := &vendor{}
	client := newClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, tokenPath) {
			v.ServeHTTP(w, r)
			return
		}
		cancel()
		// The server sees that the caller left only once the body is read.
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	if _, err := client.Search(ctx, oneWay()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
