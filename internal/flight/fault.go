package flight

import (
	"fmt"
	"slices"
	"strings"
)

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
	// Detail is a sentence for the person who wrote the request. Its subject is
	// the field or the value it quotes.
	Detail string
}

// Faults lists all that is wrong with the form of the question, each thing once,
// so that its author can mend everything at once. What needs a clock or
// reference data (past dates, unknown places) is not judged here.
func (q Query) Faults() []Fault {
	return slices.Concat(q.sliceFaults(), q.Passengers.faults(), q.Cabin.faults())
}

// sliceFaults judges no more slices than a question may have: the list of faults
// is bounded, whatever the size of the request.
func (q Query) sliceFaults() []Fault {
	var faults []Fault
	if n := len(q.Slices); n < 1 || n > MaxSlices {
		faults = append(faults, fault(FieldSlices, "must be 1 to %d, one for each direction of travel, not %d", MaxSlices, n))
	}
	var last Date
	for i, s := range q.Slices[:min(len(q.Slices), MaxSlices)] {
		found := s.faults()
		if s.Departure.IsZero() {
			found = append(found, fault(FieldDeparture, "is missing; write it as YYYY-MM-DD"))
		} else if s.Departure.Before(last) {
			found = append(found, fault(FieldDeparture,
				"%s is before the departure ahead of it, %s; choose that day or a later one", s.Departure, last))
		}
		for _, f := range found {
			f.Slice = i
			faults = append(faults, f)
		}
		if !s.Departure.IsZero() {
			last = s.Departure
		}
	}
	return faults
}

// faults judges the two places.
func (s SliceQuery) faults() []Fault {
	var faults []Fault
	origin, err := ParsePlace(s.Origin)
	if err != nil {
		faults = append(faults, placeFault(FieldOrigin, s.Origin, err))
	}
	destination, err := ParsePlace(s.Destination)
	if err != nil {
		faults = append(faults, placeFault(FieldDestination, s.Destination, err))
	}
	if origin != "" && origin == destination {
		faults = append(faults, fault(FieldDestination, "is the same place as the origin, %s; choose another", origin))
	}
	return faults
}

func placeFault(field, code string, err error) Fault {
	if strings.TrimSpace(code) == "" {
		return fault(field, "is missing; write an IATA airport or city code, for example JFK or LON")
	}
	return fault(field, "%s", err)
}

// faults judges children and infants beside the nearest possible number of
// adults, so that a wrong number of adults is one fault and not three.
func (p Passengers) faults() []Fault {
	var faults []Fault
	if p.Adults < 1 || p.Adults > MaxSeats {
		faults = append(faults, fault(FieldAdults, "must be 1 to %d, not %d; children travel with an adult", MaxSeats, p.Adults))
	}
	adults := min(max(p.Adults, 1), MaxSeats)
	if seats := MaxSeats - adults; len(p.ChildAges) > seats && p.Adults <= MaxSeats {
		faults = append(faults, fault(FieldChildren,
			"must be at most %d, not %d: adults and children together can book %d seats at once", seats, len(p.ChildAges), MaxSeats))
	}
	if ages := p.impossibleAges(); len(ages) > 0 {
		faults = append(faults, fault(FieldChildAges, "must be %d to %d, not %s; count a child under %d in infants and a person over %d in adults",
			MinChildAge, MaxChildAge, strings.Join(ages, ", "), MinChildAge, MaxChildAge))
	}
	if p.Infants < 0 || p.Infants > adults {
		faults = append(faults, fault(FieldInfants, "must be 0 to %d, not %d: each sits on the lap of an adult of its own", adults, p.Infants))
	}
	return faults
}

// impossibleAges are those out of bounds, each once. More children than there
// are seats have a fault of their own and are not looked at.
func (p Passengers) impossibleAges() []string {
	var ages []string
	for _, age := range p.ChildAges[:min(len(p.ChildAges), MaxSeats)] {
		if text := fmt.Sprint(age); (age < MinChildAge || age > MaxChildAge) && !slices.Contains(ages, text) {
			ages = append(ages, text)
		}
	}
	return ages
}

func (c Cabin) faults() []Fault {
	if _, err := ParseCabin(string(c)); err != nil {
		return []Fault{fault(FieldCabin, "%s", err)}
	}
	return nil
}

func fault(field, format string, args ...any) Fault {
	return Fault{Field: field, Slice: NoSlice, Detail: fmt.Sprintf(format, args...)}
}
