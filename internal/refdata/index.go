package refdata

import (
	"slices"
	"strings"
	"sync"
)

// index finds places by the beginning of any word of their names.
type index struct {
	places []place
	// words is sorted by text.
	words []word
}

// place is an airport, or a city that differs from its airport.
type place struct {
	kind PlaceKind
	code string
	// folded is the code in lower case, names are all folded names.
	folded string
	names  []string
	// hubRank is the position among the hubs, or their number where it is none.
	hubRank int
}

// word is the rest of a name from where a word begins, and whose it is.
type word struct {
	text  string
	place int32
}

// lazyIndex builds the index of w when it is first asked for, and once.
func lazyIndex(w *world) func() *index {
	return sync.OnceValue(func() *index { return newIndex(w) })
}

func newIndex(w *world) *index {
	x := &index{places: make([]place, 0, len(w.airports)+len(w.cities))}
	ranks := make(map[string]int, len(w.hubs))
	for rank, hub := range w.hubs {
		ranks[hub] = rank
	}
	for _, city := range w.cities {
		if len(city.Airports) > 1 || city.Airports[0] != city.Code {
			x.add(place{kind: KindCity, code: city.Code, hubRank: bestRank(ranks, city.Airports)}, append([]string{city.Name}, city.AlternateNames...))
		}
	}
	for _, a := range w.airports {
		names := append([]string{a.City, a.Name}, w.cities[a.CityCode].AlternateNames...)
		x.add(place{kind: KindAirport, code: a.IATA, hubRank: bestRank(ranks, []string{a.IATA})}, names)
	}
	slices.SortFunc(x.words, func(a, b word) int { return strings.Compare(a.text, b.text) })
	return x
}

// bestRank is that of the greatest hub among the airports; all others come
// after the last hub.
func bestRank(ranks map[string]int, airports []string) int {
	best := len(ranks)
	for _, iata := range airports {
		if rank, ok := ranks[iata]; ok {
			best = min(best, rank)
		}
	}
	return best
}

// add takes a place with its names, the code is one of them.
func (x *index) add(p place, names []string) {
	p.folded = strings.ToLower(p.code)
	at := int32(len(x.places))
	x.words = append(x.words, word{p.folded, at})
	for _, name := range names {
		folded := fold(name)
		if folded == "" || slices.Contains(p.names, folded) {
			continue
		}
		p.names = append(p.names, folded)
		for text := folded; text != ""; _, text, _ = strings.Cut(text, " ") {
			x.words = append(x.words, word{text, at})
		}
	}
	x.places = append(x.places, p)
}

// search finds the limit places that fit the folded query q best, in order.
func (x *index) search(q string, limit int) []hit {
	words := strings.Fields(q)
	if len(words) == 0 {
		return nil
	}
	// The longest word has the fewest candidates.
	rarest := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
	seen := make([]bool, len(x.places))
	hits := make([]hit, 0, limit+1)
	for _, candidate := range x.beginning(rarest) {
		if seen[candidate.place] {
			continue
		}
		seen[candidate.place] = true
		p := &x.places[candidate.place]
		if m := p.match(q, words); m != matchNone {
			hits = insert(hits, hit{p, m}, limit)
		}
	}
	return hits
}

// insert keeps the limit best hits in order.
func insert(hits []hit, h hit, limit int) []hit {
	at, _ := slices.BinarySearchFunc(hits, h, compareHits)
	hits = slices.Insert(hits, at, h)
	return hits[:min(len(hits), limit)]
}

// beginning lists the words that begin with prefix.
func (x *index) beginning(prefix string) []word {
	from, _ := slices.BinarySearchFunc(x.words, prefix, func(w word, s string) int { return strings.Compare(w.text, s) })
	rest := x.words[from:]
	for i, w := range rest {
		if !strings.HasPrefix(w.text, prefix) {
			return rest[:i]
		}
	}
	return rest
}

func (p *place) match(q string, words []string) match {
	best := matchNone
	if q == p.folded {
		return matchCode
	}
	for _, name := range p.names {
		switch {
		case name == q:
			return matchName
		case strings.HasPrefix(name, q):
			best = matchPrefix
		}
	}
	if best == matchNone && p.hasAll(words) {
		best = matchWords
	}
	return best
}

// hasAll reports that each word begins one of the place's words.
func (p *place) hasAll(words []string) bool {
	for _, w := range words {
		if !p.has(w) {
			return false
		}
	}
	return true
}

func (p *place) has(beginning string) bool {
	if strings.HasPrefix(p.folded, beginning) {
		return true
	}
	for _, name := range p.names {
		if strings.HasPrefix(name, beginning) || strings.Contains(name, " "+beginning) {
			return true
		}
	}
	return false
}

func (p *place) kindRank() int {
	if p.kind == KindCity {
		return 0
	}
	return 1
}
