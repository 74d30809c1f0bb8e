package refdata

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// Data is what a Catalog is made of.
type Data struct {
	// Airports in any order, each code once.
	Airports []Airport
	// Cities that have several airports, another code than their airport, or
	// other names. Every other airport is a city by itself.
	Cities []City
	// Hubs are the airports that carry most travellers, the greatest first, as
	// far as that is known; the order decides between equals in Suggest.
	Hubs []string
	// Carriers in any order, each code once.
	Carriers []Carrier
	// CurrencyNames are English names by ISO 4217 code.
	CurrencyNames map[string]string
	// Rates may be the zero Rates, which knows no currency.
	Rates Rates
}

// Catalog answers for places, carriers and currencies. It is immutable and
// safe for concurrent use. The zero Catalog is not usable.
type Catalog struct {
	world *world
	rates Rates
}

// world is all but the rates; catalogues that differ in rates share it.
type world struct {
	airports     []Airport
	airportAt    map[string]int
	cities       map[string]City
	hubs         []string
	carriers     []Carrier
	carrierNamed map[string]int // In lower case; nobody where several have the name.
	carrierAt    map[string]int
	currencies   []currencyName
	zones        map[string]*zone
	index        func() *index
}

type currencyName struct{ code, name string }

// New checks data and makes a Catalog of it, which owns the data from then on.
// The error names every fault found.
func New(data Data) (*Catalog, error) {
	w := newWorld(data)
	if err := w.check(data); err != nil {
		return nil, err
	}
	return &Catalog{world: w, rates: data.Rates}, nil
}

// WithRates is the same Catalog with other rates; c stays as it is.
func (c *Catalog) WithRates(rates Rates) *Catalog {
	return &Catalog{world: c.world, rates: rates}
}

// Rates are the exchange rates of the Catalog.
func (c *Catalog) Rates() Rates { return c.rates }

// Airport finds an airport by its IATA code, upper case.
func (c *Catalog) Airport(iata string) (Airport, bool) {
	i, ok := c.world.airportAt[iata]
	if !ok {
		return Airport{}, false
	}
	return c.world.airports[i], true
}

// Airports yields all airports by code.
func (c *Catalog) Airports() iter.Seq[Airport] { return slices.Values(c.world.airports) }

// City finds a city by its code, upper case. The code of an airport that is
// the only one of its city is that city's code.
func (c *Catalog) City(code string) (City, bool) {
	if city, ok := c.world.cities[code]; ok {
		city.Airports, city.AlternateNames = slices.Clone(city.Airports), slices.Clone(city.AlternateNames)
		return city, true
	}
	a, ok := c.Airport(code)
	if !ok || a.CityCode != code {
		return City{}, false
	}
	return City{Code: code, Name: a.City, Country: a.Country, Airports: []string{code}}, true
}

// Expand lists the airports that a place code means: the airport itself or the
// members of a city. A code that is both means the airport. Nil means that
// nobody knows the place.
func (c *Catalog) Expand(code string) []string {
	if _, ok := c.world.airportAt[code]; ok {
		return []string{code}
	}
	return slices.Clone(c.world.cities[code].Airports)
}

// CityOf is the code of an airport's city (JFK: NYC), empty for an unknown
// airport.
func (c *Catalog) CityOf(iata string) string {
	a, _ := c.Airport(iata)
	return a.CityCode
}

// Zone is the time zone of an airport, or of a city's first airport. It is
// loaded at first use and then kept. Nil means that the place is unknown or
// that the program has no time zone database; import time/tzdata.
func (c *Catalog) Zone(code string) *time.Location {
	i, ok := c.world.airportAt[code]
	if city := c.world.cities[code]; !ok && len(city.Airports) > 0 {
		i, ok = c.world.airportAt[city.Airports[0]]
	}
	if !ok {
		return nil
	}
	return c.world.zones[c.world.airports[i].Zone].location()
}

// Carrier finds an airline by its IATA designator, upper case.
func (c *Catalog) Carrier(iata string) (Carrier, bool) {
	i, ok := c.world.carrierAt[iata]
	if !ok {
		return Carrier{}, false
	}
	return c.world.carriers[i], true
}

// CarrierNamed finds an airline by its name, in any case; false where none or
// more than one has it.
func (c *Catalog) CarrierNamed(name string) (Carrier, bool) {
	i, ok := c.world.carrierNamed[strings.ToLower(name)]
	if !ok || i == nobody {
		return Carrier{}, false
	}
	return c.world.carriers[i], true
}

// nobody is the place of a name that several airlines have.
const nobody = -1

// Carriers yields all airlines by designator.
func (c *Catalog) Carriers() iter.Seq[Carrier] { return slices.Values(c.world.carriers) }

func newWorld(data Data) *world {
	w := &world{
		airports: data.Airports, hubs: data.Hubs, carriers: data.Carriers,
		airportAt:    make(map[string]int, len(data.Airports)),
		cities:       make(map[string]City, len(data.Cities)),
		carrierAt:    make(map[string]int, len(data.Carriers)),
		carrierNamed: make(map[string]int, len(data.Carriers)),
		zones:        make(map[string]*zone),
	}
	slices.SortFunc(w.airports, func(a, b Airport) int { return strings.Compare(a.IATA, b.IATA) })
	slices.SortFunc(w.carriers, func(a, b Carrier) int { return strings.Compare(a.IATA, b.IATA) })
	for i, a := range w.airports {
		w.airportAt[a.IATA] = i
		if w.zones[a.Zone] == nil {
			w.zones[a.Zone] = &zone{name: a.Zone}
		}
	}
	for i, c := range w.carriers {
		w.carrierAt[c.IATA] = i
		name := strings.ToLower(c.Name)
		if _, shared := w.carrierNamed[name]; shared {
			i = nobody
		}
		w.carrierNamed[name] = i
	}
	for _, c := range data.Cities {
		w.cities[c.Code] = c
	}
	for _, code := range slices.Sorted(maps.Keys(data.CurrencyNames)) {
		w.currencies = append(w.currencies, currencyName{code, data.CurrencyNames[code]})
	}
	w.index = lazyIndex(w)
	return w
}
