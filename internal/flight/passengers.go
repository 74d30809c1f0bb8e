package flight

import (
	"fmt"
	"slices"
)

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

func (p Passengers) faults() []Fault {
	var faults []Fault
	add := func(field, format string, args ...any) {
		faults = append(faults, Fault{Field: field, Slice: NoSlice, Detail: fmt.Sprintf(format, args...)})
	}
	if p.Adults < 1 || p.Adults > MaxSeats {
		add(FieldAdults, "must be 1 to %d, not %d; children do not travel alone", MaxSeats, p.Adults)
	}
	if p.Seats() > MaxSeats && p.Adults <= MaxSeats {
		add(FieldChildren, "adults and children together take %d seats; at most %d can be booked at once", p.Seats(), MaxSeats)
	}
	for _, age := range p.ChildAges {
		if age < MinChildAge || age > MaxChildAge {
			add(FieldChildAges, "%d is outside %d to %d; count a child under %d in infants and a person over %d in adults",
				age, MinChildAge, MaxChildAge, MinChildAge, MaxChildAge)
		}
	}
	if p.Infants < 0 || p.Infants > max(p.Adults, 0) {
		add(FieldInfants, "must be 0 to the number of adults (%d), not %d: each infant sits on an adult's lap", p.Adults, p.Infants)
	}
	return faults
}

// normalised sorts the ages, for the order in which children are named does not
// change a fare.
func (p Passengers) normalised() Passengers {
	p.ChildAges = slices.Sorted(slices.Values(p.ChildAges))
	return p
}
