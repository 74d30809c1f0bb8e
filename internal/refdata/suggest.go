package refdata

import (
	"cmp"
	"slices"
	"strings"
)

// PlaceKind tells cities and airports apart.
type PlaceKind string

// The kinds of place, in the words of the contract.
const (
	KindCity    PlaceKind = "city"
	KindAirport PlaceKind = "airport"
)

// Suggestion is a place that a traveller may mean.
type Suggestion struct {
	Kind PlaceKind
	// Code is that of the city or the airport.
	Code string
	// Name is that of the city or the airport; City is the city's in both.
	Name, City string
	// Country is an ISO 3166-1 alpha-2 code.
	Country string
	// Lat and Lon are degrees; for a city those of its first airport.
	Lat, Lon float64
	// Airports are the codes that belong to it: a city's members, or the
	// airport itself.
	Airports []string
}

const (
	// MaxSuggestions is the most that Suggest gives.
	MaxSuggestions = 10
	// maxQuery bounds what is looked for, in bytes; no name is as long.
	maxQuery = 100
)

// match says how well a place fits; lower is better.
type match int

const (
	matchCode match = iota
	matchName
	matchPrefix
	matchWords
	matchNone
)

// Suggest lists places whose code is q or in whose names every word of q begins
// a word, accents, case and punctuation apart. First come those that q names in
// full, by code or by name, then those whose name begins with q; cities before
// airports in both, then the greater hubs. So "goa" gives Goa before Genoa,
// whose code is GOA. A city is listed only where it is more than one airport of
// the same code. At most limit places are given, and MaxSuggestions where limit
// is beyond 1 to MaxSuggestions.
func (c *Catalog) Suggest(q string, limit int) []Suggestion {
	if limit < 1 || limit > MaxSuggestions {
		limit = MaxSuggestions
	}
	if len(q) > maxQuery {
		return nil
	}
	hits := c.world.index().search(fold(q), limit)
	suggestions := make([]Suggestion, 0, len(hits))
	for _, h := range hits {
		suggestions = append(suggestions, c.world.suggestion(h.place))
	}
	return suggestions
}

// hit is a place found and how well it fits.
type hit struct {
	place *place
	match match
}

// compareHits orders what fits best first; the code makes the order complete.
func compareHits(a, b hit) int {
	return cmp.Or(
		cmp.Compare(a.match.group(), b.match.group()),
		cmp.Compare(a.place.kindRank(), b.place.kindRank()),
		cmp.Compare(a.match, b.match),
		cmp.Compare(a.place.hubRank, b.place.hubRank),
		strings.Compare(a.place.code, b.place.code),
	)
}

// group makes a full name as good as a code.
func (m match) group() match { return max(m, matchName) }

func (w *world) suggestion(p *place) Suggestion {
	if p.kind == KindCity {
		city := w.cities[p.code]
		first := w.airports[w.airportAt[city.Airports[0]]]
		return Suggestion{
			Kind: KindCity, Code: p.code, Name: city.Name, City: city.Name, Country: city.Country,
			Lat: first.Lat, Lon: first.Lon, Airports: slices.Clone(city.Airports),
		}
	}
	a := w.airports[w.airportAt[p.code]]
	return Suggestion{
		Kind: KindAirport, Code: p.code, Name: a.Name, City: a.City, Country: a.Country,
		Lat: a.Lat, Lon: a.Lon, Airports: []string{p.code},
	}
}
