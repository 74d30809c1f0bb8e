package sandbox_test

import (
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSkyscannerSessions(t *testing.T) {
	b := newBed(t)
	body := skyscannerQuery("JFK", "LHR", 30, "USD", "7,1")
	created := as[skyAnswer](t, b.call("POST", live+"/search/create", skyscannerHeader, body))
	whole, _ := b.skyscanner(body)
	some, all := len(created.Content.Results.Itineraries), len(whole.Content.Results.Itineraries)
	if created.Action != "RESULT_ACTION_REPLACED" || some < 10 || some >= all || all < 50 {
		t.Errorf("create answers %s with %d of %d itineraries", created.Action, some, all)
	}
	if created.Token == whole.Token {
		t.Error("the token does not change")
	}
	for id := range created.Content.Results.Itineraries {
		if _, ok := whole.Content.Results.Itineraries[id]; !ok {
			t.Errorf("%s is gone from the complete list", id)
		}
	}
	after := as[skyAnswer](t, b.call("POST", live+"/search/poll/"+whole.Token, skyscannerHeader, ""))
	if after.Status != "RESULT_STATUS_COMPLETE" || after.Action != "RESULT_ACTION_NOT_MODIFIED" {
		t.Errorf("polled after the end: %s %s", after.Status, after.Action)
	}
	short := b.call("POST", "/skyscanner/flights/live/search/poll/"+created.Token, skyscannerHeader, "")
	if short.status != http.StatusOK {
		t.Errorf("without /apiservices/v3: %d", short.status)
	}
	b.clock = now.Add(61 * time.Minute)
	if a := b.call("POST", live+"/search/poll/"+created.Token, skyscannerHeader, ""); a.status != http.StatusGone {
		t.Errorf("an hour later: %d", a.status)
	}
}

func TestSomeSkyscannerSessionsTakeTwoPolls(t *testing.T) {
	b := newBed(t)
	counts := map[int]int{}
	for days := 1; days <= 60; days++ {
		_, polls := b.skyscanner(skyscannerQuery("LDH", "SYD", days, "USD", ""))
		counts[polls]++
	}
	if counts[1] < 40 || counts[2] == 0 || counts[1]+counts[2] != 60 {
		t.Errorf("sessions by number of polls: %v", counts)
	}
}

// Every id leads somewhere, and every price is an amount of the currency or
// missing.
func TestSkyscannerResultsHoldTogether(t *testing.T) {
	b := newBed(t)
	found, _ := b.skyscanner(skyscannerQuery("JFK", "LHR", 30, "USD", "7,1"))
	r := found.Content.Results
	missing, options, self := 0, 0, 0
	for id, it := range r.Itineraries {
		for _, leg := range it.LegIDs {
			for _, s := range r.Legs[leg].SegmentIDs {
				g, ok := r.Segments[s]
				if !ok || r.Places[g.OriginPlaceID].IATA == "" || r.Carriers[g.OperatingCarrierID].Name == "" || r.Carriers[g.MarketingCarrierID].Name == "" || g.DurationInMinutes <= 0 {
					t.Errorf("%s: segment %s leads nowhere", id, s)
				}
				country := r.Places[r.Places[r.Places[g.OriginPlaceID].ParentID].ParentID]
				if country.Type != "PLACE_TYPE_COUNTRY" {
					t.Errorf("%s: %s is in no country", id, g.OriginPlaceID)
				}
			}
			if r.Legs[leg].StopCount != len(r.Legs[leg].SegmentIDs)-1 {
				t.Errorf("%s: %d stops", id, r.Legs[leg].StopCount)
			}
		}
		for _, o := range it.PricingOptions {
			options++
			if o.Price.Amount == "" {
				missing++
				continue
			}
			var sum int64
			for _, item := range o.Items {
				n, err := strconv.ParseInt(item.Price.Amount, 10, 64)
				if err != nil || n%10 != 0 || item.Price.Unit != "PRICE_UNIT_MILLI" || r.Agents[item.AgentID].Name == "" {
					t.Errorf("%s: item %+v", id, item)
				}
				if link, err := url.Parse(item.DeepLink); err != nil || link.Scheme != "https" {
					t.Errorf("%s: link %s", id, item.DeepLink)
				}
				sum += n
			}
			if strconv.FormatInt(sum, 10) != o.Price.Amount {
				t.Errorf("%s: items are %d, the option %s", id, sum, o.Price.Amount)
			}
			if o.TransferType == "TRANSFER_TYPE_SELF_TRANSFER" {
				self++
				if len(o.Items) != 2 {
					t.Errorf("%s: a self transfer of %d bookings", id, len(o.Items))
				}
			}
		}
	}
	if missing == 0 || missing > options/10 || self == 0 {
		t.Errorf("%d options, %d without a price, %d self transfers", options, missing, self)
	}
	if n := len(found.Content.SortingOptions.Best); n != len(r.Itineraries) {
		t.Errorf("%d itineraries sorted of %d", n, len(r.Itineraries))
	}
}

func TestSkyscannerCurrencies(t *testing.T) {
	b := newBed(t)
	price := func(currency string) *big.Rat {
		found, _ := b.skyscanner(skyscannerQuery("LHR", "CDG", 30, currency, ""))
		it := found.Content.Results.Itineraries[found.Content.SortingOptions.Cheapest[0].ItineraryID]
		amount, ok := new(big.Rat).SetString(it.PricingOptions[0].Price.Amount)
		if !ok {
			t.Fatalf("%s: %+v", currency, it.PricingOptions[0])
		}
		return amount.Quo(amount, big.NewRat(1000, 1))
	}
	if yen := price("JPY"); !yen.IsInt() || yen.Cmp(big.NewRat(2000, 1)) < 0 {
		t.Errorf("two adults fly for %s yen", yen.FloatString(3))
	}
	usd, eur := price("USD"), price("EUR")
	if eur.Cmp(usd) >= 0 || eur.Cmp(new(big.Rat).Mul(usd, big.NewRat(7, 10))) < 0 {
		t.Errorf("%s dollars are %s euros", usd.FloatString(2), eur.FloatString(2))
	}
}

func TestSkyscannerRefresh(t *testing.T) {
	b := newBed(t)
	found, _ := b.skyscanner(skyscannerQuery("JFK", "LHR", 30, "USD", "7"))
	id := found.Content.SortingOptions.Best[5].ItineraryID
	want := found.Content.Results.Itineraries[id]
	created := as[skyAnswer](t, b.call("POST", live+"/itineraryrefresh/create/"+found.Token, skyscannerHeader, `{"itineraryId":"`+id+`"}`))
	if created.Action != "RESULT_ACTION_OMITTED" || created.RefreshToken == "" {
		t.Fatalf("created: %+v", created)
	}
	polled := as[skyAnswer](t, b.call("POST", live+"/itineraryrefresh/poll/"+created.RefreshToken, skyscannerHeader, ""))
	got := polled.Content.Results.Itineraries[id]
	if len(polled.Content.Results.Itineraries) != 1 || len(got.PricingOptions) != len(want.PricingOptions) || got.PricingOptions[0].Price != want.PricingOptions[0].Price {
		t.Errorf("want %+v, got %+v", want, got)
	}
	for path, want := range map[string]int{
		"/itineraryrefresh/create/" + found.Token + "x":          http.StatusNotFound,
		"/itineraryrefresh/poll/r999" + created.RefreshToken[4:]: http.StatusNotFound,
		"/itineraryrefresh/poll/nothing":                         http.StatusNotFound,
		"/search/poll/nothing":                                   http.StatusNotFound,
	} {
		if a := b.call("POST", live+path, skyscannerHeader, `{"itineraryId":"x"}`); a.status != want {
			t.Errorf("%s: %d, want %d", path, a.status, want)
		}
	}
}

func TestSkyscannerRefusals(t *testing.T) {
	b := newBed(t)
	good := skyscannerQuery("JFK", "LHR", 30, "USD", "")
	if a := b.call("POST", live+"/search/create", nil, good); a.status != http.StatusUnauthorized {
		t.Errorf("no key: %d", a.status)
	}
	for name, test := range map[string]struct {
		body  string
		names []string
	}{
		"no JSON":     {"{", []string{"JSON"}},
		"empty":       {"{}", []string{"market", "locale", "currency", "queryLegs", "adults"}},
		"the past":    {skyscannerQuery("JFK", "LHR", -1, "USD", ""), []string{"past"}},
		"too far":     {skyscannerQuery("JFK", "LHR", 362, "USD", ""), []string{"future"}},
		"no date":     {strings.Replace(good, `"month":12`, `"month":13`, 1), []string{"not a date"}},
		"place":       {strings.Replace(good, `"iata":"JFK"`, `"entityId":"95"`, 1), []string{"iata"}},
		"currency":    {strings.Replace(good, "USD", "XXX", 1), []string{"XXX"}},
		"cabin":       {strings.Replace(good, "ECONOMY", "STEERAGE", 1), []string{"STEERAGE"}},
		"nine adults": {strings.Replace(good, `"adults":2`, `"adults":9`, 1), []string{"adults"}},
		"a man of 18": {skyscannerQuery("JFK", "LHR", 30, "USD", "18"), []string{"childrenAges"}},
		"laps":        {skyscannerQuery("JFK", "LHR", 30, "USD", "1,1,0"), []string{"infant"}},
	} {
		a := b.call("POST", live+"/search/create", skyscannerHeader, test.body)
		found := as[struct {
			Code    int
			Message string
		}](t, a)
		if a.status != http.StatusBadRequest || found.Code != 3 || !slices.ContainsFunc(test.names, func(n string) bool { return strings.Contains(found.Message, n) }) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		for _, n := range test.names {
			if !strings.Contains(found.Message, n) {
				t.Errorf("%s: %q does not speak of %s", name, found.Message, n)
			}
		}
	}
}
