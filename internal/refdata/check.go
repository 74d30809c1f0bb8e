package refdata

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bojanz/currency"
)

// check names every fault of the data that w was made of.
func (w *world) check(data Data) error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	w.checkAirports(fault)
	w.checkCities(data.Cities, fault)
	w.checkCarriers(fault)
	for i, hub := range w.hubs {
		if _, ok := w.airportAt[hub]; !ok || slices.Contains(w.hubs[:i], hub) {
			fault("hub %q is no airport or is listed twice", hub)
		}
	}
	for _, named := range w.currencies {
		if !currency.IsValid(named.code) || !plain(named.name) {
			fault("currency %q (%q) is not in ISO 4217 or has no usable name", named.code, named.name)
		}
	}
	return errors.Join(faults...)
}

func (w *world) checkAirports(fault func(string, ...any)) {
	for i, a := range w.airports {
		if i > 0 && a.IATA == w.airports[i-1].IATA {
			fault("airport %s is listed twice", a.IATA)
		}
		if !letters(a.IATA, 3) || !letters(a.CityCode, 3) || !letters(a.Country, 2) {
			fault("airport %q (city %q, country %q): codes are 3, 3 and 2 letters A to Z", a.IATA, a.CityCode, a.Country)
		}
		if !plain(a.Name) || !plain(a.City) || !plain(a.Zone) || a.ICAO != "" && !plain(a.ICAO) {
			fault("airport %s lacks a name, a city or a zone, or has a control character in one", a.IATA)
		}
		if !(a.Lat >= -90 && a.Lat <= 90 && a.Lon >= -180 && a.Lon <= 180) {
			fault("airport %s lies at %v, %v, which is not on Earth", a.IATA, a.Lat, a.Lon)
		}
		city, ok := w.cities[a.CityCode]
		if !ok && a.CityCode != a.IATA || ok && !slices.Contains(city.Airports, a.IATA) {
			fault("airport %s belongs to the city %s, which is unknown or does not list it", a.IATA, a.CityCode)
		}
	}
}

func (w *world) checkCities(cities []City, fault func(string, ...any)) {
	seen := make(map[string]bool, len(cities))
	for _, c := range cities {
		if seen[c.Code] {
			fault("city %s is listed twice", c.Code)
		}
		seen[c.Code] = true
		if !letters(c.Code, 3) || !letters(c.Country, 2) || !plain(c.Name) || len(c.Airports) == 0 {
			fault("city %q (country %q) needs codes of 3 and 2 letters, a name and an airport", c.Code, c.Country)
		}
		for i, iata := range c.Airports {
			at, ok := w.airportAt[iata]
			if !ok || w.airports[at].CityCode != c.Code || slices.Contains(c.Airports[:i], iata) {
				fault("city %s lists %s, which is listed twice, unknown, or of another city", c.Code, iata)
			}
		}
		for _, name := range c.AlternateNames {
			if !plain(name) || strings.Contains(name, listSeparator) {
				fault("city %s has the unusable name %q", c.Code, name)
			}
		}
	}
}

func (w *world) checkCarriers(fault func(string, ...any)) {
	for i, c := range w.carriers {
		if i > 0 && c.IATA == w.carriers[i-1].IATA {
			fault("carrier %s is listed twice", c.IATA)
		}
		if !designator(c.IATA) || !plain(c.Name) || c.Alliance != "" && !plain(c.Alliance) {
			fault("carrier %q (%q, %q) needs a code of 2 characters A to Z, 0 to 9, and a name", c.IATA, c.Name, c.Alliance)
		}
	}
}

func letters(s string, n int) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return len(s) == n
}

func designator(s string) bool {
	return len(s) == 2 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// plain reports text that can stand in one field of the encoded form.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}
