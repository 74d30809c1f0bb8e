package skyscanner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/providers/providertest"
)

// The vendor's answers, as far as sessions are concerned.
const (
	emptyList = `{"sessionToken": "t", "status": "RESULT_STATUS_COMPLETE", "action": "RESULT_ACTION_REPLACED",
		"content": {"results": {"itineraries": {}, "legs": {}, "segments": {}, "places": {}, "carriers": {}, "agents": {}}}}`
	notModified = `{"sessionToken": "%s", "status": "RESULT_STATUS_%s", "action": "RESULT_ACTION_NOT_MODIFIED",
		"content": {"results": {"itineraries": {}}}}`
	omitted = `{"sessionToken": "%s", "status": "RESULT_STATUS_%s", "action": "RESULT_ACTION_OMITTED"}`
	failed  = `{"status": "RESULT_STATUS_FAILED", "action": "RESULT_ACTION_OMITTED"}`
)

// offering is an answer with one offer of so many dollars.
func offering(token, status string, dollars int) providertest.Reply {
	return reply(fmt.Sprintf(`{"sessionToken": %q, "status": "RESULT_STATUS_%s", "action": "RESULT_ACTION_REPLACED", "content": {"results": {
		"itineraries": {"it": {"legIds": ["leg"], "pricingOptions": [
			{"id": "o", "agentIds": ["a"], "price": {"amount": "%d", "unit": "PRICE_UNIT_WHOLE"}, "items": [{"deepLink": "https://a.example/"}]}]}},
		"legs": {"leg": {"segmentIds": ["sg"], "durationInMinutes": 415}},
		"segments": {"sg": {"originPlaceId": "1", "destinationPlaceId": "2", "durationInMinutes": 415,
			"departureDateTime": {"year": 2026, "month": 12, "day": 15, "hour": 18, "minute": 30},
			"arrivalDateTime": {"year": 2026, "month": 12, "day": 16, "hour": 6, "minute": 25},
			"marketingFlightNumber": "178", "marketingCarrierId": "c"}},
		"places": {"1": {"iata": "JFK"}, "2": {"iata": "LHR"}},
		"carriers": {"c": {"name": "British Airways", "iata": "BA"}}, "agents": {"a": {"name": "Agency"}}}}}`, token, status, dollars))
}

func nothingYet(token string) providertest.Reply {
	return reply(strings.NewReplacer(`"t"`, `"`+token+`"`, "COMPLETE", "INCOMPLETE").Replace(emptyList))
}

func reply(body string) providertest.Reply { return providertest.Reply{Body: body} }

func status(code int) providertest.Reply { return providertest.Reply{Status: code, Body: `{}`} }

// searched is what became of a search whose calls were answered by a script.
type searched struct {
	answer providers.Answer
	err    error
	paths  []string // "create" or the token that was polled.
	at     []time.Duration
	took   time.Duration
}

// search runs in a bubble, with the limit that searches have.
func search(t *testing.T, check func(*testing.T, searched), script ...http.Handler) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var (
			mu  sync.Mutex // A server may still be at a call that the client has left.
			got searched
		)
		started := time.Now()
		handler := providertest.Script(script...)
		client := newClient(providertest.NewServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path := strings.TrimPrefix(r.URL.Path, pollPath)
			if path == createPath {
				path = "create"
			}
			mu.Lock()
			got.paths, got.at = append(got.paths, path), append(got.at, time.Since(started))
			mu.Unlock()
			handler.ServeHTTP(w, r)
		})))
		ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
		defer cancel()
		answer, err := client.Search(ctx, oneWay())
		mu.Lock()
		defer mu.Unlock()
		got.answer, got.err, got.took = answer, err, time.Since(started)
		check(t, got)
	})
}

// price is that of the only offer, "" where there is not exactly one.
func (s searched) price() string {
	if len(s.answer.Offers) != 1 {
		return ""
	}
	return s.answer.Offers[0].Price.String()
}

// whole expects a complete list, after calls of the given paths.
func whole(price string, paths ...string) func(*testing.T, searched) {
	return func(t *testing.T, got searched) {
		t.Helper()
		if got.err != nil || got.price() != price || got.answer.Cut || len(got.answer.Warnings) != 0 {
			t.Errorf("offers %v, cut %t, warnings %q, error %v; want %s and all of it",
				got.answer.Offers, got.answer.Cut, got.answer.Warnings, got.err, price)
		}
		if diff := cmp.Diff(paths, got.paths); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	}
}

// part expects offers with the remark that they are not all.
func part(price string, paths ...string) func(*testing.T, searched) {
	return func(t *testing.T, got searched) {
		t.Helper()
		if got.err != nil || got.price() != price || !got.answer.Cut || len(got.answer.Warnings) != 1 {
			t.Errorf("offers %v, cut %t, warnings %q, error %v; want %s and a warning",
				got.answer.Offers, got.answer.Cut, got.answer.Warnings, got.err, price)
		}
		if diff := cmp.Diff(paths, got.paths); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		if got.took >= 6*time.Second {
			t.Errorf("handed over after %v, when the caller has gone", got.took)
		}
	}
}

func TestSearchPolls(t *testing.T) {
	for name, tc := range map[string]struct {
		check  func(*testing.T, searched)
		script []http.Handler
	}{
		"complete at once": {whole("500.00 USD", "create"), []http.Handler{offering("t", "COMPLETE", 500)}},
		"the newest token and the newest list": {
			whole("300.00 USD", "create", "a", "b?/ä"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), offering("b?/ä", "INCOMPLETE", 400), offering("c", "COMPLETE", 300)},
		},
		"not modified": {
			whole("500.00 USD", "create", "a", "a"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), reply(fmt.Sprintf(notModified, "", "INCOMPLETE")), reply(fmt.Sprintf(notModified, "a", "COMPLETE"))},
		},
		"omitted": {
			whole("500.00 USD", "create", "a", "b"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), reply(fmt.Sprintf(omitted, "b", "INCOMPLETE")), reply(fmt.Sprintf(omitted, "b", "COMPLETE"))},
		},
		"nothing at first": {
			whole("500.00 USD", "create", "a"),
			[]http.Handler{nothingYet("a"), offering("a", "COMPLETE", 500)},
		},
		"two polls fail": {
			whole("400.00 USD", "create", "a", "a", "a"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), status(503), reply(`{"cut`), offering("a", "COMPLETE", 400)},
		},
		"session gone": {
			whole("400.00 USD", "create", "a", "create", "b"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), status(410), nothingYet("b"), offering("b", "COMPLETE", 400)},
		},
		"session not found": {
			whole("400.00 USD", "create", "a", "create"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), status(404), offering("b", "COMPLETE", 400)},
		},
		"empty body": {
			whole("400.00 USD", "create", "a", "create"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), reply(" \n"), offering("b", "COMPLETE", 400)},
		},
		"session failed": {
			whole("400.00 USD", "create", "a", "create"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), reply(failed), offering("b", "COMPLETE", 400)},
		},
	} {
		t.Run(name, func(t *testing.T) { search(t, tc.check, tc.script...) })
	}
}

func TestSearchGivesWhatThereIs(t *testing.T) {
	for name, tc := range map[string]struct {
		check  func(*testing.T, searched)
		script []http.Handler
	}{
		// Skyscanner/skyscanner-python-sdk#19.
		"session gone twice": {
			part("500.00 USD", "create", "a", "create", "b"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), status(410), nothingYet("b"), status(410)},
		},
		"empty bodies": {
			part("400.00 USD", "create", "a", "create", "b"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), reply(""), offering("b", "INCOMPLETE", 400), reply("")},
		},
		"no new session": {
			part("500.00 USD", "create", "a", "create"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), status(410), status(429)},
		},
		"polls fail": {
			part("500.00 USD", "create", "a", "a", "a"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), status(500)},
		},
		"key withdrawn": {
			part("500.00 USD", "create", "a"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), status(401)},
		},
		"a poll hangs": {
			part("500.00 USD", "create", "a"),
			[]http.Handler{offering("a", "INCOMPLETE", 500), providertest.Hang()},
		},
		"asked to wait too long": {
			part("500.00 USD", "create", "a"),
			[]http.Handler{
				offering("a", "INCOMPLETE", 500),
				providertest.Reply{Status: 429, Header: http.Header{"Retry-After": {"60"}}},
			},
		},
		"never complete": {
			part("500.00 USD", "create", "a", "a", "a", "a", "a", "a", "a"),
			[]http.Handler{offering("a", "INCOMPLETE", 500)},
		},
	} {
		t.Run(name, func(t *testing.T) { search(t, tc.check, tc.script...) })
	}
}

// The pauses keep five polls to one creation within four seconds, and the last
// poll before the deadline.
func TestSearchPausesBetweenPolls(t *testing.T) {
	search(t, func(t *testing.T, got searched) {
		var want []time.Duration
		for _, milliseconds := range []float64{0, 0, 100, 350, 975, 2537.5, 4537.5, 5500} {
			want = append(want, time.Duration(milliseconds*float64(time.Millisecond)))
		}
		if diff := cmp.Diff(want, got.at); diff != "" {
			t.Errorf("times of calls (-want +got):\n%s", diff)
		}
	}, offering("a", "INCOMPLETE", 500))
}

func TestSearchWaitsAsLongAsAsked(t *testing.T) {
	busy := providertest.Reply{Status: 429, Header: http.Header{"Retry-After": {"3"}}}
	search(t, func(t *testing.T, got searched) {
		if got.price() != "400.00 USD" || len(got.at) != 3 || got.at[2] != 3*time.Second {
			t.Errorf("%s after calls at %v, want the last at 3 s", got.price(), got.at)
		}
	}, offering("a", "INCOMPLETE", 500), busy, offering("a", "COMPLETE", 400))
}

// "Not finished" is not "found nothing".
func TestSearchWithoutOffersFails(t *testing.T) {
	search(t, func(t *testing.T, got searched) {
		var failure *providers.Error
		if !errors.As(got.err, &failure) || failure.Kind != providers.KindTimeout || !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("%d offers and error %v, want a timeout", len(got.answer.Offers), got.err)
		}
	}, nothingYet("a"))
}

func TestSearchLeftByItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newClient(providertest.NewServer(t, offering("a", "INCOMPLETE", 500)))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(300*time.Millisecond, cancel)
		started := time.Now()
		_, err := client.Search(ctx, oneWay())
		if took := time.Since(started); !errors.Is(err, context.Canceled) || took != 300*time.Millisecond {
			t.Errorf("error %v after %v, want the cancellation at 300 ms", err, took)
		}
	})
}

func TestSearchEndsWithoutDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newClient(providertest.NewServer(t, offering("a", "INCOMPLETE", 500)))
		started := time.Now()
		answer, err := client.Search(t.Context(), oneWay())
		if took := time.Since(started); err != nil || !answer.Cut || took >= maxSearch {
			t.Errorf("cut %t, error %v after %v; want a partial answer within %v", answer.Cut, err, took, maxSearch)
		}
	})
}

func TestSearchRefusesWhatTheVendorCannotDo(t *testing.T) {
	for name, change := range map[string]func(adults, infants *int, ages *[]int){
		"nine adults":   func(adults, _ *int, _ *[]int) { *adults = 9 },
		"nine children": func(adults, infants *int, ages *[]int) { *adults, *infants, *ages = 4, 4, []int{3, 4, 5, 6, 7} },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := providertest.NewServer(t, reply(emptyList))
				q := oneWay()
				change(&q.Passengers.Adults, &q.Passengers.Infants, &q.Passengers.ChildAges)
				_, err := newClient(server).Search(t.Context(), q)
				var failure *providers.Error
				if !errors.As(err, &failure) || failure.Kind != providers.KindUnsupported || len(server.Requests()) != 0 {
					t.Errorf("error %v after %d calls, want unsupported and none", err, len(server.Requests()))
				}
			})
		})
	}
}

func TestSearchUsesTheClassOfEachCall(t *testing.T) {
	for name, tc := range map[string]struct {
		search, poll providers.Class
		want         []string
	}{
		"vendor":        {providers.ClassNever, "", []string{"never", "never"}},
		"metered":       {providers.ClassMetered, "", []string{"metered", "never"}},
		"sandbox":       {providers.ClassFree, "", []string{"free", "free"}},
		"free creation": {providers.ClassFree, providers.ClassNever, []string{"free", "never"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := providertest.NewServer(t, providertest.Script(offering("a", "INCOMPLETE", 500), offering("a", "COMPLETE", 400)))
				var calls []string
				named := func(class string) *http.Client {
					return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
						calls = append(calls, class)
						if r.Body != nil && r.GetBody == nil {
							t.Errorf("%s cannot be sent twice", r.URL)
						}
						return server.Clients.Free.Transport.RoundTrip(r)
					})}
				}
				client := New(Options{
					Base: server.Base, APIKey: apiKey, Search: tc.search, Poll: tc.poll, Zones: zones,
					Clients: providers.Clients{Free: named("free"), Metered: named("metered"), Never: named("never")},
				})
				if _, err := client.Search(t.Context(), oneWay()); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.want, calls); diff != "" {
					t.Errorf("classes of the calls (-want +got):\n%s", diff)
				}
			})
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
