package amadeus

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/providers/providertest"
)

const (
	clientID     = "cl13nt-1d"
	clientSecret = "cl13nt-s3cr3t"
	accessToken  = "acc3ss-t0k3n"
)

// date is a day in December 2026.
func date(day int) flight.Date { return flight.Date{Year: 2026, Month: 12, Day: day} }

func oneWay() flight.Query {
	return flight.Query{
		Slices:     []flight.SliceQuery{{Origin: "JFK", Destination: "LHR", Departure: date(15)}},
		Passengers: flight.Passengers{Adults: 1},
		Cabin:      flight.CabinEconomy,
	}
}

// family is two adults, a child of 7 and an infant on a lap, out and back.
func family() flight.Query {
	q := oneWay()
	q.Slices = append(q.Slices, flight.SliceQuery{Origin: "LHR", Destination: "JFK", Departure: date(29)})
	q.Passengers = flight.Passengers{Adults: 2, ChildAges: []int{7}, Infants: 1}
	q.Cabin = flight.CabinPremiumEconomy
	return q
}

func multiCity() flight.Query {
	q := oneWay()
	q.Slices = append(q.Slices, flight.SliceQuery{Origin: "MAD", Destination: "JFK", Departure: date(20)})
	return q
}

// asked compares the search request with JSON.
func asked(want string) func(*testing.T, providertest.Request) {
	return func(t *testing.T, r providertest.Request) {
		t.Helper()
		if r.Method != http.MethodPost || r.Path != "/"+searchPath || r.Header.Get("X-Http-Method-Override") != http.MethodGet {
			t.Errorf("asked %s %s in place of %q", r.Method, r.Path, r.Header.Get("X-Http-Method-Override"))
		}
		if got := r.Header.Get("Authorization"); got != "Bearer "+accessToken {
			t.Errorf("Authorization is %q", got)
		}
		if diff := cmp.Diff(want, string(r.Body)); diff != "" {
			t.Errorf("body (-want +got):\n%s", diff)
		}
	}
}

// issueBody is a failure in the vendor's form; code and status as JSON.
func issueBody(code, status, title, detail string) string {
	return `{"errors": [{"code": ` + code + `, "status": ` + status + `, "title": "` + title + `", "detail": "` + detail + `"}]}`
}

func TestContract(t *testing.T) {
	t.Parallel()
	good := strings.TrimSuffix(strings.TrimPrefix(oneOffer, `{"data": [`), `]}`)
	noCurrency := strings.Replace(good, `"USD"`, `""`, 1)
	providertest.Run(t, providertest.Suite{
		Name: "amadeus",
		New: func(s *providertest.Server) providertest.Provider {
			return New(Options{
				Base: s.Base, ClientID: clientID, ClientSecret: clientSecret, Search: DefaultClass, Clients: s.Clients, Zones: zones,
			})
		},
		Secrets: []string{clientID, clientSecret, accessToken},
		Aside: map[string]http.Handler{
			"/" + tokenPath: providertest.Reply{Body: `{"token_type": "Bearer", "access_token": "` + accessToken + `", "expires_in": 1799}`},
		},
		Good: []providertest.Good{
			{
				Name: "one-way", Query: oneWay(), Reply: providertest.Reply{Body: oneOffer}, Offers: 1,
				Asked: asked(`{"currencyCode":"USD","originDestinations":[` +
					`{"id":"1","originLocationCode":"JFK","destinationLocationCode":"LHR","departureDateTimeRange":{"date":"2026-12-15"}}],` +
					`"travelers":[{"id":"1","travelerType":"ADULT"}],"sources":["GDS"],"searchCriteria":{"maxFlightOffers":250,` +
					`"flightFilters":{"cabinRestrictions":[{"cabin":"ECONOMY","coverage":"MOST_SEGMENTS","originDestinationIds":["1"]}]}}}`),
			},
			{
				Name: "return of a family", Query: family(), Reply: providertest.Reply{Body: string(fixture(t, "return_family.json"))}, Offers: 1,
				Asked: asked(`{"currencyCode":"USD","originDestinations":[` +
					`{"id":"1","originLocationCode":"JFK","destinationLocationCode":"LHR","departureDateTimeRange":{"date":"2026-12-15"}},` +
					`{"id":"2","originLocationCode":"LHR","destinationLocationCode":"JFK","departureDateTimeRange":{"date":"2026-12-29"}}],` +
					`"travelers":[{"id":"1","travelerType":"ADULT"},{"id":"2","travelerType":"ADULT"},{"id":"3","travelerType":"CHILD"},` +
					`{"id":"4","travelerType":"HELD_INFANT","associatedAdultId":"1"}],"sources":["GDS"],"searchCriteria":{"maxFlightOffers":250,` +
					`"flightFilters":{"cabinRestrictions":[{"cabin":"PREMIUM_ECONOMY","coverage":"MOST_SEGMENTS","originDestinationIds":["1","2"]}]}}}`),
			},
			{
				Name: "several cities", Query: multiCity(), Offers: 1,
				Reply: providertest.Reply{Body: strings.Replace(oneOffer, `"itineraries": [`, `"itineraries": [{"segments": [{
					"departure": {"iataCode": "MAD", "at": "2026-12-20T10:00"}, "arrival": {"iataCode": "JFK", "at": "2026-12-20T12:00"},
					"carrierCode": "IB", "number": "6253"}]},`, 1)},
			},
			{
				Name: "bad offers among good ones", Query: oneWay(), Offers: 2,
				Reply:   providertest.Reply{Body: `{"data": [` + noCurrency + `, ` + good + `, null, ` + strings.Replace(good, `"1"`, `"2"`, 1) + `]}`},
				Rejects: map[providers.Reject]int{providers.RejectCurrency: 1, providers.RejectShape: 1},
			},
		},
		Empty: providertest.Reply{Body: `{"meta": {"count": 0}, "data": []}`},
		Failures: []providertest.Failure{
			{
				Name:  "date taken for past",
				Reply: providertest.Reply{Status: 400, Body: issueBody("425", "400", "INVALID DATE", "Date/Time is in the past")},
				Kind:  providers.KindRejected, Code: "425",
			},
			{
				Name:  "rate limit in strings",
				Reply: providertest.Reply{Status: 429, Body: issueBody(`"38194"`, `"429"`, "Too many requests", "")},
				Kind:  providers.KindRateLimited, Code: "38194",
			},
			{
				Name:  "a token echoed",
				Reply: providertest.Reply{Status: 401, Body: issueBody("38190", "401", "Invalid access token", "No token "+accessToken)},
				Kind:  providers.KindUnauthorized, Code: "38190",
			},
			{
				Name:  "a token echoed in a good answer",
				Reply: providertest.Reply{Body: issueBody("38195", "429", "", "Quota of "+accessToken+" exceeded")},
				Kind:  providers.KindRateLimited, Code: "38195",
			},
			{
				Name:  "markup in a sentence",
				Reply: providertest.Reply{Status: 500, Body: issueBody("141", "500", "", "<b>down</b>")},
				Kind:  providers.KindFailed, Code: "141",
			},
			{Name: "HTML that calls itself JSON", Reply: providertest.Reply{Status: 502, Body: "<html>"}, Kind: providers.KindFailed},
		},
	})
}
