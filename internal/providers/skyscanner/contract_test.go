package skyscanner

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/providers/providertest"
)

const apiKey = "sky-s3cr3t"

func fixture(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// zones is a table of airports, as the reference data has one.
func zones(iata string) *time.Location { return zoneTable[iata] }

var zoneTable = loadZones(map[string]string{
	"JFK": "America/New_York", "LHR": "Europe/London", "DUB": "Europe/Dublin", "HND": "Asia/Tokyo", "SFO": "America/Los_Angeles",
})

func loadZones(names map[string]string) map[string]*time.Location {
	table := make(map[string]*time.Location, len(names))
	for airport, name := range names {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		table[airport] = zone
	}
	return table
}

func newClient(s *providertest.Server) *Client {
	return New(Options{Base: s.Base, APIKey: apiKey, Search: DefaultClass, Clients: s.Clients, Zones: zones})
}

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
	q := family()
	q.Passengers = flight.Passengers{Adults: 1}
	q.Slices = append(q.Slices, flight.SliceQuery{Origin: "JFK", Destination: "LHR", Departure: date(31)})
	return q
}

// asked compares the search request with JSON.
func asked(want string) func(*testing.T, providertest.Request) {
	return func(t *testing.T, r providertest.Request) {
		t.Helper()
		if r.Method != http.MethodPost || r.Path != createPath {
			t.Errorf("asked %s %s", r.Method, r.Path)
		}
		if got := r.Header.Get("X-Api-Key"); got != apiKey {
			t.Errorf("X-Api-Key is %q", got)
		}
		if diff := cmp.Diff(want, string(r.Body)); diff != "" {
			t.Errorf("body (-want +got):\n%s", diff)
		}
	}
}

func failureBody(code, message string) string {
	return `{"code": ` + code + `, "message": "` + message + `", "details": []}`
}

func TestContract(t *testing.T) {
	t.Parallel()
	returning := fixture(t, "return.json")
	providertest.Run(t, providertest.Suite{
		Name:    "skyscanner",
		New:     func(s *providertest.Server) providertest.Provider { return newClient(s) },
		Secrets: []string{apiKey},
		Good: []providertest.Good{
			{
				Name: "one-way", Query: oneWay(), Reply: providertest.Reply{Body: fixture(t, "one_way.json")}, Offers: 3,
				Rejects: map[providers.Reject]int{providers.RejectPrice: 1},
				Asked: asked(`{"query":{"market":"US","locale":"en-US","currency":"USD","queryLegs":[` +
					`{"originPlaceId":{"iata":"JFK"},"destinationPlaceId":{"iata":"LHR"},"date":{"year":2026,"month":12,"day":15}}],` +
					`"cabinClass":"CABIN_CLASS_ECONOMY","adults":1}}`),
			},
			{
				Name: "return of a family", Query: family(), Reply: providertest.Reply{Body: returning}, Offers: 1,
				Asked: asked(`{"query":{"market":"US","locale":"en-US","currency":"USD","queryLegs":[` +
					`{"originPlaceId":{"iata":"JFK"},"destinationPlaceId":{"iata":"LHR"},"date":{"year":2026,"month":12,"day":15}},` +
					`{"originPlaceId":{"iata":"LHR"},"destinationPlaceId":{"iata":"JFK"},"date":{"year":2026,"month":12,"day":29}}],` +
					`"cabinClass":"CABIN_CLASS_PREMIUM_ECONOMY","adults":2,"childrenAges":[7,1]}}`),
			},
			{
				Name: "several cities", Query: multiCity(), Offers: 1,
				Reply: providertest.Reply{Body: strings.Replace(returning, `"legIds": ["leg-out", "leg-back"]`, `"legIds": ["leg-out", "leg-back", "leg-out"]`, 1)},
			},
		},
		Empty: providertest.Reply{Body: emptyList},
		Failures: []providertest.Failure{
			{
				Name:  "date taken for past",
				Reply: providertest.Reply{Status: 400, Body: failureBody("3", "The date of a query leg is in the past")},
				Kind:  providers.KindRejected, Code: "3",
			},
			{
				Name:  "a key echoed",
				Reply: providertest.Reply{Status: 401, Body: failureBody("16", "No key "+apiKey)},
				Kind:  providers.KindUnauthorized, Code: "16",
			},
			{
				Name:  "too many searches",
				Reply: providertest.Reply{Status: 429, Body: failureBody(`"8"`, "Too many requests"), Header: http.Header{"Retry-After": {"11"}}},
				Kind:  providers.KindRateLimited, Code: "8", RetryAfter: 11 * time.Second,
			},
			{
				Name:  "a search that failed",
				Reply: providertest.Reply{Body: `{"sessionToken": "s", "status": "RESULT_STATUS_FAILED", "action": "RESULT_ACTION_OMITTED"}`},
				Kind:  providers.KindFailed,
			},
			{Name: "HTML that calls itself JSON", Reply: providertest.Reply{Status: 502, Body: "<html>"}, Kind: providers.KindFailed},
			{Name: "a wrong address", Reply: providertest.Reply{Status: 404, Body: failureBody("5", "Not Found")}, Kind: providers.KindFailed, Code: "5"},
		},
	})
}
