package providers

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// PlaceSegment puts a segment's wall times into the zones of its two airports,
// nil where unknown. The provider's own Duration wins over zone arithmetic and
// stays; where it is zero, the difference of the two times takes its place. It
// reports false where the two contradict each other, for Answer.Mismatches.
func PlaceSegment(s *flight.Segment, from, to *time.Location) bool {
	var agree bool
	s.Departure, s.Arrival, agree = flight.Between(s.Departure, s.Arrival, from, to, s.Duration)
	if s.Duration != 0 {
		return agree
	}
	elapsed, known := s.Arrival.Sub(s.Departure)
	s.Duration = max(elapsed, 0)
	return !known || elapsed >= 0
}

// PlaceSlice settles the duration of a slice whose segments are placed, by the
// rule of PlaceSegment. The slice has at least one segment.
func PlaceSlice(s *flight.Slice) bool {
	elapsed, known := s.Arrival().Sub(s.Departure())
	switch {
	case s.Duration != 0:
		return !known || elapsed == s.Duration
	case len(s.Segments) == 1:
		// The segment's own duration has been judged already.
		s.Duration = s.Segments[0].Duration
		return true
	default:
		s.Duration = max(elapsed, 0)
		return !known || elapsed >= 0
	}
}
