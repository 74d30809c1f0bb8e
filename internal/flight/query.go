package flight

import (
	"fmt"
	"slices"
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
	if !isPlace(strings.TrimSpace(s)) {
		return "", fmt.Errorf("%q is not an IATA airport or city code; write three letters, for example JFK or LON", s)
	}
	return canonicalPlace(s), nil
}

// isPlace asks for the letters of ASCII before they are made capitals, for
// Unicode has others whose capitals are A to Z.
func isPlace(code string) bool {
	if len(code) != 3 {
		return false
	}
	for i := range len(code) {
		if c := code[i]; (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

func canonicalPlace(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }

// IsReturn reports a journey out and back between the same two places.
func (q Query) IsReturn() bool {
	return len(q.Slices) == 2 &&
		q.Slices[0].Origin == q.Slices[1].Destination && q.Slices[0].Destination == q.Slices[1].Origin
}

// Normalised writes what does not matter to a fare in one way (codes in
// capitals, ages in order), so that equal questions are equal values. It leaves
// q as it is.
func (q Query) Normalised() Query {
	q.Passengers = q.Passengers.normalised()
	q.Slices = slices.Clone(q.Slices)
	for i := range q.Slices {
		s := &q.Slices[i]
		s.Origin, s.Destination = canonicalPlace(s.Origin), canonicalPlace(s.Destination)
	}
	return q
}

// Key is the canonical text of the question: equal for equal questions, whatever
// the case of a code, the order of children or the form of the request, and
// different for any two that may be answered differently. It is readable, for it
// is stored beside every cached answer and compared when one is read:
//
//	JFK-LHR@2026-12-15/LHR-JFK@2026-12-22/a2,c5.11,i1/economy
//
// It tells apart questions without Faults; others may share a key.
func (q Query) Key() string {
	var room [192]byte // Six slices and nine passengers fit.
	b := room[:0]
	for _, s := range q.Slices {
		b = s.appendKey(b)
	}
	b = q.Passengers.appendKey(b)
	return string(append(append(b, '/'), q.Cabin...))
}

func (s SliceQuery) appendKey(b []byte) []byte {
	b = append(append(b, canonicalPlace(s.Origin)...), '-')
	b = append(append(b, canonicalPlace(s.Destination)...), '@')
	return append(s.Departure.append(b), '/')
}

func (p Passengers) appendKey(b []byte) []byte {
	b = strconv.AppendInt(append(b, 'a'), int64(p.Adults), 10)
	b = append(b, ",c"...)
	for i, age := range p.normalised().ChildAges {
		if i > 0 {
			b = append(b, '.')
		}
		b = strconv.AppendInt(b, int64(age), 10)
	}
	return strconv.AppendInt(append(b, ",i"...), int64(p.Infants), 10)
}
