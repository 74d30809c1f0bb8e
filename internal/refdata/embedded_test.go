package refdata_test

import (
	"testing"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

func TestEmbeddedAirports(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	count := 0
	for a := range c.Airports() {
		count++
		if city, ok := c.City(a.CityCode); !ok || city.Country != a.Country {
			t.Errorf("%s in %s belongs to the city %v", a.IATA, a.Country, city)
		}
	}
	if count != 4114 {
		t.Errorf("%d airports, want the 4113 of the source and Western Sydney", count)
	}
	for _, test := range []struct{ iata, city, zone string }{
		{"VIZ", "Visakhapatnam", "Asia/Kolkata"},
		{"WSI", "Sydney", "Australia/Sydney"},
		{"CKG", "Chongqing", "Asia/Shanghai"},
	} {
		if a, ok := c.Airport(test.iata); !ok || a.City != test.city || a.Zone != test.zone {
			t.Errorf("%s is %v", test.iata, a)
		}
	}
}

func TestEmbeddedCarriers(t *testing.T) {
	t.Parallel()
	members := make(map[string]int)
	count := 0
	for carrier := range embedded(t).Carriers() {
		members[carrier.Alliance]++
		count++
	}
	if count < 250 {
		t.Errorf("%d carriers", count)
	}
	for alliance, want := range map[string]int{"Star Alliance": 26, "oneworld": 16, "SkyTeam": 18} {
		if members[alliance] != want {
			t.Errorf("%s has %d members, want %d", alliance, members[alliance], want)
		}
	}
	if len(members) != 4 {
		t.Errorf("alliances are %v", members)
	}
}

func TestEmbeddedCurrencies(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	digits := map[string]int{"USD": 2, "JPY": 0, "KWD": 3, "EUR": 2}
	withRate := 0
	for _, currency := range c.Currencies() {
		if want, ok := digits[currency.Code]; ok && currency.Digits != want {
			t.Errorf("%s has %d digits", currency.Code, currency.Digits)
		}
		if currency.HasRate {
			withRate++
		}
	}
	// The ECB's 29 and the euro.
	if withRate != 30 {
		t.Errorf("%d currencies have a rate", withRate)
	}
	if rates := c.Rates(); rates.Source != refdata.SourceECB || rates.AsOf != (flight.Date{Year: 2026, Month: 7, Day: 6}) {
		t.Errorf("rates of %v by %s", rates.AsOf, rates.Source)
	}
}

func BenchmarkEmbedded(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := refdata.Embedded(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkZone(b *testing.B) {
	c := embedded(b)
	b.ReportAllocs()
	for b.Loop() {
		c.Zone("LON")
	}
}
