package sandbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestAmadeusTotalsAreExact(t *testing.T) {
	b := newBed(t)
	found := as[amadeusAnswer](t, b.amadeus("JFK", "LHR", 30, "adults", "2", "children", "1", "infants", "1", "returnDate", in(37)))
	if n := len(found.Data); n < 50 || n > 250 || found.Meta.Count != n {
		t.Fatalf("%d offers, count %d", n, found.Meta.Count)
	}
	last := int64(0)
	for i, o := range found.Data {
		var sum, base int64
		for _, p := range o.TravelerPricings {
			sum += cents(p.Price.Total)
			base += cents(p.Price.Base)
		}
		if sum != cents(o.Price.GrandTotal) || base != cents(o.Price.Base) || o.Price.Total != o.Price.GrandTotal {
			t.Errorf("offer %s: travellers pay %d, in all %s", o.ID, sum, o.Price.GrandTotal)
		}
		if o.ID != strconv.Itoa(i+1) || sum < last || len(o.Itineraries) != 2 || o.Seats < 1 {
			t.Errorf("offer %s is out of order: %d after %d", o.ID, sum, last)
		}
		last = sum
		if kinds := fmt.Sprint(o.TravelerPricings[0].TravelerType, o.TravelerPricings[2].TravelerType, o.TravelerPricings[3].TravelerType); kinds != "ADULTCHILDHELD_INFANT" {
			t.Errorf("offer %s is for %s", o.ID, kinds)
		}
	}
}

const multiCity = `{"currencyCode":"EUR","originDestinations":[` +
	`{"id":"1","originLocationCode":"JFK","destinationLocationCode":"LHR","departureDateTimeRange":{"date":"%s"}},` +
	`{"id":"2","originLocationCode":"LHR","destinationLocationCode":"FCO","departureDateTimeRange":{"date":"%s"}},` +
	`{"id":"3","originLocationCode":"FCO","destinationLocationCode":"JFK","departureDateTimeRange":{"date":"%s"}}],` +
	`"travelers":[{"id":"1","travelerType":"ADULT"},{"id":"2","travelerType":"HELD_INFANT","associatedAdultId":"1"}],"sources":["GDS"],` +
	`"searchCriteria":{"maxFlightOffers":7,"flightFilters":{"cabinRestrictions":[{"cabin":"BUSINESS","coverage":"MOST_SEGMENTS","originDestinationIds":["1","2","3"]}]}}}`

func TestAmadeusMultiCityByPost(t *testing.T) {
	b := newBed(t)
	header := b.amadeusHeader()
	header["X-HTTP-Method-Override"] = "GET"
	found := as[amadeusAnswer](t, b.call("POST", "/amadeus/v2/shopping/flight-offers", header, fmt.Sprintf(multiCity, in(20), in(24), in(30))))
	if len(found.Data) != 7 {
		t.Fatalf("%d offers of at most 7", len(found.Data))
	}
	for _, o := range found.Data {
		if len(o.Itineraries) != 3 || o.Price.Currency != "EUR" || len(o.TravelerPricings) != 2 {
			t.Errorf("offer %s: %d slices in %s", o.ID, len(o.Itineraries), o.Price.Currency)
		}
		for _, it := range o.Itineraries {
			if from := it.Segments[0].Departure.IATA; from != "JFK" && from != "LHR" && from != "FCO" {
				t.Errorf("offer %s leaves from %s", o.ID, from)
			}
		}
	}
}

func TestAmadeusGetAndPostAgree(t *testing.T) {
	b := newBed(t)
	get := b.amadeus("JFK", "LHR", 30)
	post := b.call("POST", "/amadeus/v2/shopping/flight-offers", b.amadeusHeader(),
		`{"currencyCode":"USD","originDestinations":[{"id":"1","originLocationCode":"JFK","destinationLocationCode":"LHR","departureDateTimeRange":{"date":"`+in(30)+
			`"}}],"travelers":[{"id":"1","travelerType":"ADULT"}],"sources":["GDS"]}`)
	_, one, _ := strings.Cut(string(get.body), `"data"`)
	_, two, _ := strings.Cut(string(post.body), `"data"`)
	if one != two || one == "" {
		t.Errorf("GET answers %d bytes, POST %d", len(one), len(two))
	}
}

func TestAmadeusFilters(t *testing.T) {
	b := newBed(t)
	all := as[amadeusAnswer](t, b.amadeus("JFK", "LHR", 30))
	for name, test := range map[string]struct {
		parameters []string
		passes     func(amadeusOffer) bool
	}{
		"nonStop":  {[]string{"nonStop", "true"}, func(o amadeusOffer) bool { return len(o.Itineraries[0].Segments) == 1 }},
		"maxPrice": {[]string{"maxPrice", "450"}, func(o amadeusOffer) bool { return cents(o.Price.GrandTotal) <= 45000 }},
		"maxPrice in yen": {[]string{"maxPrice", "70000", "currencyCode", "JPY"}, func(o amadeusOffer) bool {
			yen, err := strconv.Atoi(o.Price.GrandTotal)
			return err == nil && yen <= 70000
		}},
		"max": {[]string{"max", "9"}, func(o amadeusOffer) bool { return len(o.ID) == 1 }},
		"included": {[]string{"includedAirlineCodes", "BA,AA"}, func(o amadeusOffer) bool {
			return strings.Contains(o.key(), " BA\n") || strings.Contains(o.key(), " AA\n")
		}},
		"excluded": {[]string{"excludedAirlineCodes", "BA,AA"}, func(o amadeusOffer) bool {
			return !strings.Contains(o.key(), " BA\n") && !strings.Contains(o.key(), " AA\n")
		}},
	} {
		found := as[amadeusAnswer](t, b.amadeus("JFK", "LHR", 30, test.parameters...))
		if len(found.Data) == 0 || len(found.Data) >= len(all.Data) {
			t.Errorf("%s: %d of %d offers", name, len(found.Data), len(all.Data))
		}
		for _, o := range found.Data {
			if !test.passes(o) {
				t.Errorf("%s: offer %s should not be there", name, o.ID)
			}
		}
	}
}

func TestAmadeusPricesAnOfferAgain(t *testing.T) {
	b := newBed(t)
	raw := as[struct{ Data []json.RawMessage }](t, b.amadeus("JFK", "LHR", 30, "adults", "2", "children", "1", "returnDate", in(37)))
	price := func(offer json.RawMessage) answer {
		return b.call("POST", "/amadeus/v1/shopping/flight-offers/pricing", b.amadeusHeader(),
			`{"data":{"type":"flight-offers-pricing","flightOffers":[`+string(offer)+`]}}`)
	}
	type priced struct {
		Data struct{ FlightOffers []amadeusOffer }
	}
	for _, i := range []int{0, 20, 49} {
		var sent amadeusOffer
		if err := json.Unmarshal(raw.Data[i], &sent); err != nil {
			t.Fatal(err)
		}
		found := as[priced](t, price(raw.Data[i])).Data.FlightOffers[0]
		if found.Price.GrandTotal != sent.Price.GrandTotal || found.key() != sent.key() || found.ID != sent.ID {
			t.Errorf("offer %s at %s, priced %s", sent.ID, sent.Price.GrandTotal, found.Price.GrandTotal)
		}
		for _, p := range found.TravelerPricings {
			if cents(p.Price.Base)+cents(p.Price.Taxes[0].Amount)+cents(p.Price.Taxes[1].Amount) != cents(p.Price.Total) {
				t.Errorf("offer %s: base and taxes are not %s", sent.ID, p.Price.Total)
			}
		}
	}
	gone := regexp.MustCompile(`T\d\d:\d\d`).ReplaceAllString(string(raw.Data[0]), "T03:33")
	if a := price(json.RawMessage(gone)); a.status != http.StatusBadRequest || !strings.Contains(string(a.body), "No fare applicable") {
		t.Errorf("a flight that never was: %d %s", a.status, a.body)
	}
	if a := price(json.RawMessage(`{}`)); a.status != http.StatusBadRequest {
		t.Errorf("an empty offer: %d %s", a.status, a.body)
	}
}

func TestAmadeusTokens(t *testing.T) {
	b := newBed(t)
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	for body, want := range map[string]string{
		"grant_type=password&client_id=a&client_secret=b":  "unsupported_grant_type",
		"grant_type=client_credentials&client_id=a":        "invalid_client",
		"grant_type=client_credentials&client_secret=only": "invalid_client",
	} {
		a := b.call("POST", "/amadeus/v1/security/oauth2/token", form, body)
		if got := as[struct{ Error string }](t, a).Error; got != want || a.status < 400 {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	ask := func(token string) (int, int) {
		header := map[string]string{}
		if token != "" {
			header["Authorization"] = token
		}
		a := b.call("GET", "/amadeus/v2/shopping/flight-offers?originLocationCode=JFK&destinationLocationCode=LHR&departureDate="+in(3)+"&adults=1", header, "")
		found := as[struct{ Errors []struct{ Code int } }](t, a)
		if len(found.Errors) == 0 {
			return a.status, 0
		}
		return a.status, found.Errors[0].Code
	}
	good := b.amadeusHeader()["Authorization"]
	for token, want := range map[string][2]int{good: {200, 0}, "": {401, 38191}, "Bearer forged": {401, 38190}, good + "x": {401, 38190}} {
		if status, code := ask(token); status != want[0] || code != want[1] {
			t.Errorf("token %q: %d %d, want %v", token, status, code, want)
		}
	}
	other := newBed(t) // Another instance knows the token too.
	other.token = strings.TrimPrefix(good, "Bearer ")
	if a := other.amadeus("JFK", "LHR", 3); a.status != http.StatusOK {
		t.Errorf("another instance: %d", a.status)
	}
	b.clock = now.Add(30 * time.Minute)
	if status, code := ask(good); status != 401 || code != 38192 {
		t.Errorf("expired: %d %d", status, code)
	}
}

func TestAmadeusRefusals(t *testing.T) {
	b := newBed(t)
	for name, test := range map[string]struct {
		parameters []string
		codes      string
	}{
		"the past":           {[]string{"departureDate", in(-1)}, "[425]"},
		"too far":            {[]string{"departureDate", in(362)}, "[425]"},
		"no date":            {[]string{"departureDate", "2026-02-30"}, "[477]"},
		"return before":      {[]string{"returnDate", in(1)}, "[425]"},
		"places":             {[]string{"originLocationCode", "Jfk", "destinationLocationCode", "L"}, "[477 477]"},
		"class and adults":   {[]string{"travelClass", "STEERAGE", "adults", "0"}, "[477 477]"},
		"missing":            {[]string{"originLocationCode", "", "departureDate", ""}, "[32171 32171]"},
		"infants":            {[]string{"infants", "2"}, "[4926]"},
		"seats":              {[]string{"adults", "9", "children", "1"}, "[10661]"},
		"both airline lists": {[]string{"includedAirlineCodes", "BA", "excludedAirlineCodes", "AA"}, "[2668]"},
		"currency":           {[]string{"currencyCode", "XXX"}, "[477]"},
	} {
		a := b.amadeus("JFK", "LHR", 30, test.parameters...)
		found := as[struct {
			Errors []struct {
				Status, Code  int
				Title, Detail string
				Source        struct{ Parameter string }
			}
		}](t, a)
		codes := []int{}
		for _, e := range found.Errors {
			codes = append(codes, e.Code)
			if e.Status != 400 || e.Title == "" || e.Source.Parameter == "" {
				t.Errorf("%s: %+v", name, e)
			}
		}
		if got := fmt.Sprint(codes); a.status != 400 || got != test.codes {
			t.Errorf("%s: %d %s, want %s", name, a.status, got, test.codes)
		}
	}
	for name, body := range map[string]string{"broken": `{"currencyCode":`, "empty": `{}`, "a text": `"x"`} {
		if a := b.call("POST", "/amadeus/v2/shopping/flight-offers", b.amadeusHeader(), body); a.status != 400 || !strings.Contains(string(a.body), `"errors"`) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := b.call("GET", "/amadeus/v1/booking", b.amadeusHeader(), ""); a.status != 404 || !strings.Contains(string(a.body), "38196") {
		t.Errorf("no such path: %d %s", a.status, a.body)
	}
}
