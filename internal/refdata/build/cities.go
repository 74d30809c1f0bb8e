package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// cities are the metropolitan areas of metro.csv with the airports that
// scheduled flights still use, then the other cities that have alternate names.
func cities(source fs.FS, airports []refdata.Airport) ([]refdata.City, error) {
	byCode := make(map[string]refdata.Airport, len(airports))
	for _, a := range airports {
		byCode[a.IATA] = a
	}
	names, err := alternates(source)
	if err != nil {
		return nil, err
	}
	metros, err := readTable(source, "metro.csv", "code", "name", "country", "members")
	if err != nil {
		return nil, err
	}
	var all []refdata.City
	for _, r := range metros {
		members := slices.DeleteFunc(strings.Fields(r["members"]), func(iata string) bool { return byCode[iata].IATA == "" })
		all = append(all, refdata.City{
			Code: r["code"], Name: spelling(r["name"], members, byCode), Country: r["country"], Airports: members, AlternateNames: names[r["code"]],
		})
		delete(names, r["code"])
	}
	others, err := singles(names, byCode)
	return append(all, others...), err
}

// singles are the cities of one airport, whose code they share.
func singles(names map[string][]string, byCode map[string]refdata.Airport) ([]refdata.City, error) {
	var all []refdata.City
	var faults []error
	for code, list := range names {
		a, ok := byCode[code]
		if !ok || a.CityCode != code {
			faults = append(faults, fmt.Errorf("alternates.csv: %s is no city", code))
			continue
		}
		all = append(all, refdata.City{Code: code, Name: a.City, Country: a.Country, Airports: []string{code}, AlternateNames: list})
	}
	return all, errors.Join(faults...)
}

// alternates are other names of cities by city code, written down by hand.
func alternates(source fs.FS) (map[string][]string, error) {
	rows, err := readTable(source, "alternates.csv", "code", "names")
	joined, err := unique("alternates.csv", rows, "code", "names", err)
	names := make(map[string][]string, len(joined))
	for code, list := range joined {
		names[code] = strings.Split(list, "|")
	}
	return names, err
}

// spelling prefers an airport's spelling of its city (Malmö) to the one without
// accents that metropolitan codes are published with (Malmo).
func spelling(name string, members []string, byCode map[string]refdata.Airport) string {
	for _, iata := range members {
		if city := byCode[iata].City; unaccented(city) == unaccented(name) && city != unaccented(city) {
			return city
		}
	}
	return name
}
