package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// ratesFile carries its date in the name, for the table itself has none.
const ratesFile = "ecb-2026-07-06.csv"

// catalog makes the Catalog of the tables in source. Everything else is checked
// against the airports; given those, the error names every fault.
func catalog(source fs.FS) (*refdata.Catalog, error) {
	var data refdata.Data
	var err error
	if data.Airports, err = airports(source); err != nil {
		return nil, err
	}
	var faults [5]error
	data.Cities, faults[0] = cities(source, data.Airports)
	data.Carriers, faults[1] = carriers(source)
	data.CurrencyNames, faults[2] = currencyNames(source)
	data.Rates, faults[3] = rates(source)
	data.Hubs, faults[4] = hubs(source)
	if err := errors.Join(faults[:]...); err != nil {
		return nil, err
	}
	return refdata.New(data)
}

// airports are those of the source, mended by corrections.csv, and those of
// additions.csv.
func airports(source fs.FS) ([]refdata.Airport, error) {
	listed, err := readTable(source, "airports.csv", "iata", "icao", "name", "city", "city_code", "country", "lat", "lon", "tz")
	if err != nil {
		return nil, err
	}
	if err := correct(source, listed); err != nil {
		return nil, err
	}
	added, err := readTable(source, "additions.csv", "iata", "icao", "name", "city", "city_code", "country", "lat", "lon", "tz", "reason")
	if err != nil {
		return nil, err
	}
	var all []refdata.Airport
	var faults []error
	for _, r := range append(listed, added...) {
		a, err := airport(r)
		all, faults = append(all, a), append(faults, err)
	}
	return all, errors.Join(faults...)
}

// correct writes the values of corrections.csv over those of the source.
func correct(source fs.FS, listed []row) error {
	corrections, err := readTable(source, "corrections.csv", "iata", "field", "value", "reason")
	faults := []error{err}
	byCode := make(map[string]row, len(listed))
	for _, r := range listed {
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
	if err := errors.Join(errLat, errLon); err != nil {
		return refdata.Airport{}, fmt.Errorf("airport %s: %w", r["iata"], err)
	}
	return refdata.Airport{
		IATA: r["iata"], ICAO: r["icao"], Name: r["name"], City: r["city"], CityCode: r["city_code"],
		Country: r["country"], Lat: lat, Lon: lon, Zone: r["tz"],
	}, nil
}

// carriers are facts written down by hand, as of July 2026.
func carriers(source fs.FS) ([]refdata.Carrier, error) {
	rows, err := readTable(source, "carriers.csv", "code", "name", "alliance")
	all := make([]refdata.Carrier, 0, len(rows))
	for _, r := range rows {
		all = append(all, refdata.Carrier{IATA: r["code"], Name: r["name"], Alliance: r["alliance"]})
	}
	return all, err
}

func currencyNames(source fs.FS) (map[string]string, error) {
	rows, err := readTable(source, "currencies.csv", "code", "name")
	return unique("currencies.csv", rows, "code", "name", err)
}

func rates(source fs.FS) (refdata.Rates, error) {
	rows, err := readTable(source, ratesFile)
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

func hubs(source fs.FS) ([]string, error) {
	text, err := fs.ReadFile(source, "hubs.txt")
	return strings.Fields(string(text)), err
}
