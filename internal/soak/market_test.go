package soak

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"time"
)

// place is a city and what it is called by.
type place struct {
	city  string
	codes []string // Of the city and of its airports, an airport first.
	zone  string
}

var places = []place{
	{"NYC", []string{"JFK", "EWR", "NYC"}, "America/New_York"},
	{"LON", []string{"LHR", "LGW", "LON"}, "Europe/London"},
	{"DUB", []string{"DUB"}, "Europe/Dublin"},
}

func placeOf(code string) place {
	return places[slices.IndexFunc(places, func(p place) bool { return slices.Contains(p.codes, code) })]
}

func airportOf(code string) string {
	if p := placeOf(code); code == p.city {
		return p.codes[0]
	}
	return code
}

func zoneOf(code string) *time.Location {
	zone, err := time.LoadLocation(placeOf(code).zone)
	if err != nil {
		panic(err) // The zones are part of this program.
	}
	return zone
}

// marketOf is a name for all that flies between two cities, either way.
func marketOf(from, to string) string {
	ends := []string{placeOf(from).city, placeOf(to).city}
	slices.Sort(ends)
	return ends[0] + "-" + ends[1]
}

// scopeOf names the least that has a version of its own: a market's day.
func scopeOf(market, day string) string { return market + ":" + day }

// days are those that are asked for.
var days = []string{
	time.Now().AddDate(0, 0, 30).Format(time.DateOnly),
	time.Now().AddDate(0, 0, 31).Format(time.DateOnly),
}

// question is one search.
type question struct{ from, to, day string }

// anyQuestion asks from an airport to an airport or its whole city. Questions
// are few, so that much is found; changes go by all names, see anyChange.
func anyQuestion() question {
	q := anyNames()
	return question{airportOf(placeOf(q.from).city), pick([]string{airportOf(placeOf(q.to).city), placeOf(q.to).city}), q.day}
}

func anyNames() question {
	order := rand.Perm(len(places))
	return question{pick(places[order[0]].codes), pick(places[order[1]].codes), pick(days)}
}

func pick(from []string) string { return from[rand.IntN(len(from))] }

func (q question) scope() string { return scopeOf(marketOf(q.from, q.to), q.day) }

func (q question) parameters() string {
	return url.Values{"origin": {q.from}, "destination": {q.to}, "departure_date": {q.day}, "limit": {"1"}}.Encode()
}

// change is what an event says, and the scopes that it covers.
type change struct {
	data   map[string]string
	scopes []string
}

// anyChange is of a market's day, of a market, or of all that the provider has.
func anyChange() change {
	q := anyNames()
	market := marketOf(q.from, q.to)
	switch rand.IntN(10) {
	case 0:
		return change{map[string]string{"provider": "duffel"}, everyScope()}
	case 1, 2, 3:
		return change{map[string]string{"origin": q.from, "destination": q.to, "departure_date": q.day}, []string{q.scope()}}
	default:
		return change{map[string]string{"origin": q.from, "destination": q.to}, []string{scopeOf(market, days[0]), scopeOf(market, days[1])}}
	}
}

func everyScope() []string {
	var all []string
	for i, from := range places {
		for _, to := range places[i+1:] {
			for _, day := range days {
				all = append(all, scopeOf(marketOf(from.city, to.city), day))
			}
		}
	}
	return all
}
