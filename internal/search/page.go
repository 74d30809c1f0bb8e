package search

import (
	"crypto/sha256"
	"hash"
)

// pageOf cuts the page that the view asks for and makes the cursor of the next.
func pageOf(journeys []Itinerary, v View, all []heard) (page []Itinerary, next string, err error) {
	here := cursor{print: fingerprint(journeys, v), parts: partsOf(all)}
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
