package sandbox_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// now is the moment of all tests that do not move the clock.
var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// in is the date so many days after now.
func in(days int) string { return flight.DateOf(now).AddDays(days).String() }

// bed is a sandbox behind a server, and a client that knows the vendors' ways.
type bed struct {
	*testing.T
	*httptest.Server
	world *sandbox.Sandbox
	clock time.Time
	token string
}

func newBed(t *testing.T) *bed {
	t.Helper()
	catalog, err := refdata.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{T: t, clock: now}
	b.world = sandbox.New(catalog, sandbox.Options{Seed: 1, Now: func() time.Time { return b.clock }})
	b.Server = httptest.NewServer(b.world.Handler())
	t.Cleanup(func() {
		b.world.Close()
		b.Server.Close()
	})
	return b
}

// answer is a status, headers and body.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// as decodes the body.
func as[V any](t *testing.T, a answer) V {
	t.Helper()
	var v V
	if err := json.Unmarshal(a.body, &v); err != nil {
		t.Fatalf("status %d, %v: %.300s", a.status, err, a.body)
	}
	return v
}

func (b *bed) call(method, path string, header map[string]string, body string) answer {
	b.Helper()
	a, err := b.try(b.Context(), method, path, header, body)
	if err != nil {
		b.Fatal(err)
	}
	return a
}

func (b *bed) try(ctx context.Context, method, path string, header map[string]string, body string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, b.URL+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	response, err := b.Client().Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, read}, err
}

var duffelHeader = map[string]string{"Authorization": "Bearer duffel_test_x", "Duffel-Version": "v2", "Content-Type": "application/json"}

// duffel asks for an offer request; the passengers are JSON.
func (b *bed) duffel(slices, passengers string) answer {
	b.Helper()
	return b.call("POST", "/duffel/air/offer_requests?return_offers=true&supplier_timeout=5000", duffelHeader,
		`{"data":{"cabin_class":"economy","max_connections":2,"slices":[`+slices+`],"passengers":[`+passengers+`]}}`)
}

// leg is a slice as Duffel asks for it.
func leg(origin, destination string, days int) string {
	return `{"origin":"` + origin + `","destination":"` + destination + `","departure_date":"` + in(days) + `"}`
}

const family = `{"type":"adult"},{"type":"adult"},{"age":7},{"age":1}`

func (b *bed) amadeusHeader() map[string]string {
	b.Helper()
	if b.token == "" {
		a := b.call("POST", "/amadeus/v1/security/oauth2/token", map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
			"grant_type=client_credentials&client_id=id&client_secret=secret")
		b.token = as[struct {
			Token string `json:"access_token"`
		}](b.T, a).Token
	}
	return map[string]string{"Authorization": "Bearer " + b.token}
}

// amadeus asks by GET; more parameters are name and value by turns.
func (b *bed) amadeus(origin, destination string, days int, more ...string) answer {
	b.Helper()
	q := url.Values{
		"originLocationCode": {origin}, "destinationLocationCode": {destination}, "departureDate": {in(days)}, "adults": {"1"}, "currencyCode": {"USD"},
	}
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return b.call("GET", "/amadeus/v2/shopping/flight-offers?"+q.Encode(), b.amadeusHeader(), "")
}

var skyscannerHeader = map[string]string{"X-Api-Key": "key", "Content-Type": "application/json"}

const live = "/skyscanner/apiservices/v3/flights/live"

// skyscannerQuery is the body of create.
func skyscannerQuery(origin, destination string, days int, currency, ages string) string {
	date := flight.DateOf(now).AddDays(days)
	day, _ := json.Marshal(map[string]int{"year": date.Year, "month": int(date.Month), "day": date.Day})
	return `{"query":{"market":"US","locale":"en-US","currency":"` + currency + `","cabinClass":"CABIN_CLASS_ECONOMY","adults":2,"childrenAges":[` + ages +
		`],"queryLegs":[{"originPlaceId":{"iata":"` + origin + `"},"destinationPlaceId":{"iata":"` + destination + `"},"date":` + string(day) + `}]}}`
}

// skyscanner creates a session and polls until it is complete. It returns the
// last answer with content.
func (b *bed) skyscanner(body string) (skyAnswer, int) {
	b.Helper()
	first := b.call("POST", live+"/search/create", skyscannerHeader, body)
	found := as[skyAnswer](b.T, first)
	if first.status != http.StatusOK || found.Status != "RESULT_STATUS_INCOMPLETE" {
		b.Fatalf("create: status %d, %.300s", first.status, first.body)
	}
	for polls := 1; polls < 5; polls++ {
		next := as[skyAnswer](b.T, b.call("POST", live+"/search/poll/"+found.Token, skyscannerHeader, ""))
		if next.Action == "RESULT_ACTION_REPLACED" {
			found.Content = next.Content
		}
		found.Token, found.Status = next.Token, next.Status
		if next.Status == "RESULT_STATUS_COMPLETE" {
			return found, polls
		}
	}
	b.Fatal("never complete")
	return found, 0
}
