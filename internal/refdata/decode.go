package refdata

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// ErrFormat means that bytes are not a Catalog of the version that this program
// reads; it is wrapped with the line and the reason.
var ErrFormat = errors.New("not reference data of a known format")

// Decode reads what Encode wrote and checks it as New does. It takes at most
// MaxEncoded bytes and keeps no reference to them.
func Decode(data []byte) (*Catalog, error) {
	if len(data) > MaxEncoded {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are read", ErrFormat, len(data), MaxEncoded)
	}
	return decode(string(data))
}

// decode makes a Catalog whose strings are parts of text.
func decode(text string) (*Catalog, error) {
	r := &lineReader{rest: text}
	if line := r.next(); line != formatLine {
		return nil, fmt.Errorf("%w: it begins with %.40q, not %q", ErrFormat, line, formatLine)
	}
	var data Data
	data.Airports = readSection(r, sectionAirports, 9, decodeAirport)
	data.Cities = readSection(r, sectionCities, 5, decodeCity)
	data.Hubs = readSection(r, sectionHubs, 1, func(f []string) (string, error) { return f[0], nil })
	data.Carriers = readSection(r, sectionCarriers, 3, func(f []string) (Carrier, error) {
		return Carrier{IATA: f[0], Name: f[1], Alliance: f[2]}, nil
	})
	data.CurrencyNames = pairs(r, readSection(r, sectionCurrencies, 2, decodePair))
	data.Rates = decodeRates(r, readSection(r, sectionRates, 2, decodePair))
	if r.err == nil && r.rest != "" {
		r.fail(errors.New("there is more after the last section"))
	}
	if r.err != nil {
		return nil, r.err
	}
	return New(data)
}

func decodeAirport(f []string) (Airport, error) {
	lat, errLat := strconv.ParseFloat(f[6], 64)
	lon, errLon := strconv.ParseFloat(f[7], 64)
	return Airport{
		IATA: f[0], ICAO: f[1], Name: f[2], City: f[3], CityCode: f[4], Country: f[5], Lat: lat, Lon: lon, Zone: f[8],
	}, errors.Join(errLat, errLon)
}

func decodeCity(f []string) (City, error) {
	return City{Code: f[0], Name: f[1], Country: f[2], Airports: splitList(f[3]), AlternateNames: splitList(f[4])}, nil
}

func splitList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, listSeparator)
}

// lineReader walks over lines and keeps the first error; after one it gives
// empty lines.
type lineReader struct {
	rest string
	line int
	err  error
}

func (r *lineReader) next() string {
	line, rest, ended := strings.Cut(r.rest, "\n")
	r.rest = rest
	r.line++
	if !ended {
		r.fail(errors.New("it ends in the middle"))
	}
	return line
}

func (r *lineReader) fail(reason error) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: line %d: %w", ErrFormat, r.line, reason)
	}
}

// readSection reads the section called name, whose lines have so many fields.
func readSection[T any](r *lineReader, name string, fields int, parse func([]string) (T, error)) []T {
	rows := make([]T, 0, r.header(name))
	buffer := make([]string, fields)
	for range cap(rows) {
		if r.err != nil {
			return nil
		}
		if !splitInto(buffer, r.next()) {
			r.fail(fmt.Errorf("%d fields are wanted in the section %s", fields, name))
			return nil
		}
		row, err := parse(buffer)
		if err != nil {
			r.fail(err)
			return nil
		}
		rows = append(rows, row)
	}
	return rows
}

// header reads the line before a section and answers how many lines follow,
// which are never more than there are bytes left.
func (r *lineReader) header(name string) int {
	if r.err != nil {
		return 0
	}
	line := r.next()
	number, ok := strings.CutPrefix(line, name+fieldSeparator)
	count, err := strconv.Atoi(number)
	if !ok || err != nil || count < 0 || count > strings.Count(r.rest, "\n") {
		r.fail(fmt.Errorf("%.40q stands where the section %s and its number of lines should begin", line, name))
		return 0
	}
	return count
}

// splitInto fills fields from a line and reports that it has exactly so many.
func splitInto(fields []string, line string) bool {
	last := len(fields) - 1
	for i := range last {
		var ok bool
		if fields[i], line, ok = strings.Cut(line, fieldSeparator); !ok {
			return false
		}
	}
	fields[last] = line
	return !strings.Contains(line, fieldSeparator)
}

func decodePair(f []string) ([2]string, error) { return [2]string{f[0], f[1]}, nil }

// pairs makes a map of lines of two fields, of which the first is unique.
func pairs(r *lineReader, lines [][2]string) map[string]string {
	values := make(map[string]string, len(lines))
	for _, line := range lines {
		if _, twice := values[line[0]]; twice {
			r.fail(fmt.Errorf("%q is listed twice above", line[0]))
		}
		values[line[0]] = line[1]
	}
	return values
}

// decodeRates reads the date and the source from the first line, the rates from
// the others; no line at all is the zero Rates.
func decodeRates(r *lineReader, lines [][2]string) Rates {
	if r.err != nil || len(lines) == 0 {
		return Rates{}
	}
	asOf, err := flight.ParseDate(lines[0][0])
	if err != nil {
		r.fail(err)
	}
	rates, err := NewRates(asOf, lines[0][1], pairs(r, lines[1:]))
	if err != nil {
		r.fail(err)
	}
	return rates
}
