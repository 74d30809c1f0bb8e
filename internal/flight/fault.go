package flight

import "fmt"

// NoSlice is the Slice of a Fault that concerns the whole query.
const NoSlice = -1

// Fields that a Fault can name, as the contract writes them.
const (
	FieldSlices      = "slices"
	FieldOrigin      = "origin"
	FieldDestination = "destination"
	FieldDeparture   = "departure_date"
	FieldAdults      = "adults"
	FieldChildren    = "children"
	FieldChildAges   = "child_ages"
	FieldInfants     = "infants"
	FieldCabin       = "cabin"
)

// Fault is one thing wrong with a question, in words that say how to mend it.
type Fault struct {
	// Field is one of the Field constants or a parameter of the view.
	Field string
	// Slice is the index of the slice it concerns, or NoSlice.
	Slice int
	// Detail is a sentence for the person who wrote the request.
	Detail string
}

// Faults lists all that is wrong with the form of the question, so that its
// author can mend everything at once. What needs a clock or reference data
// (past dates, unknown places) is not judged here.
func (q Query) Faults() []Fault {
	faults := q.sliceFaults()
	faults = append(faults, q.Passengers.faults()...)
	if _, err := ParseCabin(string(q.Cabin)); err != nil {
		faults = append(faults, Fault{Field: FieldCabin, Slice: NoSlice, Detail: err.Error()})
	}
	return faults
}

func (q Query) sliceFaults() []Fault {
	if n := len(q.Slices); n < 1 || n > MaxSlices {
		return []Fault{{Field: FieldSlices, Slice: NoSlice, Detail: fmt.Sprintf("must be 1 to %d slices, not %d", MaxSlices, n)}}
	}
	var faults []Fault
	for i, s := range q.Slices {
		faults = append(faults, s.faults(i)...)
		if i > 0 && !s.Departure.IsZero() && s.Departure.Before(q.Slices[i-1].Departure) {
			faults = append(faults, Fault{Field: FieldDeparture, Slice: i, Detail: fmt.Sprintf(
				"%s is before the departure of the slice before it (%s); slices go in the order of travel", s.Departure, q.Slices[i-1].Departure)})
		}
	}
	return faults
}

func (s SliceQuery) faults(i int) []Fault {
	var faults []Fault
	for _, end := range []struct{ field, code string }{{FieldOrigin, s.Origin}, {FieldDestination, s.Destination}} {
		if _, err := ParsePlace(end.code); err != nil {
			faults = append(faults, Fault{Field: end.field, Slice: i, Detail: err.Error()})
		}
	}
	if s.Origin == s.Destination && isPlace(s.Origin) {
		faults = append(faults, Fault{Field: FieldDestination, Slice: i, Detail: fmt.Sprintf(
			"is the same place as the origin (%s); choose another", s.Origin)})
	}
	if s.Departure.IsZero() {
		faults = append(faults, Fault{Field: FieldDeparture, Slice: i, Detail: "is missing; write it as YYYY-MM-DD"})
	}
	return faults
}
