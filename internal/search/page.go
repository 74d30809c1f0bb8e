package search

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
)

// ErrCursor is a cursor that does not continue this answer: it is of another
// query or view, damaged, or the fares behind it are no longer known or no
// longer hold.
var ErrCursor = errors.New("search: the cursor is too old or of another search")

const (
	// printBytes of an answer's fingerprint stand in a cursor.
	printBytes = 12
	// fetchBytes is the length of a fetch's name.
	fetchBytes = 16
)

// cursor says where a page begins and in which answer: the fetch that each
// source's fares came from (none where it gave none), and a fingerprint of the
// whole ordered answer, so that a page never continues one that has changed.
// Nothing is shown twice and nothing is skipped.
type cursor struct {
	begin   int
	print   [printBytes]byte
	fetches [][fetchBytes]byte
}

// pageOf cuts the page that the view asks for and makes the cursor of the next.
func pageOf(journeys []Itinerary, v View, all []heard) (page []Itinerary, next string, err error) {
	here := cursor{print: fingerprint(journeys, v), fetches: fetchesOf(all)}
	begin := 0
	if v.Cursor != "" {
		asked, err := readCursor(v.Cursor, len(all))
		if err != nil || asked.print != here.print || asked.begin >= len(journeys) {
			return nil, "", ErrCursor
		}
		begin = asked.begin
	}
	end := min(begin+v.Limit, len(journeys))
	if here.begin = end; end < len(journeys) {
		next = here.write()
	}
	return journeys[begin:end], next, nil
}

func fetchesOf(all []heard) [][fetchBytes]byte {
	fetches := make([][fetchBytes]byte, len(all))
	for i, h := range all {
		if name, err := hex.DecodeString(h.fetch); err == nil {
			copy(fetches[i][:], name)
		}
	}
	return fetches
}

func (c cursor) write() string {
	raw := append(binary.AppendUvarint(nil, uint64(c.begin)), c.print[:]...)
	for _, fetch := range c.fetches {
		raw = append(raw, fetch[:]...)
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// readCursor reads what write wrote for so many sources.
func readCursor(text string, sources int) (cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return cursor{}, ErrCursor
	}
	begin, n := binary.Uvarint(raw)
	if n <= 0 || len(raw) != n+printBytes+sources*fetchBytes {
		return cursor{}, ErrCursor
	}
	c := cursor{begin: int(min(begin, 1<<31-1)), fetches: make([][fetchBytes]byte, sources)}
	copy(c.print[:], raw[n:])
	for i := range c.fetches {
		copy(c.fetches[i][:], raw[n+printBytes+i*fetchBytes:])
	}
	return c, nil
}

// name is the fetch of one source as the cache writes it, empty for none.
func (c cursor) name(i int) string {
	if c.fetches[i] == [fetchBytes]byte{} {
		return ""
	}
	return hex.EncodeToString(c.fetches[i][:])
}

// fingerprint covers what a page shows: which journeys, in which order, at which
// prices, in which currency.
func fingerprint(journeys []Itinerary, v View) [printBytes]byte {
	h := sha256.New()
	writeText(h, v.Currency)
	for _, j := range journeys {
		writeText(h, j.ID)
		for _, o := range j.Offers {
			writeText(h, o.Provider+o.Price.String())
		}
	}
	return [printBytes]byte(h.Sum(nil)[:printBytes])
}

func writeText(h hash.Hash, text string) {
	h.Write([]byte(text))
	h.Write([]byte{0})
}
