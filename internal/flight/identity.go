package flight

import (
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"
)

// Key is equal for two itineraries exactly when they are the same physical
// journey, whoever sells it and under whichever numbers. It is for comparing
// alone; show ID instead.
func (it Itinerary) Key() string {
	var room [512]byte // Nine segments fit; a longer journey moves to the heap.
	return string(it.appendKey(room[:0]))
}

// ID is a short name of Key, the same in every search and on every instance:
// 80 bits of its SHA-256, so that a chance collision among a billion journeys
// is less likely than one in a million. Sixteen letters and digits.
func (it Itinerary) ID() string {
	var room [512]byte
	sum := sha256.Sum256(it.appendKey(room[:0]))
	var id [16]byte
	return string(idEncoding.AppendEncode(id[:0], sum[:10]))
}

// idEncoding is RFC 4648 base32 in small letters, which every URL takes as it is.
var idEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567")

func (it Itinerary) appendKey(b []byte) []byte {
	for _, s := range it.Slices {
		for i := range s.Segments {
			b = s.Segments[i].appendKey(b)
		}
		b = append(b, '/')
	}
	return b
}

// appendKey names the physical movement: where and when it leaves and lands, and
// who flies it (who sells it, where that is unknown). Not the flight number: two
// of three providers do not give the operating one, and a codeshare has several.
// Wall times, not instants, since not every airport's zone is known.
func (s *Segment) appendKey(b []byte) []byte {
	b = append(append(b, s.Origin...), ' ')
	b = append(append(b, s.Destination...), ' ')
	b = append(s.Departure.appendWall(b), ' ')
	b = append(s.Arrival.appendWall(b), ' ')
	carrier := s.Operating
	if !carrier.Known() {
		carrier = s.Marketing
	}
	return append(carrier.appendKey(b), ' ')
}

// appendKey prefers the code, for providers spell names differently. A name is
// quoted, so that its blanks do not pass for the next part.
func (c Carrier) appendKey(b []byte) []byte {
	if c.Code != "" {
		return append(b, c.Code...)
	}
	return strconv.AppendQuote(b, strings.ToLower(c.Name))
}
