package duffel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/providers/providertest"
)

func reply(t *testing.T, name string) providertest.Reply {
	t.Helper()
	return providertest.Reply{Body: fixture(t, name)}
}

// prices tells offers apart in a readable way.
func prices(offers []flight.Offer) []string {
	var all []string
	for _, offer := range offers {
		all = append(all, offer.Price.Amount())
	}
	return all
}

// Every page is read, and the offer that two pages have is one offer
// (duffelhq/duffel-api-javascript#699).
func TestSearchFollowsPages(t *testing.T) {
	t.Parallel()
	server := providertest.NewServer(t, providertest.Script(reply(t, "page1.json"), reply(t, "page2.json"), reply(t, "page3.json")))
	answer, err := newClient(server).Search(t.Context(), oneWay())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"412.30", "455.00", "389.99", "501.00", "298.50"}, prices(answer.Offers)); diff != "" || answer.Cut {
		t.Errorf("cut %t, prices (-want +got):\n%s", answer.Cut, diff)
	}
	var asked []string
	for _, r := range server.Requests() {
		asked = append(asked, r.Method+" "+r.Path+"?"+r.Query.Encode())
	}
	want := []string{
		"POST /air/offer_requests?return_offers=true",
		"GET /air/offers?after=cursor-2&limit=200&offer_request_id=orq_0000FiXtUrEsearch",
		"GET /air/offers?after=cursor-3&limit=200&offer_request_id=orq_0000FiXtUrEsearch",
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// An answer that only names the offer request has its offers elsewhere; it is
// not an empty one.
func TestSearchListsOffersLeftOut(t *testing.T) {
	t.Parallel()
	named := providertest.Reply{Status: 201, Body: `{"data": {"id": "orq_7", "slices": []}}`}
	server := providertest.NewServer(t, providertest.Script(named, reply(t, "page3.json")))
	answer, err := newClient(server).Search(t.Context(), oneWay())
	if err != nil || len(answer.Offers) != 2 {
		t.Errorf("%d offers, %v; want 2", len(answer.Offers), err)
	}

	server = providertest.NewServer(t, providertest.Script(named, providertest.Reply{Status: 500}))
	var failure *providers.Error
	if _, err := newClient(server).Search(t.Context(), oneWay()); !errors.As(err, &failure) {
		t.Errorf("got %v where not one page could be read", err)
	}
}

func TestSearchKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"data": [], "meta": {"after": "%sx"}}`, r.URL.Query().Get("after"))
	})
	tests := map[string]struct {
		second http.Handler
		calls  int
	}{
		"a page fails":           {providertest.Reply{Status: 500}, 2},
		"a page is cut off":      {providertest.Truncate(reply(t, "page2.json")), 2},
		"a cursor leads nowhere": {providertest.Reply{Body: `{"data": [], "meta": {"after": "cursor-2"}}`}, 2},
		"a page is no list":      {providertest.Reply{Body: `{"data": {"id": "orq_7"}}`}, 2},
		"pages without end":      {endless, 1 + maxPages},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := providertest.NewServer(t, providertest.Script(reply(t, "page1.json"), tt.second))
			answer, err := newClient(server).Search(t.Context(), oneWay())
			if err != nil || len(answer.Offers) < 2 || !answer.Cut || len(answer.Warnings) != 1 {
				t.Errorf("%d offers, cut %t, warnings %q, error %v", len(answer.Offers), answer.Cut, answer.Warnings, err)
			}
			if got := len(server.Requests()); got != tt.calls {
				t.Errorf("%d calls, want %d", got, tt.calls)
			}
		})
	}
}

// The whole answer is bounded, though each of its offers is small.
func TestSearchBoundsTheAnswer(t *testing.T) {
	t.Parallel()
	client := newClient(providertest.NewServer(t, reply(t, "oneway.json")))
	client.limit = int64(len(fixture(t, "oneway.json")))
	if _, err := client.Search(t.Context(), oneWay()); err != nil {
		t.Errorf("an answer of exactly the limit: %v", err)
	}
	client.limit--
	var failure *providers.Error
	if _, err := client.Search(t.Context(), oneWay()); !errors.As(err, &failure) || failure.Kind != providers.KindMalformed {
		t.Errorf("got %v for an answer beyond the limit", err)
	}
}

// Duffel is told to answer before its caller leaves, in the range that it
// accepts.
func TestSearchLeavesTimeToAnswer(t *testing.T) {
	t.Parallel()
	for within, want := range map[time.Duration]string{
		0:                       "",
		500 * time.Millisecond:  "2000",
		6 * time.Second:         "5000",
		2500 * time.Millisecond: "2000",
		5 * time.Minute:         "60000",
	} {
		t.Run(within.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := providertest.NewServer(t, reply(t, "empty.json"))
				ctx := t.Context()
				if within > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, within)
					defer cancel()
				}
				if _, err := newClient(server).Search(ctx, oneWay()); err != nil {
					t.Fatal(err)
				}
				if got := server.Requests()[0].Query.Get("supplier_timeout"); got != want {
					t.Errorf("supplier_timeout is %q, want %q", got, want)
				}
			})
		})
	}
}

// A child's age and a cabin of "any" in Duffel's words.
func TestSearchBody(t *testing.T) {
	t.Parallel()
	q := oneWay()
	q.Cabin = flight.CabinUnknown
	q.Passengers.ChildAges = []int{3, 14}
	got, err := searchBody(q)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"data":{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}],` +
		`"passengers":[{"type":"adult"},{"age":3},{"age":14}],"max_connections":2}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// recorder is a client's transport that keeps the request and refuses it.
type recorder struct{ request *http.Request }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.request = req
	return nil, errors.New("refused")
}

// Without GetBody a request could not be hedged.
func TestSearchCanBeHedged(t *testing.T) {
	t.Parallel()
	var free, metered recorder
	server := providertest.NewServer(t, providertest.Hang())
	client := New(Options{
		Base: server.Base, Token: token, Search: providers.ClassMetered, Zones: zones,
		Clients: providers.Clients{Free: &http.Client{Transport: &free}, Metered: &http.Client{Transport: &metered}},
	})
	var failure *providers.Error
	if _, err := client.Search(t.Context(), oneWay()); !errors.As(err, &failure) || failure.Kind != providers.KindFailed {
		t.Errorf("got %v", err)
	}
	if free.request != nil || metered.request == nil {
		t.Fatal("the search was not sent by the client of its class")
	}
	var bodies []string
	for range 2 {
		body, err := metered.request.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, string(text))
	}
	if bodies[0] == "" || bodies[0] != bodies[1] {
		t.Errorf("the body cannot be sent twice: %q", bodies)
	}
}
