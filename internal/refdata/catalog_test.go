package refdata_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for code, want := range map[string]string{
		"JFK": "JFK",
		"LON": "LHR LGW STN LTN LCY SEN",
		"NYC": "JFK EWR LGA HPN SWF ISP",
		"TYO": "HND NRT",
		"HAR": "MDT",
		// Codes of a city and of an airport mean the airport.
		"DXB": "DXB", "IST": "IST", "BER": "BER", "GOI": "GOI", "SYD": "SYD", "SFO": "SFO",
		// An airport in Algeria, though some use the code for the Bay Area.
		"QSF": "QSF",
		"XXX": "", "": "", "lon": "", "JFKX": "",
	} {
		if got := strings.Join(c.Expand(code), " "); got != want {
			t.Errorf("Expand(%q) = %s, want %s", code, got, want)
		}
	}
	if c.Expand("XXX") != nil {
		t.Error("an unknown place is not nil")
	}
}

func TestCityOf(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for iata, want := range map[string]string{
		"JFK": "NYC", "LHR": "LON", "DWC": "DXB", "DXB": "DXB", "GOA": "GOA", "WSI": "SYD", "OAK": "SFO", "QSF": "QSF", "NYC": "", "XXX": "",
	} {
		if got := c.CityOf(iata); got != want {
			t.Errorf("CityOf(%q) = %q, want %q", iata, got, want)
		}
	}
}

func TestCity(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for code, want := range map[string]refdata.City{
		"DXB": {Code: "DXB", Name: "Dubai", Country: "AE", Airports: []string{"DXB", "DWC"}, AlternateNames: []string{"دبي"}},
		"MUC": {Code: "MUC", Name: "Munich", Country: "DE", Airports: []string{"MUC"}, AlternateNames: []string{"München", "Monaco di Baviera", "Munique"}},
		"AAE": {Code: "AAE", Name: "Annaba", Country: "DZ", Airports: []string{"AAE"}},
		"MMA": {Code: "MMA", Name: "Malmö", Country: "SE", Airports: []string{"MMX"}},
	} {
		got, ok := c.City(code)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("City(%q) known %t, differs (-want +got):\n%s", code, ok, diff)
		}
	}
	for _, code := range []string{"JFK", "LHR", "DWC", "XXX", ""} {
		if city, ok := c.City(code); ok {
			t.Errorf("City(%q) = %v, but it is no city", code, city)
		}
	}
}

func TestAirportAndCarrier(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	want := refdata.Airport{
		IATA: "JFK", ICAO: "KJFK", Name: "John F. Kennedy International Airport", City: "New York City", CityCode: "NYC",
		Country: "US", Lat: 40.6423, Lon: -73.7882, Zone: "America/New_York",
	}
	got, ok := c.Airport("JFK")
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("known %t, differs (-want +got):\n%s", ok, diff)
	}
	if a, ok := c.Airport("LON"); ok {
		t.Errorf("the city LON is the airport %v", a)
	}
	if ba, ok := c.Carrier("BA"); !ok || ba != (refdata.Carrier{IATA: "BA", Name: "British Airways", Alliance: "oneworld"}) {
		t.Errorf("BA is %v, %t", ba, ok)
	}
	if x, ok := c.Carrier("ba"); ok {
		t.Errorf("ba is %v", x)
	}
}

// TestImmutable changes what the Catalog gave away and looks again.
func TestImmutable(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	before := c.Encode()
	for _, list := range [][]string{c.Expand("LON"), c.Suggest("london", 1)[0].Airports} {
		list[0] = "XXX"
	}
	city, _ := c.City("LON")
	city.Airports[0], city.AlternateNames[0] = "XXX", "X"
	c.Currencies()[0].Name = "X"
	if diff := cmp.Diff(string(before), string(c.Encode())); diff != "" {
		t.Errorf("the Catalog changed:\n%s", diff)
	}
}

func TestWithRates(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	old := c.Rates()
	newer := c.WithRates(newRates(t, map[string]string{"USD": "2"}))
	if c.Rates().AsOf != old.AsOf || !c.Rates().Known("GBP") {
		t.Error("the rates of the first Catalog changed")
	}
	if newer.Rates().AsOf != day || newer.Rates().Known("GBP") {
		t.Errorf("rates are of %v", newer.Rates().AsOf)
	}
	for _, currency := range newer.Currencies() {
		if want := currency.Code == "USD" || currency.Code == "EUR"; currency.HasRate != want {
			t.Errorf("%s has a rate: %t", currency.Code, currency.HasRate)
		}
	}
	if c.Zone("JFK") != newer.Zone("JFK") || len(newer.Suggest("goa", 10)) != len(c.Suggest("goa", 10)) {
		t.Error("the places are not shared")
	}
}

func TestNewNamesEveryFault(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spoil func(*refdata.Data)
		want  []string
	}{
		"airport twice":    {func(d *refdata.Data) { d.Airports = append(d.Airports, d.Airports[0]) }, []string{"airport ZZB is listed twice"}},
		"short code":       {func(d *refdata.Data) { d.Airports[2].IATA = "Y1A" }, []string{`airport "Y1A"`, "belongs to the city YYA"}},
		"no zone":          {func(d *refdata.Data) { d.Airports[0].Zone = "" }, []string{"airport ZZB lacks"}},
		"tab in a name":    {func(d *refdata.Data) { d.Airports[0].Name = "a\tb" }, []string{"airport ZZB lacks"}},
		"delete in a name": {func(d *refdata.Data) { d.Airports[0].City = "a\x7f" }, []string{"airport ZZB lacks"}},
		"broken UTF-8":     {func(d *refdata.Data) { d.Airports[0].City = "a\xff" }, []string{"airport ZZB lacks"}},
		"off Earth":        {func(d *refdata.Data) { d.Airports[0].Lat = 90.1 }, []string{"not on Earth"}},
		"unknown city":     {func(d *refdata.Data) { d.Airports[0].CityCode = "QQQ" }, []string{"city QQQ, which is unknown", "city ZZZ lists ZZB"}},
		"not a member":     {func(d *refdata.Data) { d.Cities[0].Airports = []string{"ZZB"} }, []string{"airport ZZA belongs to the city ZZZ"}},
		"member twice":     {func(d *refdata.Data) { d.Cities[0].Airports = []string{"ZZA", "ZZB", "ZZA"} }, []string{"city ZZZ lists ZZA"}},
		"unknown member":   {func(d *refdata.Data) { d.Cities[0].Airports = []string{"ZZA", "ZZB", "QQQ"} }, []string{"city ZZZ lists QQQ"}},
		"city twice":       {func(d *refdata.Data) { d.Cities = append(d.Cities, d.Cities[0]) }, []string{"city ZZZ is listed twice"}},
		"city of nothing":  {func(d *refdata.Data) { d.Cities[0].Airports = nil }, []string{`city "ZZZ"`, "airport ZZA", "airport ZZB"}},
		"bar in a name":    {func(d *refdata.Data) { d.Cities[0].AlternateNames[0] = "a|b" }, []string{`unusable name "a|b"`}},
		"hub":              {func(d *refdata.Data) { d.Hubs = []string{"QQQ"} }, []string{`hub "QQQ"`}},
		"hub twice":        {func(d *refdata.Data) { d.Hubs = []string{"ZZA", "ZZA"} }, []string{`hub "ZZA"`}},
		"carrier twice":    {func(d *refdata.Data) { d.Carriers = append(d.Carriers, d.Carriers[0]) }, []string{"carrier Z9 is listed twice"}},
		"carrier code":     {func(d *refdata.Data) { d.Carriers[0].IATA = "BAW" }, []string{`carrier "BAW"`}},
		"carrier name":     {func(d *refdata.Data) { d.Carriers[0].Name = "" }, []string{`carrier "Z9"`}},
		"unknown currency": {func(d *refdata.Data) { d.CurrencyNames["QQQ"] = "Queue" }, []string{`currency "QQQ"`}},
		"everything at once": {func(d *refdata.Data) {
			d.Airports[0].Zone, d.Hubs, d.CurrencyNames["QQQ"], d.Carriers[0].Name = "", []string{"QQQ"}, "Queue", ""
		}, []string{"airport ZZB lacks", `hub "QQQ"`, `currency "QQQ"`, `carrier "Z9"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := small()
			test.spoil(&data)
			_, err := refdata.New(data)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not among the faults:\n%v", want, err)
				}
			}
			if lines := strings.Split(err.Error(), "\n"); len(lines) != len(test.want) {
				t.Errorf("%d faults, want %d:\n%v", len(lines), len(test.want), err)
			}
		})
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	c, err := refdata.New(small())
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for a := range c.Airports() {
		codes = append(codes, a.IATA)
	}
	for a := range c.Carriers() {
		codes = append(codes, a.IATA)
	}
	for _, currency := range c.Currencies() {
		codes = append(codes, currency.Code)
	}
	if want := []string{"YYA", "ZZA", "ZZB", "1A", "Z9", "JPY", "USD"}; !slices.Equal(codes, want) {
		t.Errorf("order is %v, want %v", codes, want)
	}
}

// TestConcurrentFirstUse has many callers load zones and build the index at
// once; the race detector is the judge, beside the equal answers.
func TestConcurrentFirstUse(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if c.Zone("LON") != c.Zone("LHR") || c.Zone("LON") == nil {
				t.Error("London has several zones")
			}
			if got := c.Suggest("goa", 1); len(got) != 1 || got[0].Code != "GOI" {
				t.Errorf("goa is %v", got)
			}
		})
	}
	group.Wait()
}

func TestCarriersByName(t *testing.T) {
	c := embedded(t)
	for name, want := range map[string]string{"easyJet": "U2", "EASYJET": "U2", "British Airways": "BA", "": "", "Nobody's Air": ""} {
		if got, ok := c.CarrierNamed(name); got.IATA != want || ok != (want != "") {
			t.Errorf("%q is %q, %t; want %q", name, got.IATA, ok, want)
		}
	}
	shared := map[string]int{}
	for carrier := range c.Carriers() {
		shared[strings.ToLower(carrier.Name)]++
	}
	for carrier := range c.Carriers() {
		got, ok := c.CarrierNamed(carrier.Name)
		if unique := shared[strings.ToLower(carrier.Name)] == 1; ok != unique || unique && got != carrier {
			t.Errorf("%q is %q, %t", carrier.Name, got.IATA, ok)
		}
	}
}
