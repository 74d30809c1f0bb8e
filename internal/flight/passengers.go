package flight

import "slices"

// Bounds of a party. All three providers sell at most nine seats at once.
const (
	MaxSeats    = 9
	MinChildAge = 2
	MaxChildAge = 17
	// AssumedChildAge stands for a child whose age was not given. Published
	// child fares are one for the ages 2 to 11; the assumption is shown in the
	// normalised query of every answer.
	AssumedChildAge = 8
)

// Passengers is the party of a search.
type Passengers struct {
	// Adults are 18 and over, 1 to 9.
	Adults int `json:"adults"`
	// ChildAges has one age for each child with a seat of its own, 2 to 17, on
	// the day of the last departure.
	ChildAges []int `json:"child_ages,omitempty"`
	// Infants are under 2 and sit on an adult's lap, at most one each.
	Infants int `json:"infants,omitempty"`
}

// Seats counts those who need one.
func (p Passengers) Seats() int { return p.Adults + len(p.ChildAges) }

// Total counts everybody.
func (p Passengers) Total() int { return p.Seats() + p.Infants }

// normalised sorts the ages, for the order in which children are named does not
// change a fare. Ages in order are shared with p rather than copied.
func (p Passengers) normalised() Passengers {
	switch {
	case len(p.ChildAges) == 0:
		p.ChildAges = nil
	case !slices.IsSorted(p.ChildAges):
		p.ChildAges = slices.Sorted(slices.Values(p.ChildAges))
	}
	return p
}
