package refdata_test

import (
	"testing"
	_ "time/tzdata" // Zones must load where the system has no database of them.

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// embedded decodes the real data.
func embedded(tb testing.TB) *refdata.Catalog {
	tb.Helper()
	c, err := refdata.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// day is the date of the rates in tests.
var day = flight.Date{Year: 2026, Month: 3, Day: 2}

func newRates(tb testing.TB, perEuro map[string]string) refdata.Rates {
	tb.Helper()
	rates, err := refdata.NewRates(day, "test", perEuro)
	if err != nil {
		tb.Fatal(err)
	}
	return rates
}

// small is data with one of everything; callers spoil it as they need.
func small() refdata.Data {
	return refdata.Data{
		Airports: []refdata.Airport{
			{IATA: "ZZB", Name: "Zett South", City: "Zett", CityCode: "ZZZ", Country: "ZZ", Lat: -0.5, Lon: 12, Zone: "Europe/Oslo"},
			{IATA: "ZZA", ICAO: "ZZZA", Name: "Zett North", City: "Zett", CityCode: "ZZZ", Country: "ZZ", Lat: 1.25, Lon: -179.9999, Zone: "Asia/Tokyo"},
			{IATA: "YYA", Name: "Ypsilon", City: "Ypsilon", CityCode: "YYA", Country: "YY", Zone: "UTC"},
		},
		Cities:        []refdata.City{{Code: "ZZZ", Name: "Zett", Country: "ZZ", Airports: []string{"ZZA", "ZZB"}, AlternateNames: []string{"Żet", "Z"}}},
		Hubs:          []string{"ZZB"},
		Carriers:      []refdata.Carrier{{IATA: "Z9", Name: "Zett Air"}, {IATA: "1A", Name: "First", Alliance: "Pact"}},
		CurrencyNames: map[string]string{"USD": "US Dollar", "JPY": "Japanese Yen"},
	}
}
