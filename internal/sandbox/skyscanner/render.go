package skyscanner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// How many of a thousand itineraries an answer has: what a cache would hold at
// first, and then all.
const (
	firstShare = 420
	whole      = 1000
	// late is how many of the best itineraries the cache never has.
	late = 3
)

// renderer writes the results of one search.
type renderer struct {
	*service
	session session
	till    wire.Till
	results results
	ranks   []rank
}

// rank is what itineraries are sorted by.
type rank struct {
	id      string
	minor   int64 // Least price, in minor units.
	minutes int
	stops   int
}

func (s *service) renderer(at session, factor int64) *renderer {
	return &renderer{
		service: s, session: at,
		till: wire.Till{Rates: s.World.Catalog().Rates(), Currency: at.currency, Factor: factor},
		results: results{
			Itineraries: map[string]itinerary{}, Legs: map[string]leg{}, Segments: map[string]segment{}, Places: map[string]place{},
			Carriers: map[string]carrier{}, Agents: map[string]agent{}, Alliances: map[string]alliance{},
		},
	}
}

func (r *renderer) content(share int) rendered {
	n := 0
	for group := range r.fares(r.session) {
		if n++; share == whole || n > late && n*firstShare%whole < firstShare {
			r.itinerary(group)
		}
	}
	body, err := json.Marshal(content{Results: r.results, Stats: r.stats(), SortingOptions: r.sorting()})
	if err != nil {
		panic(err) // Structs of strings and numbers always encode.
	}
	return body
}

// groups are the fares of each itinerary.
func groups(fares []*world.Fare) func(yield func([]*world.Fare) bool) {
	return func(yield func([]*world.Fare) bool) {
		for start := 0; start < len(fares); {
			end := start + 1
			for end < len(fares) && fares[end].Itinerary == fares[start].Itinerary {
				end++
			}
			if !yield(fares[start:end]) {
				return
			}
			start = end
		}
	}
}

// itinerary adds one with all its fares. They have one seller, hence the same
// flight numbers.
func (r *renderer) itinerary(fares []*world.Fare) {
	var it itinerary
	ranked := rank{}
	for _, j := range fares[0].Journeys {
		id := r.leg(fares[0], j)
		it.LegIDs = append(it.LegIDs, id)
		ranked.minutes += int(j.Duration() / time.Minute)
		ranked.stops += len(j.Flights) - 1
	}
	ranked.id = strings.Join(it.LegIDs, "|")
	for _, f := range fares {
		it.PricingOptions = append(it.PricingOptions, r.options(f, ranked.id, it.LegIDs)...)
	}
	slices.SortStableFunc(it.PricingOptions, func(a, b pricingOption) int { return cmp.Compare(a.minor, b.minor) })
	ranked.minor = it.PricingOptions[0].minor
	r.results.Itineraries[ranked.id] = it
	r.ranks = append(r.ranks, ranked)
}

func (r *renderer) leg(f *world.Fare, j *world.Journey) string {
	l := leg{
		OriginPlaceID: r.airport(j.Origin()), DestinationPlaceID: r.airport(j.Destination()),
		DepartureDateTime: r.clock(j.Departure(), j.Origin()), ArrivalDateTime: r.clock(j.Arrival(), j.Destination()),
		DurationInMinutes: int(j.Duration() / time.Minute), StopCount: len(j.Flights) - 1,
	}
	for _, hop := range j.Flights {
		id, s := r.segment(f, hop)
		l.SegmentIDs = append(l.SegmentIDs, id)
		l.MarketingCarrierIDs = once(l.MarketingCarrierIDs, s.MarketingCarrierID)
		l.OperatingCarrierIDs = once(l.OperatingCarrierIDs, s.OperatingCarrierID)
	}
	id := fmt.Sprintf("%s-%s-%s-%d-%s-%s", l.OriginPlaceID, l.DepartureDateTime.short(),
		strings.Join(l.MarketingCarrierIDs, ","), l.StopCount, l.DestinationPlaceID, l.ArrivalDateTime.short())
	if len(l.SegmentIDs) > 1 {
		// Two ways with the same ends differ in between.
		id += "-" + r.results.Segments[l.SegmentIDs[0]].MarketingFlightNumber + "-" + r.results.Segments[l.SegmentIDs[1]].MarketingFlightNumber
	}
	r.results.Legs[id] = l
	return id
}

func (r *renderer) segment(f *world.Fare, hop *world.Flight) (string, segment) {
	seller, number := r.World.Marketing(f, hop)
	s := segment{
		OriginPlaceID: r.airport(hop.From), DestinationPlaceID: r.airport(hop.To),
		DepartureDateTime: r.clock(hop.Departure, hop.From), ArrivalDateTime: r.clock(hop.Arrival, hop.To),
		DurationInMinutes: int(hop.Duration() / time.Minute), MarketingFlightNumber: strconv.Itoa(number),
		MarketingCarrierID: r.carrier(seller), OperatingCarrierID: r.carrier(hop.Airline),
	}
	id := fmt.Sprintf("%s-%s-%s-%s-%s", s.OriginPlaceID, s.DestinationPlaceID, s.DepartureDateTime.short(), s.ArrivalDateTime.short(), s.MarketingCarrierID)
	r.results.Segments[id] = s
	return id, s
}

func once(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func (r *renderer) clock(t time.Time, iata string) dateTime {
	t = t.In(r.World.Catalog().Zone(iata))
	return dateTime{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), 0}
}

// short is the form that ids have: 2612151830.
func (d dateTime) short() string {
	return fmt.Sprintf("%02d%02d%02d%02d%02d", d.Year%100, d.Month, d.Day, d.Hour, d.Minute)
}

func (r *renderer) stats() stats {
	s := itineraryStats{Stops: map[string]count{}}
	s.Total.MinPrice.Unit = "PRICE_UNIT_UNSPECIFIED"
	names := []string{"direct", "oneStop", "twoPlusStops"}
	cheapest := map[string]int64{}
	for i, k := range r.ranks {
		if i == 0 || k.minutes < s.MinDuration {
			s.MinDuration = k.minutes
		}
		s.MaxDuration = max(s.MaxDuration, k.minutes)
		for _, name := range []string{"", names[min(k.stops, 2)]} {
			if least, ok := cheapest[name]; !ok || k.minor < least {
				cheapest[name] = k.minor
			}
			c := s.Stops[name]
			c.Count++
			s.Stops[name] = c
		}
	}
	for name := range maps.Keys(s.Stops) {
		s.Stops[name] = count{s.Stops[name].Count, r.price(cheapest[name])}
	}
	if total, ok := s.Stops[""]; ok {
		s.Total = total
		delete(s.Stops, "")
	}
	return stats{s}
}

// sorting ranks by three measures; a score says how near the best one is.
func (r *renderer) sorting() sortingOptions {
	by := func(weigh func(rank) float64) []sorted {
		list := slices.SortedStableFunc(slices.Values(r.ranks), func(a, b rank) int { return cmp.Compare(weigh(a), weigh(b)) })
		out := make([]sorted, len(list))
		for i, k := range list {
			out[i] = sorted{weigh(list[0]) / weigh(k), k.id}
		}
		return out
	}
	return sortingOptions{
		Best:     by(func(k rank) float64 { return float64(k.minor) * float64(k.minutes) * float64(2+k.stops) }),
		Cheapest: by(func(k rank) float64 { return float64(k.minor) }),
		Fastest:  by(func(k rank) float64 { return float64(k.minutes) }),
	}
}
