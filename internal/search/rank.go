package search

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Weights of the best order. Each itinerary is compared with the best of the
// search in each respect: one that costs a tenth more loses as much as one that
// takes a fifth longer, or one with half as many stops again (one counted as
// two, so that a first stop is not infinitely worse than none).
const (
	weightPrice    = 0.6
	weightDuration = 0.3
	weightStops    = 0.1
)

// rank sorts in place. Itineraries without a price come last in every order,
// those without a duration last in orders that need it. Ties are broken by
// price, duration, departure and id, so that equal answers have equal orders.
func rank(journeys []Itinerary, by Sort) {
	compare := comparisonFor(by, journeys)
	slices.SortFunc(journeys, func(a, b Itinerary) int {
		return cmp.Or(
			compareUnpriced(a, b),
			compare(a, b),
			comparePrices(a.Price, b.Price),
			compareDurations(a, b),
			compareDepartures(a, b),
			strings.Compare(a.ID, b.ID),
		)
	})
}

func comparisonFor(by Sort, journeys []Itinerary) func(a, b Itinerary) int {
	switch by {
	case SortCheapest:
		return func(a, b Itinerary) int { return comparePrices(a.Price, b.Price) }
	case SortFastest:
		return compareDurations
	case SortDeparture:
		return compareDepartures
	default:
		scores := scoresOf(journeys)
		return func(a, b Itinerary) int { return cmp.Compare(scores[a.ID], scores[b.ID]) }
	}
}

func compareUnpriced(a, b Itinerary) int {
	if (a.Price == nil) == (b.Price == nil) {
		return 0
	}
	return comparePrices(a.Price, b.Price)
}

// compareDurations puts the shorter first and the unknown last.
func compareDurations(a, b Itinerary) int {
	left, right := a.Duration(), b.Duration()
	if left == 0 || right == 0 {
		return cmp.Compare(right, left)
	}
	return cmp.Compare(left, right)
}

func compareDepartures(a, b Itinerary) int {
	left, right := a.Slices[0].Departure(), b.Slices[0].Departure()
	if leftAt, ok := left.Instant(); ok {
		if rightAt, ok := right.Instant(); ok {
			return leftAt.Compare(rightAt)
		}
	}
	return strings.Compare(left.Wall(), right.Wall())
}

// scoresOf gives each itinerary its score, lower is better and 1 is the best of
// the search in every respect. An unknown duration counts as twice the fastest.
func scoresOf(journeys []Itinerary) map[string]float64 {
	best := bestOf(journeys)
	scores := make(map[string]float64, len(journeys))
	for _, j := range journeys {
		score := weightStops * float64(1+j.Stops()) / float64(1+best.stops)
		if j.Price != nil {
			score += weightPrice * ratio(j.Price.Minor, best.minor)
		}
		duration := cmp.Or(j.Duration(), 2*best.duration)
		score += weightDuration * ratio(int64(duration), int64(best.duration))
		scores[j.ID] = score
	}
	return scores
}

type bests struct {
	minor    int64
	duration time.Duration
	stops    int
}

func bestOf(journeys []Itinerary) bests {
	var cheapest *flight.Money
	var b bests
	for i, j := range journeys {
		if comparePrices(j.Price, cheapest) < 0 {
			cheapest, b.minor = j.Price, j.Price.Minor
		}
		if d := j.Duration(); d > 0 && (b.duration == 0 || d < b.duration) {
			b.duration = d
		}
		if i == 0 || j.Stops() < b.stops {
			b.stops = j.Stops()
		}
	}
	return b
}

// ratio of a value to the best one; a best of nothing makes all equal.
func ratio(value, best int64) float64 {
	if best <= 0 {
		return 1
	}
	return float64(value) / float64(best)
}
