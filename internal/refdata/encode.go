package refdata

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The encoded form is text, so that a change of data reads well in a diff: a
// line that names format and version, then sections in a fixed order. A section
// is a line with its name and the number of lines that follow; fields are
// parted by tabs, lists inside a field by a vertical bar. A change of the form
// needs another version, for older instances may read what newer ones wrote.
const (
	formatLine     = "hedgehop reference data 1"
	fieldSeparator = "\t"
	listSeparator  = "|"
	// MaxEncoded bounds what Decode reads, in bytes; the embedded data takes a
	// twelfth of it.
	MaxEncoded = 4 << 20
)

const (
	sectionAirports   = "airports"
	sectionCities     = "cities"
	sectionHubs       = "hubs"
	sectionCarriers   = "carriers"
	sectionCurrencies = "currencies"
	sectionRates      = "rates"
)

// Encode writes the Catalog as Decode reads it. Equal catalogues give equal
// bytes.
func (c *Catalog) Encode() []byte {
	b := bytes.NewBufferString(formatLine + "\n")
	w := c.world
	writeSection(b, sectionAirports, w.airports, func(a Airport) []string {
		return []string{a.IATA, a.ICAO, a.Name, a.City, a.CityCode, a.Country, degrees(a.Lat), degrees(a.Lon), a.Zone}
	})
	cities := slices.Sorted(maps.Keys(w.cities))
	writeSection(b, sectionCities, cities, func(code string) []string {
		city := w.cities[code]
		return []string{code, city.Name, city.Country, strings.Join(city.Airports, listSeparator), strings.Join(city.AlternateNames, listSeparator)}
	})
	writeSection(b, sectionHubs, w.hubs, func(hub string) []string { return []string{hub} })
	writeSection(b, sectionCarriers, w.carriers, func(c Carrier) []string { return []string{c.IATA, c.Name, c.Alliance} })
	writeSection(b, sectionCurrencies, w.currencies, func(n currencyName) []string { return []string{n.code, n.name} })
	writeSection(b, sectionRates, c.rates.lines(), func(line []string) []string { return line })
	return b.Bytes()
}

func writeSection[T any](b *bytes.Buffer, name string, rows []T, fields func(T) []string) {
	fmt.Fprintf(b, "%s%s%d\n", name, fieldSeparator, len(rows))
	for _, row := range rows {
		b.WriteString(strings.Join(fields(row), fieldSeparator))
		b.WriteByte('\n')
	}
}

func degrees(d float64) string { return strconv.FormatFloat(d, 'f', -1, 64) }
