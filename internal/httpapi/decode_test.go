package httpapi_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/search"
)

const oneWay = "/v1/flights/search?origin=JFK&destination=LHR&departure_date=2026-12-15"

// understood is what a request without any option means.
func understood(change func(*search.Request)) search.Request {
	req := search.Request{
		Query: flight.Query{
			Slices:     []flight.SliceQuery{{Origin: "JFK", Destination: "LHR", Departure: flight.Date{Year: 2026, Month: time.December, Day: 15}}},
			Passengers: flight.Passengers{Adults: 1},
			Cabin:      flight.CabinEconomy,
		},
		View: search.View{Currency: "USD", Sort: search.SortBest, Limit: 20},
	}
	if change != nil {
		change(&req)
	}
	return req
}

// everyOption sets each name of the contract to something else than its default.
func everyOption(req *search.Request) {
	req.Query.Passengers = flight.Passengers{Adults: 2, ChildAges: []int{12, 7}, Infants: 1}
	req.Query.Cabin = flight.CabinPremiumEconomy
	req.Timeout = 1500 * time.Millisecond
	req.MaxAge = new(30 * time.Second)
	req.View = search.View{
		Currency: "EUR", Sort: search.SortFastest, Limit: 100, Cursor: "abc",
		Filter: search.Filter{
			MaxStops:        new(0),
			Carriers:        []string{"BA", "U2"},
			ExcludeCarriers: []string{"FR"},
			MaxPrice:        flight.Money{Minor: 80050, Currency: "EUR"},
			MaxDuration:     10 * time.Hour,
			Depart:          search.Window{After: new(22 * 60), Before: new(90)},
			Arrive:          search.Window{After: new(0), Before: new(23*60 + 59)},
			CheckedBag:      true,
		},
	}
}

func TestQueryIsUnderstood(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		target string
		want   search.Request
	}{
		"defaults": {oneWay, understood(nil)},
		"any case, blanks around": {
			"/v1/flights/search?origin=+jfk+&destination=%20Lhr&departure_date=2026-12-15&currency=usd", understood(nil),
		},
		"return date makes the way back": {
			oneWay + "&return_date=2026-12-15", understood(func(req *search.Request) {
				req.Query.Slices = append(req.Query.Slices, flight.SliceQuery{
					Origin: "LHR", Destination: "JFK", Departure: flight.Date{Year: 2026, Month: time.December, Day: 15},
				})
			}),
		},
		"children without ages": {
			oneWay + "&children=2", understood(func(req *search.Request) {
				req.Query.Passengers.ChildAges = []int{flight.AssumedChildAge, flight.AssumedChildAge}
			}),
		},
		"children with as many ages": {
			oneWay + "&children=1&child_ages=3", understood(func(req *search.Request) {
				req.Query.Passengers.ChildAges = []int{3}
			}),
		},
		"exact price of a currency without decimals": {
			oneWay + "&currency=JPY&max_price=12345.00", understood(func(req *search.Request) {
				req.View.Currency = "JPY"
				req.View.Filter.MaxPrice = flight.Money{Minor: 12345, Currency: "JPY"}
			}),
		},
		"everything": {
			oneWay + "&adults=2&child_ages=12,7&infants=1&cabin=premium_economy&currency=EUR&max_stops=0" +
				"&carriers=ba,+U2,BA&exclude_carriers=FR&max_price=800.5&max_duration_minutes=600" +
				"&depart_after=22:00&depart_before=01:30&arrive_after=00:00&arrive_before=23:59&checked_bag=true" +
				"&sort=fastest&limit=100&cursor=abc&timeout_ms=1500&max_age_seconds=30", understood(everyOption),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &searcher{}
			if w := ask(t, httpapi.New(options(s)), get(test.target)); w.Code != http.StatusOK {
				t.Fatalf("%d: %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(test.want, s.last(t), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBodyIsUnderstood(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body string
		want search.Request
	}{
		"defaults": {`{"slices":[{"origin":" jfk","destination":"lhr","departure_date":"2026-12-15"}]}`, understood(nil)},
		"several cities": {
			`{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"},
				{"origin":"LHR","destination":"FCO","departure_date":"2026-12-19"},
				{"origin":"FCO","destination":"JFK","departure_date":"2026-12-27"}]}`,
			understood(func(req *search.Request) {
				req.Query.Slices = append(req.Query.Slices,
					flight.SliceQuery{Origin: "LHR", Destination: "FCO", Departure: flight.Date{Year: 2026, Month: time.December, Day: 19}},
					flight.SliceQuery{Origin: "FCO", Destination: "JFK", Departure: flight.Date{Year: 2026, Month: time.December, Day: 27}})
			}),
		},
		"everything": {
			`{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}],
				"adults":2,"children":2,"child_ages":[12,7],"infants":1,"cabin":"premium_economy","currency":"eur","max_stops":0,
				"carriers":["BA","u2"],"exclude_carriers":["FR"],"max_price":"800.50","max_duration_minutes":600,
				"depart_after":"22:00","depart_before":"01:30","arrive_after":"00:00","arrive_before":"23:59","checked_bag":true,
				"sort":"fastest","limit":100,"cursor":"abc","timeout_ms":1500,"max_age_seconds":30}`,
			understood(everyOption),
		},
		"price as a number keeps its digits": {
			`{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"}],"max_price":0.10}`,
			understood(func(req *search.Request) { req.View.Filter.MaxPrice = flight.Money{Minor: 10, Currency: "USD"} }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &searcher{}
			if w := ask(t, httpapi.New(options(s)), post(test.body)); w.Code != http.StatusOK {
				t.Fatalf("%d: %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(test.want, s.last(t), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBothFormsAskTheSame: a return trip by query and by body is one question.
func TestBothFormsAskTheSame(t *testing.T) {
	t.Parallel()
	s := &searcher{}
	h := httpapi.New(options(s))
	ask(t, h, get(oneWay+"&return_date=2026-12-22&children=1&currency="+url.QueryEscape(" gbp ")))
	byQuery := s.last(t)
	ask(t, h, post(`{"slices":[{"origin":"JFK","destination":"LHR","departure_date":"2026-12-15"},
		{"origin":"LHR","destination":"JFK","departure_date":"2026-12-22"}],"children":1,"currency":"GBP"}`))
	if diff := cmp.Diff(byQuery, s.last(t)); diff != "" {
		t.Errorf("(-query +body):\n%s", diff)
	}
}
