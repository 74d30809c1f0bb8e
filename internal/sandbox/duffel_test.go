package sandbox_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDuffelTotalsAreExact(t *testing.T) {
	b := newBed(t)
	found := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30)+","+leg("LHR", "JFK", 37), family))
	if n := len(found.Data.Offers); n < 50 || n > 200 {
		t.Fatalf("%d offers", n)
	}
	ids := map[string]bool{}
	for _, o := range found.Data.Offers {
		if ids[o.ID] {
			t.Errorf("%s twice", o.ID)
		}
		ids[o.ID] = true
		if cents(o.Base)+cents(o.Tax) != cents(o.Total) || o.Currency != "USD" {
			t.Errorf("%s: %s and %s are not %s %s", o.ID, o.Base, o.Tax, o.Total, o.Currency)
		}
		if len(o.Slices) != 2 || o.Slices[0].Brand == "" || len(o.Passengers) != 4 {
			t.Errorf("%s: %d slices, %d passengers", o.ID, len(o.Slices), len(o.Passengers))
		}
		for _, p := range o.Slices[0].Segments[0].Passengers {
			i := slices.IndexFunc(o.Passengers, func(q struct{ ID, Type string }) bool { return q.ID == p.ID })
			if i < 0 {
				t.Errorf("%s: passenger %s is nobody", o.ID, p.ID)
			} else if infant := o.Passengers[i].Type == "infant_without_seat"; infant != (len(p.Baggages) == 0) {
				t.Errorf("%s: %s has %v", o.ID, o.Passengers[i].Type, p.Baggages)
			}
		}
		checkDuffelTimes(t, o)
	}
}

// checkDuffelTimes holds the clock readings and zones of a segment against its
// duration.
func checkDuffelTimes(t *testing.T, o duffelOffer) {
	t.Helper()
	for _, s := range o.Slices {
		for _, g := range s.Segments {
			elapsed := instant(t, g.Arriving, g.Destination.Zone).Sub(instant(t, g.Departing, g.Origin.Zone))
			want, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(g.Duration, "PT")))
			if err != nil || elapsed != want {
				t.Errorf("%s: %s to %s is %s, not %s", o.ID, g.Departing, g.Arriving, elapsed, g.Duration)
			}
		}
	}
}

func instant(t *testing.T, wall, zone string) time.Time {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", wall, loc)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestDuffelOfferById(t *testing.T) {
	b := newBed(t)
	found := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30), family)).Data.Offers[7]
	get := func(id string) answer { return b.call("GET", "/duffel/air/offers/"+id, duffelHeader, "") }
	type single struct{ Data duffelOffer }

	again := as[single](t, get(found.ID)).Data
	if again.ID != found.ID || again.Total != found.Total || again.key() != found.key() || again.ExpiresAt != found.ExpiresAt {
		t.Errorf("found %+v, then %+v", found, again)
	}
	expires, err := time.Parse(time.RFC3339, found.ExpiresAt)
	if err != nil || expires.Sub(now) != 30*time.Minute {
		t.Errorf("expires at %s", found.ExpiresAt)
	}
	if a := get("off_0000AGqEDmRmLG3liMrI12"); a.status != http.StatusNotFound {
		t.Errorf("somebody else's offer: %d", a.status)
	}
	if a := get(found.ID[:len(found.ID)-1] + "1"); a.status != http.StatusNotFound {
		t.Errorf("a forged id: %d", a.status)
	}
	b.clock = now.Add(31 * time.Minute)
	if a := get(found.ID); a.status != http.StatusUnprocessableEntity || !strings.Contains(string(a.body), "offer_no_longer_available") {
		t.Errorf("expired: %d %s", a.status, a.body)
	}
}

func TestDuffelPages(t *testing.T) {
	b := newBed(t)
	whole := as[duffelAnswer](t, b.duffel(leg("JFK", "LHR", 30), family))
	ask := "/duffel/air/offers?offer_request_id=" + whole.Data.ID + "&limit=40&sort=-total_amount&after="
	seen, after, last := map[string]bool{}, "", int64(1<<62)
	for pages := 0; pages == 0 || after != ""; pages++ {
		page := as[duffelPage](t, b.call("GET", ask+after, duffelHeader, ""))
		for _, o := range page.Data {
			if seen[o.ID] || cents(o.Total) > last {
				t.Errorf("%s at %s twice or out of order", o.ID, o.Total)
			}
			seen[o.ID], last = true, cents(o.Total)
		}
		if after = ""; page.Meta.After != nil {
			after = *page.Meta.After
		}
		if after != "" && len(page.Data) != 40 || page.Meta.Limit != 40 {
			t.Errorf("page %d has %d offers of %d", pages, len(page.Data), page.Meta.Limit)
		}
	}
	if len(seen) != len(whole.Data.Offers) {
		t.Errorf("%d offers in pages, %d at once", len(seen), len(whole.Data.Offers))
	}
	for _, o := range whole.Data.Offers {
		if !seen[o.ID] {
			t.Errorf("%s in no page", o.ID)
		}
	}
}

func TestDuffelConnections(t *testing.T) {
	b := newBed(t)
	for most, asked := range []string{`"max_connections":0,`, ``} { // The vendor's default is one.
		found := as[duffelAnswer](t, b.call("POST", "/duffel/air/offer_requests", duffelHeader,
			`{"data":{`+asked+`"slices":[`+leg("GOT", "PDX", 30)+`],"passengers":[{"type":"adult"}]}}`))
		for _, o := range found.Data.Offers {
			if n := len(o.Slices[0].Segments) - 1; n > most {
				t.Errorf("%d connections of at most %d", n, most)
			}
		}
	}
	without := b.call("POST", "/duffel/air/offer_requests?return_offers=false", duffelHeader,
		`{"data":{"slices":[`+leg("JFK", "LHR", 30)+`],"passengers":[{"type":"adult"}]}}`)
	if found := as[duffelAnswer](t, without); without.status != http.StatusCreated || found.Data.ID == "" || found.Data.Offers != nil {
		t.Errorf("return_offers=false: %d, %d offers", without.status, len(found.Data.Offers))
	}
}

func TestDuffelRefusals(t *testing.T) {
	b := newBed(t)
	body := func(slices, passengers string) string {
		return `{"data":{"slices":[` + slices + `],"passengers":[` + passengers + `]}}`
	}
	good := body(leg("JFK", "LHR", 30), `{"type":"adult"}`)
	token, version := "Bearer duffel_test_x", "v2"
	for _, test := range []struct {
		name, token, version, body string
		status                     int
		codes                      []string
	}{
		{"no token", "", version, good, 401, []string{"missing_authorization_header"}},
		{"no version", token, "", good, 400, []string{"missing_version_header"}},
		{"an old version", token, "v1", good, 400, []string{"unsupported_version"}},
		{"no JSON", token, version, `{"data":`, 400, []string{"malformed_json"}},
		{"no data", token, version, `{}`, 422, []string{"validation_required"}},
		{"empty", token, version, `{"data":{}}`, 422, []string{"validation_required", "validation_required"}},
		{"the past", token, version, body(leg("JFK", "LHR", -1), `{"type":"adult"}`), 422, []string{"validation_invalid"}},
		{"too far", token, version, body(leg("JFK", "LHR", 362), `{"type":"adult"}`), 422, []string{"validation_invalid"}},
		{"three faults", token, version, body(leg("J", "LHR", -1), `{"type":"pilot"}`), 422, []string{"validation_invalid", "validation_invalid", "validation_invalid"}},
		{"an infant alone", token, version, body(leg("JFK", "LHR", 3), `{"age":1}`), 422, []string{"validation_invalid"}},
		{"ten adults", token, version, body(leg("JFK", "LHR", 3), strings.Repeat(`{"type":"adult"},`, 9)+`{"type":"adult"}`), 422, []string{"validation_invalid"}},
		{"a number for a place", token, version, body(`{"origin":1}`, `{"type":"adult"}`), 422, []string{"validation_invalid"}},
	} {
		header := map[string]string{"Authorization": test.token, "Duffel-Version": test.version}
		a := b.call("POST", "/duffel/air/offer_requests", header, test.body)
		found := as[struct {
			Errors []struct{ Type, Code, Title, Message string }
			Meta   struct {
				Status    int
				RequestID string `json:"request_id"`
			}
		}](t, a)
		var codes []string
		for _, e := range found.Errors {
			codes = append(codes, e.Code)
		}
		if a.status != test.status || found.Meta.Status != test.status || found.Meta.RequestID == "" || !slices.Equal(codes, test.codes) {
			t.Errorf("%s: %d %s", test.name, a.status, a.body)
		}
	}
	if a := b.call("GET", "/duffel/air/orders", duffelHeader, ""); a.status != http.StatusNotFound || !strings.Contains(string(a.body), `"not_found"`) {
		t.Errorf("no such path: %d %s", a.status, a.body)
	}
}
