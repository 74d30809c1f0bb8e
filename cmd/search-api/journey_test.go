package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sethvargo/go-envconfig"

	"github.com/hedgehop/hedgehop/api"
)

// startService runs the whole program on a free port until the test ends.
func startService(tb testing.TB, env map[string]string) string {
	tb.Helper()
	base, stop := startStoppable(tb, env)
	tb.Cleanup(stop)
	return base
}

// startStoppable is for tests that stop the program themselves.
func startStoppable(tb testing.TB, env map[string]string) (base string, stop func()) {
	tb.Helper()
	service, err := start(context.Background(), configOf(tb, env))
	if err != nil {
		tb.Fatal(err)
	}
	return baseOf(service), func() {
		if err := service.stop(context.Background()); err != nil {
			tb.Error(err)
		}
	}
}

// baseOf is where a running service answers.
func baseOf(s *service) string {
	_, port, _ := strings.Cut(s.address(), "]:")
	return "http://127.0.0.1:" + port
}

// configOf is a configuration for tests: a free port, a sandbox without latency
// and with its switches.
func configOf(tb testing.TB, env map[string]string) Config {
	tb.Helper()
	all := map[string]string{"PORT": "0", "SANDBOX_LATENCY": "none", "SANDBOX_CONTROL": "true"}
	maps.Copy(all, env)
	config, err := readConfig(context.Background(), envconfig.MapLookuper(all))
	if err != nil {
		tb.Fatal(err)
	}
	return config
}

// call sends a request and returns status, headers and body.
func call(tb testing.TB, method, address, body string) (*http.Response, []byte) {
	tb.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, address, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return response, read
}

func searchFor(tb testing.TB, base string, parameters ...string) api.SearchResponse {
	tb.Helper()
	query := url.Values{}
	for i := 0; i < len(parameters); i += 2 {
		query.Set(parameters[i], parameters[i+1])
	}
	response, body := call(tb, http.MethodGet, base+"/v1/flights/search?"+query.Encode(), "")
	if response.StatusCode != http.StatusOK {
		tb.Fatalf("%s: %s", response.Status, body)
	}
	return decoded(tb, body)
}

func decoded(tb testing.TB, body []byte) api.SearchResponse {
	tb.Helper()
	var result api.SearchResponse
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&result); err != nil {
		tb.Fatal(err)
	}
	return result
}

// inDays is a day that the tests may ask for.
func inDays(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly) }

func TestATrunkRoute(t *testing.T) {
	base := startService(t, nil)
	result := searchFor(t, base, "origin", "JFK", "destination", "LHR", "departure_date", inDays(30), "limit", "100")
	if !result.Complete || len(result.Itineraries) < 40 {
		t.Errorf("complete %t with %d itineraries", result.Complete, len(result.Itineraries))
	}
	shared := 0
	for _, it := range result.Itineraries {
		sellers := map[string]bool{}
		for i, o := range it.Offers {
			sellers[o.Provider] = true
			if !o.Sandbox {
				t.Errorf("%s: offer %s is not marked as invented", it.ID, o.ID)
			}
			if i > 0 && minorOf(t, o.Price) < minorOf(t, it.Offers[i-1].Price) {
				t.Errorf("%s: offers are not cheapest first", it.ID)
			}
		}
		if len(sellers) > 1 {
			shared++
		}
	}
	if shared < 10 {
		t.Errorf("only %d itineraries have offers of two providers", shared)
	}
}

func minorOf(tb testing.TB, m *api.Money) float64 {
	tb.Helper()
	var amount float64
	if _, err := fmt.Sscan(m.Amount, &amount); err != nil {
		tb.Fatal(err)
	}
	return amount
}

func TestTheSameQuestionHasTheSameAnswer(t *testing.T) {
	question := []string{"origin", "JFK", "destination", "LHR", "departure_date", inDays(30), "limit", "50"}
	first := searchFor(t, startService(t, nil), question...)
	second := searchFor(t, startService(t, nil), append(question, "origin", " jfk ")...)
	if diff := cmp.Diff(prices(first), prices(second)); diff != "" {
		t.Errorf("two services from one seed differ: %s", diff)
	}
}

func prices(result api.SearchResponse) []string {
	var all []string
	for _, it := range result.Itineraries {
		for _, o := range it.Offers {
			all = append(all, it.ID+" "+o.Provider+" "+o.OriginalPrice.Amount+" "+o.OriginalPrice.Currency)
		}
	}
	return all
}

func TestAnotherCurrencyIsTheSameOffersConverted(t *testing.T) {
	base := startService(t, nil)
	question := []string{"origin", "JFK", "destination", "LHR", "departure_date", inDays(30), "limit", "50", "sort", "departure"}
	dollars := searchFor(t, base, question...)
	euros := searchFor(t, base, append(question, "currency", "EUR")...)
	if diff := cmp.Diff(prices(dollars), prices(euros)); diff != "" {
		t.Errorf("other offers in euros: %s", diff)
	}
	offer := euros.Itineraries[0].Offers[0]
	if offer.Price.Currency != "EUR" || offer.OriginalPrice.Currency != "USD" || !offer.PriceConverted {
		t.Errorf("the conversion is not marked: %+v", offer)
	}
	if euros.ExchangeRates.AsOf == "" || euros.ExchangeRates.Source != "ECB" {
		t.Errorf("the rate's date is not named: %+v", euros.ExchangeRates)
	}
}

// TestTimesAddUp searches on days on which clocks change and over the date line.
func TestTimesAddUp(t *testing.T) {
	base := startService(t, nil)
	checked := 0
	for _, route := range [][2]string{{"JFK", "LHR"}, {"LHR", "JFK"}, {"SYD", "LAX"}, {"LAX", "SYD"}, {"HND", "SFO"}, {"KTM", "DXB"}} {
		for _, day := range clockChanges(t) {
			result := searchFor(t, base, "origin", route[0], "destination", route[1], "departure_date", day, "limit", "100")
			for _, it := range result.Itineraries {
				for _, slice := range it.Slices {
					checked++
					checkSlice(t, slice)
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d slices were seen", checked)
	}
}

// clockChanges are the days within the bookable year on which New York or London
// change their clocks, and the evenings before.
func clockChanges(tb testing.TB) []string {
	tb.Helper()
	var days []string
	for _, name := range []string{"America/New_York", "Europe/London"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			tb.Fatal(err)
		}
		for n := 1; n < 360; n++ {
			noon := time.Now().In(zone).AddDate(0, 0, n)
			_, today := noon.Zone()
			if _, tomorrow := noon.AddDate(0, 0, 1).Zone(); today != tomorrow {
				days = append(days, noon.Format(time.DateOnly), noon.AddDate(0, 0, 1).Format(time.DateOnly))
			}
		}
	}
	return days
}

func checkSlice(tb testing.TB, slice api.Slice) {
	tb.Helper()
	check := func(what, departure, arrival string, minutes *int) {
		if elapsed := at(tb, arrival).Sub(at(tb, departure)); minutes == nil || elapsed != time.Duration(*minutes)*time.Minute {
			tb.Errorf("%s from %s to %s takes %s, and says %v minutes", what, departure, arrival, elapsed, minutes)
		}
	}
	check("slice", slice.DepartureAt, slice.ArrivalAt, slice.DurationMinutes)
	for i, segment := range slice.Segments {
		check("segment", segment.DepartureAt, segment.ArrivalAt, segment.DurationMinutes)
		if i > 0 && at(tb, segment.DepartureAt).Sub(at(tb, slice.Segments[i-1].ArrivalAt)) < 20*time.Minute {
			tb.Errorf("a layover of less than 20 minutes before %s", segment.DepartureAt)
		}
	}
}

func at(tb testing.TB, text string) time.Time {
	tb.Helper()
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestAFamilyThereAndBackAndThreeCities(t *testing.T) {
	base := startService(t, nil)
	back := searchFor(t, base, "origin", "FRA", "destination", "NYC", "departure_date", inDays(40), "return_date", inDays(54),
		"adults", "2", "children", "1", "child_ages", "7", "infants", "1")
	if len(back.Itineraries) == 0 || len(back.Itineraries[0].Slices) != 2 || !back.Complete {
		t.Fatalf("complete %t, %d itineraries", back.Complete, len(back.Itineraries))
	}
	response, body := call(t, http.MethodPost, base+"/v1/flights/search", fmt.Sprintf(`{"slices": [
		{"origin": "jfk", "destination": "LON", "departure_date": %q},
		{"origin": "LHR", "destination": "CDG", "departure_date": %q},
		{"origin": "CDG", "destination": "NYC", "departure_date": %q}], "adults": 2, "child_ages": [7]}`, inDays(30), inDays(35), inDays(40)))
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", response.Status, body)
	}
	cities := decoded(t, body)
	if len(cities.Itineraries) == 0 || len(cities.Itineraries[0].Slices) != 3 || !cities.Complete {
		t.Errorf("complete %t, %d itineraries", cities.Complete, len(cities.Itineraries))
	}
}

func TestAHangingProviderIsLeftBehind(t *testing.T) {
	base := startService(t, map[string]string{"PROVIDER_TIMEOUT": "300ms", "SEARCH_TIMEOUT": "1s"})
	call(t, http.MethodPut, base+"/sandbox/faults/duffel", `{"mode": "hang"}`)
	result := searchFor(t, base, "origin", "JFK", "destination", "LHR", "departure_date", inDays(30))
	if result.Complete || result.Providers[0].Status != "timeout" || len(result.Itineraries) == 0 {
		t.Errorf("complete %t, duffel %q, %d itineraries", result.Complete, result.Providers[0].Status, len(result.Itineraries))
	}
}

func TestAllProvidersErring(t *testing.T) {
	base := startService(t, nil)
	for _, provider := range []string{"duffel", "amadeus", "skyscanner"} {
		call(t, http.MethodPut, base+"/sandbox/faults/"+provider, `{"mode": "error", "status": 500}`)
	}
	response, body := call(t, http.MethodGet, base+"/v1/flights/search?origin=JFK&destination=LHR&departure_date="+inDays(30), "")
	var problem api.Problem
	if err := json.Unmarshal(body, &problem); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" || len(problem.Providers) != 3 {
		t.Errorf("%s, Retry-After %q: %s", response.Status, response.Header.Get("Retry-After"), body)
	}
}

// TestEveryFaultOfAProvider shows that no fault of one provider spoils a search
// or becomes a server error.
func TestEveryFaultOfAProvider(t *testing.T) {
	for _, provider := range []string{"duffel", "amadeus", "skyscanner"} {
		for fault, want := range map[string]string{
			`{"mode": "hang"}`: "timeout", `{"mode": "error", "status": 503}`: "error", `{"mode": "rate_limit"}`: "rate_limited",
			`{"mode": "malformed"}`: "error", `{"mode": "truncated"}`: "error", `{"mode": "huge"}`: "error",
			`{"mode": "unauthorized"}`: "error", `{"mode": "slow", "delay": "5s"}`: "timeout",
		} {
			limit := "20s" // What errs has all the time it needs to say so.
			if want == "timeout" {
				limit = "700ms"
			}
			base := startService(t, map[string]string{
				"PROVIDER_TIMEOUT": limit, "SEARCH_TIMEOUT": "30s", "SEARCH_SOFT_TIMEOUT": "30s",
				"HEDGE_MAX_ATTEMPTS": "1", "PROVIDERS": provider + "," + other(provider),
			})
			call(t, http.MethodPut, base+"/sandbox/faults/"+provider, fault)
			result := searchFor(t, base, "origin", "JFK", "destination", "LHR", "departure_date", inDays(30))
			if got := string(result.Providers[0].Status); got != want || result.Complete || len(result.Itineraries) == 0 {
				t.Errorf("%s with %s: %q (%v), want %q; complete %t", provider, fault, got, result.Providers[0].Error, want, result.Complete)
			}
		}
	}
}

func other(provider string) string {
	if provider == "amadeus" {
		return "duffel"
	}
	return "amadeus"
}
