package duffel

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/providers/providertest"
)

const token = "duffel_test_s3cr3t"

func fixture(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// airports is a table of zones, as the reference data has one.
var airports = map[string]*time.Location{
	"JFK": loadZone("America/New_York"), "BOS": loadZone("America/New_York"), "LHR": loadZone("Europe/London"),
	"KEF": loadZone("Atlantic/Reykjavik"), "CDG": loadZone("Europe/Paris"),
}

func zones(iata string) *time.Location { return airports[iata] }

func newClient(s *providertest.Server) *Client {
	return New(Options{Base: s.Base, Token: token, Search: DefaultClass, Clients: s.Clients, Zones: zones})
}

func date(month time.Month, day int) flight.Date {
	return flight.Date{Year: 2026, Month: month, Day: day}
}

func oneWay() flight.Query {
	return flight.Query{
		Slices:     []flight.SliceQuery{{Origin: "JFK", Destination: "LHR", Departure: date(12, 15)}},
		Passengers: flight.Passengers{Adults: 1},
		Cabin:      flight.CabinEconomy,
	}
}

// family is two adults, a child of 7 and an infant on a lap, out and back.
func family() flight.Query {
	return flight.Query{
		Slices: []flight.SliceQuery{
			{Origin: "JFK", Destination: "LHR", Departure: date(12, 15)},
			{Origin: "LHR", Destination: "JFK", Departure: date(12, 22)},
		},
		Passengers: flight.Passengers{Adults: 2, ChildAges: []int{7}, Infants: 1},
		Cabin:      flight.CabinBusiness,
	}
}

func multiCity() flight.Query {
	q := oneWay()
	q.Slices = append(q.Slices, flight.SliceQuery{Origin: "CDG", Destination: "JFK", Departure: date(12, 20)})
	return q
}

// asked compares the offer request with JSON.
func asked(want string) func(*testing.T, providertest.Request) {
	return func(t *testing.T, r providertest.Request) {
		t.Helper()
		if r.Method != http.MethodPost || r.Path != "/air/offer_requests" || r.Query.Get("return_offers") != "true" {
			t.Errorf("asked %s %s?%s", r.Method, r.Path, r.Query.Encode())
		}
		for name, value := range map[string]string{
			"Authorization": "Bearer " + token, "Duffel-Version": "v2",
			"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "gzip",
		} {
			if got := r.Header.Get(name); got != value {
				t.Errorf("%s is %q, want %q", name, got, value)
			}
		}
		if diff := cmp.Diff(want, string(r.Body)); diff != "" {
			t.Errorf("body (-want +got):\n%s", diff)
		}
	}
}

func errorBody(kind, code, title, message string) string {
	return `{"errors": [{"type": "` + kind + `", "code": "` + code + `", "title": "` + title + `", "message": "` + message +
		`", "documentation_url": "https://duffel.com/docs"}], "meta": {"status": 400, "request_id": "r"}}`
}

func TestContract(t *testing.T) {
	t.Parallel()
	providertest.Run(t, providertest.Suite{
		Name:    "duffel",
		New:     func(s *providertest.Server) providertest.Provider { return newClient(s) },
		Secrets: []string{token},
		Good: []providertest.Good{
			{
				Name: "one-way", Query: oneWay(), Reply: providertest.Reply{Status: 201, Body: fixture(t, "oneway.json")}, Offers: 5,
				Asked: asked(`{"data":{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}],` +
					`"passengers":[{"type":"adult"}],"cabin_class":"economy","max_connections":2}}`),
			},
			{
				Name: "return of a family", Query: family(), Reply: providertest.Reply{Status: 201, Body: fixture(t, "return.json")}, Offers: 1,
				Asked: asked(`{"data":{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"},` +
					`{"origin":"LHR","destination":"JFK","departure_date":"2026-12-22"}],` +
					`"passengers":[{"type":"adult"},{"type":"adult"},{"age":7},{"age":1}],"cabin_class":"business","max_connections":2}}`),
			},
			{Name: "several cities", Query: multiCity(), Reply: providertest.Reply{Status: 201, Body: fixture(t, "multicity.json")}, Offers: 1},
			{
				Name: "bad offers among good ones", Query: oneWay(), Reply: providertest.Reply{Status: 201, Body: fixture(t, "mixed.json")}, Offers: 3,
				Rejects: map[providers.Reject]int{
					providers.RejectPrice: 3, providers.RejectCurrency: 2, providers.RejectTimes: 2, providers.RejectPlaces: 2,
					providers.RejectCarrier: 1, providers.RejectItinerary: 3, providers.RejectShape: 4,
				},
			},
		},
		Empty: providertest.Reply{Status: 201, Body: fixture(t, "empty.json")},
		Failures: []providertest.Failure{
			{
				Name:  "date taken for past",
				Reply: providertest.Reply{Status: 422, Body: errorBody("validation_error", "invalid_date", "Invalid date", "Field 'departure_date' must be after 2026-12-15")},
				Kind:  providers.KindRejected, Code: "invalid_date",
			},
			{
				Name:  "an airline failed, as 400",
				Reply: providertest.Reply{Status: 400, Body: errorBody("airline_error", "airline_unknown", "Airline Error", "The airline responded with an error")},
				Kind:  providers.KindFailed, Code: "airline_unknown",
			},
			{
				Name:  "an error in a good answer",
				Reply: providertest.Reply{Status: 200, Body: errorBody("api_error", "internal_server_error", "Oops", "Something went wrong")},
				Kind:  providers.KindFailed, Code: "internal_server_error",
			},
			{
				Name: "limit until a date",
				Reply: providertest.Reply{
					Status: 429, Body: errorBody("rate_limit_error", "rate_limit_exceeded", "Rate limit exceeded", "Wait until ratelimit-reset"),
					Header: http.Header{"Date": {"Tue, 15 Dec 2026 10:00:00 GMT"}, "Ratelimit-Reset": {"Tue, 15 Dec 2026 10:00:42 GMT"}},
				},
				Kind: providers.KindRateLimited, Code: "rate_limit_exceeded", RetryAfter: 42 * time.Second,
			},
			{
				Name:  "a token echoed",
				Reply: providertest.Reply{Status: 401, Body: errorBody("authentication_error", "access_token_not_found", "Access token not found", "No token "+token)},
				Kind:  providers.KindUnauthorized, Code: "access_token_not_found",
			},
			{
				Name:  "markup in a sentence",
				Reply: providertest.Reply{Status: 500, Body: errorBody("airline_error", "airline_internal", "", "<b>down</b>")},
				Kind:  providers.KindFailed, Code: "airline_internal",
			},
			{Name: "errors of no known form", Reply: providertest.Reply{Status: 500, Body: `{"errors": "no"}`}, Kind: providers.KindFailed},
			{Name: "HTML that calls itself JSON", Reply: providertest.Reply{Status: 502, Body: "<html>"}, Kind: providers.KindFailed},
		},
	})
}
