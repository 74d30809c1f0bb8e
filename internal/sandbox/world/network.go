package world

// route is an airline's non-stop or through connection of a hub with another
// airport, in both directions.
type route struct {
	airline  *Airline
	hub, far *airfield
	rank     int // Of the hub among the airline's hubs.
	km       int
	via      *airfield // Where the flight touches down on the way, nil for most.
}

// route finds how an airline flies between two airports, in either direction.
func (w *World) route(a *Airline, from, to *airfield) (route, bool) {
	r, ok := w.orient(a, from, to)
	if !ok || !w.allowed(r) {
		return route{}, false
	}
	if r.km <= r.airline.reach && (trunk(r) > 0 || w.facts("serves", r).chance(r.appeal())) {
		return r, true
	}
	return w.through(r)
}

// orient puts the more important hub of the airline first.
func (w *World) orient(a *Airline, from, to *airfield) (route, bool) {
	left, right := a.hubRank(from.IATA), a.hubRank(to.IATA)
	switch {
	case left < 0 && right < 0:
		return route{}, false
	case left < 0 || right >= 0 && right < left:
		from, to, left = to, from, right
	}
	return route{airline: a, hub: from, far: to, rank: left, km: w.distance(from, to)}, true
}

// shortest is the least distance in kilometres that anybody flies: neighbours
// such as JFK and EWR have no flights between them.
const shortest = 130

func (w *World) allowed(r route) bool {
	if r.km < shortest {
		return false
	}
	for _, end := range []*airfield{r.hub, r.far} {
		if limit, ok := perimeter[end.IATA]; ok && r.km > limit {
			return false
		}
	}
	return r.far.size > small || r.far.Country == r.hub.Country || r.km < 2500
}

// facts is the die of what concerns a route.
func (w *World) facts(label string, r route) die {
	return w.die.cast(label, r.airline.Code, r.hub.IATA, r.far.IATA)
}

// appeal is the chance in permille that the airline serves the route.
func (r route) appeal() int {
	a := r.airline
	if a.hubRank(r.far.IATA) >= 0 {
		return 1000
	}
	if r.far.Country == r.hub.Country {
		return []int{520, 860, 980, 1000}[r.far.size]
	}
	near, far := []int{60, 450, 780, 950}, []int{0, 110, 420, 880}
	if a.kind == lowCost {
		near = []int{90, 420, 560, 520}
	}
	chance := near[r.far.size]
	if r.km > 4200 {
		chance = far[r.far.size]
	}
	for range r.rank {
		chance = chance * 3 / 4
	}
	return chance
}

// trunks are the daily flights of some of the busiest routes.
var trunks = map[string]int{
	"BA LHR JFK": 8, "VS LHR JFK": 5, "AA JFK LHR": 4, "DL JFK LHR": 2, "B6 JFK LHR": 2,
	"UA EWR LHR": 5, "BA LHR EWR": 3, "BA LHR BOS": 3, "BA LHR LAX": 3, "BA LHR SFO": 2,
	"AF CDG JFK": 5, "DL JFK CDG": 2, "AA LAX JFK": 9, "DL JFK LAX": 8, "B6 JFK LAX": 6,
	"QF SYD LAX": 2, "DL LAX SYD": 1, "UA LAX SYD": 1, "QF SYD MEL": 20, "VA SYD MEL": 18,
	"SQ SIN SYD": 4, "SQ SIN LHR": 4, "CX HKG LHR": 5, "EK DXB LHR": 6, "JL HND SFO": 1,
	"NH HND SFO": 1, "UA SFO HND": 2, "JL HND CTS": 16, "NH HND CTS": 18, "NH HND FUK": 19,
	"AI DEL LHR": 3, "IB MAD GRU": 2, "LA GRU MAD": 1, "HA HNL AKL": 1, "NZ AKL HNL": 1,
	"EK DXB KTM": 1, "FZ DXB KTM": 3, "RA KTM DXB": 1,
}

func trunk(r route) int { return trunks[r.airline.Code+" "+r.hub.IATA+" "+r.far.IATA] }

// frequency is how often a day the route is flown in each direction.
func (w *World) frequency(r route) int {
	if n := trunk(r); n > 0 {
		return n
	}
	more := w.facts("frequency", r).below(2)
	switch {
	case r.via != nil:
		return 1
	case r.km < 1600:
		return []int{1, 2, 3, 4}[r.far.size] + more
	case r.km < 4500:
		return []int{1, 1, 2, 3}[r.far.size] + more
	case r.far.size == mega && r.rank == 0:
		return 2 + more
	case r.far.size >= large:
		return 1 + more
	}
	return 1
}

// through makes a route of one flight number that touches down on the way: some
// of those beyond an aircraft's reach, and some that are too thin to fly non-stop.
func (w *World) through(r route) (route, bool) {
	if r.km < 1800 || r.far.size < large || r.rank > 0 || !w.facts("through", r).chance(300) {
		return route{}, false
	}
	var candidates []*airfield
	for _, iata := range w.hubCodes {
		if via := w.hubs[iata]; w.onTheWay(r, via) {
			candidates = append(candidates, via)
		}
	}
	if len(candidates) == 0 {
		return route{}, false
	}
	r.via = candidates[w.facts("via", r).below(len(candidates))]
	return r, true
}

// farthest is the most kilometres that anybody flies under one number: about a
// day, from Europe to Australia.
const farthest = 18_000

// onTheWay reports that the airline can touch down at via: it costs little
// detour, both legs are worth flying, and a low-cost airline has crews there.
func (w *World) onTheWay(r route, via *airfield) bool {
	if via.size < large || r.airline.kind == lowCost && r.airline.hubRank(via.IATA) < 0 {
		return false
	}
	first, second := w.distance(r.hub, via), w.distance(via, r.far)
	return first+second < min(r.km*112/100, farthest) && max(first, second) <= r.airline.reach && min(first, second) > r.km/4
}
