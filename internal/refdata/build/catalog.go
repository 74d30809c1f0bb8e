package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// ratesFile carries its date in the name, for the table itself has none.
const ratesFile = "ecb-2026-07-06.csv"

// catalog makes the Catalog of all sources. The error names every fault.
func catalog() (*refdata.Catalog, error) {
	airports, err := airports()
	if err != nil {
		return nil, err
	}
	data := refdata.Data{Airports: airports}
	data.Cities, err = cities(airports)
	faults := []error{err}
	data.Carriers, err = carriers()
	faults = append(faults, err)
	data.CurrencyNames, err = currencyNames()
	faults = append(faults, err)
	data.Rates, err = rates()
	faults = append(faults, err)
	data.Hubs, err = hubs()
	faults = append(faults, err)
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return refdata.New(data)
}

// airports are those of the source, mended by corrections.csv, and those of
// additions.csv.
func airports() ([]refdata.Airport, error) {
	source, err := readTable("airports.csv", "iata", "icao", "name", "city", "city_code", "country", "lat", "lon", "tz")
	if err != nil {
		return nil, err
	}
	if err := correct(source); err != nil {
		return nil, err
	}
	added, err := readTable("additions.csv", "iata", "icao", "name", "city", "city_code", "country", "lat", "lon", "tz", "reason")
	if err != nil {
		return nil, err
	}
	var airports []refdata.Airport
	var faults []error
	for _, r := range append(source, added...) {
		a, err := airport(r)
		airports, faults = append(airports, a), append(faults, err)
	}
	return airports, errors.Join(faults...)
}

// correct writes the values of corrections.csv over those of the source.
func correct(airports []row) error {
	corrections, err := readTable("corrections.csv", "iata", "field", "value", "reason")
	faults := []error{err}
	byCode := make(map[string]row, len(airports))
	for _, r := range airports {
		byCode[r["iata"]] = r
	}
	for _, c := range corrections {
		if _, ok := byCode[c["iata"]][c["field"]]; !ok {
			faults = append(faults, fmt.Errorf("corrections.csv: airports.csv has no %s of %q to correct", c["field"], c["iata"]))
			continue
		}
		byCode[c["iata"]][c["field"]] = c["value"]
	}
	return errors.Join(faults...)
}

func airport(r row) (refdata.Airport, error) {
	lat, errLat := strconv.ParseFloat(r["lat"], 64)
	lon, errLon := strconv.ParseFloat(r["lon"], 64)
	if err := cmp.Or(errLat, errLon); err != nil {
		return refdata.Airport{}, fmt.Errorf("airport %s: %w", r["iata"], err)
	}
	return refdata.Airport{
		IATA: r["iata"], ICAO: r["icao"], Name: r["name"], City: r["city"], CityCode: r["city_code"],
		Country: r["country"], Lat: lat, Lon: lon, Zone: r["tz"],
	}, nil
}

// carriers are facts written down by hand, as of July 2026.
func carriers() ([]refdata.Carrier, error) {
	rows, err := readTable("carriers.csv", "code", "name", "alliance")
	carriers := make([]refdata.Carrier, 0, len(rows))
	for _, r := range rows {
		carriers = append(carriers, refdata.Carrier{IATA: r["code"], Name: r["name"], Alliance: r["alliance"]})
	}
	return carriers, err
}

func currencyNames() (map[string]string, error) {
	rows, err := readTable("currencies.csv", "code", "name")
	return unique("currencies.csv", rows, "code", "name", err)
}

func rates() (refdata.Rates, error) {
	rows, err := readTable(ratesFile)
	perEuro, err := unique(ratesFile, rows, "1", "2", err)
	if err != nil {
		return refdata.Rates{}, err
	}
	asOf, err := flight.ParseDate(strings.TrimSuffix(strings.TrimPrefix(ratesFile, "ecb-"), ".csv"))
	if err != nil {
		return refdata.Rates{}, err
	}
	return refdata.NewRates(asOf, refdata.SourceECB, perEuro)
}

// unique makes a map of two columns, the first of which must not repeat.
func unique(file string, rows []row, key, value string, err error) (map[string]string, error) {
	faults := []error{err}
	values := make(map[string]string, len(rows))
	for _, r := range rows {
		if _, twice := values[r[key]]; twice {
			faults = append(faults, fmt.Errorf("%s lists %q twice", file, r[key]))
		}
		values[r[key]] = r[value]
	}
	return values, errors.Join(faults...)
}

func hubs() ([]string, error) {
	text, err := sources.ReadFile("source/hubs.txt")
	return strings.Fields(string(text)), err
}
