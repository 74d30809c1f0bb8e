package stat

import "slices"

// Spread is a figure measured several times.
type Spread struct {
	Median float64 `json:"median"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
}

// SpreadOf sums up the rounds of one figure; zero without any. The median of an
// even number of rounds is the mean of the middle two.
func SpreadOf(rounds []float64) Spread {
	if len(rounds) == 0 {
		return Spread{}
	}
	s := slices.Sorted(slices.Values(rounds))
	middle := len(s) / 2
	median := s[middle]
	if len(s)%2 == 0 {
		median = (s[middle-1] + s[middle]) / 2
	}
	return Spread{Median: median, Least: s[0], Most: s[len(s)-1]}
}
