package flight

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSlices is how many directions one search may have; Amadeus and Skyscanner
// take six.
const MaxSlices = 6

// SliceQuery asks for one direction of travel.
type SliceQuery struct {
	// Origin and Destination are IATA airport or city codes in capitals.
	Origin      string `json:"origin"`
	Destination string `json:"destination"`
	// Departure is the day of departure, local to the origin.
	Departure Date `json:"departure_date"`
}

// Query is what a provider is asked: everything that changes the fares, and
// nothing that is only a view over them (currency, filters, order, page).
type Query struct {
	// Slices are 1 to MaxSlices, in the order of travel.
	Slices     []SliceQuery `json:"slices"`
	Passengers Passengers   `json:"passengers"`
	Cabin      Cabin        `json:"cabin"`
}

// ParsePlace reads an airport or city code in any case with blanks around it.
func ParsePlace(s string) (string, error) {
	code := strings.ToUpper(strings.TrimSpace(s))
	if !isPlace(code) {
		return "", fmt.Errorf("%q is not an IATA airport or city code; write three letters, for example JFK or LON", s)
	}
	return code, nil
}

func isPlace(code string) bool {
	if len(code) != 3 {
		return false
	}
	for i := range len(code) {
		if code[i] < 'A' || code[i] > 'Z' {
			return false
		}
	}
	return true
}

// IsReturn reports a journey out and back between the same two places.
func (q Query) IsReturn() bool {
	return len(q.Slices) == 2 &&
		q.Slices[0].Origin == q.Slices[1].Destination && q.Slices[0].Destination == q.Slices[1].Origin
}

// Normalised puts what does not matter to a fare in one order, so that equal
// questions are equal values.
func (q Query) Normalised() Query {
	q.Passengers = q.Passengers.normalised()
	return q
}

// Key is the canonical text of the question: equal for equal questions, whatever
// the case of a code, the order of children or the form of the request, and
// different for any two that may be answered differently. It is readable, for it
// is stored beside every cached answer and compared when one is read.
func (q Query) Key() string {
	n := q.Normalised()
	var b strings.Builder
	for _, s := range n.Slices {
		fmt.Fprintf(&b, "%s-%s@%s/", s.Origin, s.Destination, s.Departure)
	}
	b.WriteString("a" + strconv.Itoa(n.Passengers.Adults) + ",c")
	for i, age := range n.Passengers.ChildAges {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(age))
	}
	b.WriteString(",i" + strconv.Itoa(n.Passengers.Infants) + "/" + string(n.Cabin))
	return b.String()
}
