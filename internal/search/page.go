package search

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash"
)

// ErrCursor is a cursor that does not continue this answer: it is of another
// query or view, damaged, or the fares have changed since.
var ErrCursor = errors.New("search: the cursor is too old or of another search")

// fingerprintBytes of the answer stand in a cursor.
const fingerprintBytes = 12

// pageOf cuts the page that the view asks for and makes the cursor of the next.
// A cursor holds the place where its page begins and a fingerprint of the whole
// ordered answer, so that a page never continues an answer that has changed:
// nothing is shown twice and nothing is skipped.
func pageOf(journeys []Itinerary, v View) (page []Itinerary, next string, err error) {
	begin := 0
	print := fingerprint(journeys, v)
	if v.Cursor != "" {
		if begin, err = readCursor(v.Cursor, print); err != nil || begin >= len(journeys) {
			return nil, "", ErrCursor
		}
	}
	end := min(begin+v.Limit, len(journeys))
	if end < len(journeys) {
		next = writeCursor(end, print)
	}
	return journeys[begin:end], next, nil
}

func writeCursor(begin int, print [fingerprintBytes]byte) string {
	return base64.RawURLEncoding.EncodeToString(append(binary.AppendUvarint(nil, uint64(begin)), print[:]...))
}

func readCursor(cursor string, print [fingerprintBytes]byte) (int, error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, err
	}
	begin, n := binary.Uvarint(raw)
	if n <= 0 || string(raw[n:]) != string(print[:]) {
		return 0, ErrCursor
	}
	return int(min(begin, 1<<31)), nil
}

// fingerprint covers what a page shows: which journeys, in which order, at which
// prices, in which currency.
func fingerprint(journeys []Itinerary, v View) [fingerprintBytes]byte {
	h := sha256.New()
	writeText(h, v.Currency)
	for _, j := range journeys {
		writeText(h, j.ID)
		for _, o := range j.Offers {
			writeText(h, o.Provider+o.Price.String())
		}
	}
	return [fingerprintBytes]byte(h.Sum(nil)[:fingerprintBytes])
}

func writeText(h hash.Hash, text string) {
	h.Write([]byte(text))
	h.Write([]byte{0})
}
