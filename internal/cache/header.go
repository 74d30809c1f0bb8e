package cache

import (
	"encoding/binary"
	"time"
)

// headerReader takes fields off a header; the first that does not fit spoils
// all that follow, so that only the end needs a look.
type headerReader struct {
	rest   []byte
	spoilt bool
}

func (r *headerReader) take(n uint64) []byte {
	if r.spoilt || n > uint64(len(r.rest)) {
		r.spoilt = true
		return nil
	}
	field := r.rest[:n]
	r.rest = r.rest[n:]
	return field
}

func (r *headerReader) number(size uint64) uint64 {
	var n uint64
	for _, b := range r.take(size) {
		n = n<<8 | uint64(b)
	}
	return n
}

func (r *headerReader) length() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.spoilt = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *headerReader) text() string { return string(r.take(r.length())) }

func (r *headerReader) time() time.Time {
	return time.UnixMicro(int64(r.number(8))).UTC()
}

// texts reads a counted list. The count is checked against what is left, one
// byte at least for each, before the list is made.
func (r *headerReader) texts() []string {
	n := r.length()
	if r.spoilt || n > uint64(len(r.rest)) {
		r.spoilt = true
		return nil
	}
	list := make([]string, 0, n)
	for range n {
		list = append(list, r.text())
	}
	return list
}

func parseHeader(b []byte) (envelope, error) {
	r := &headerReader{rest: b}
	var e envelope
	e.ID = string(r.take(idSize))
	e.FetchedAt, e.FreshUntil, e.StaleUntil = r.time(), r.time(), r.time()
	e.codec = codec(r.number(1))
	e.version = uint16(r.number(2))
	e.decoded = uint32(r.number(4))
	e.stored = uint32(r.number(4))
	e.sum = r.number(8)
	e.tokens = r.texts()
	e.kind, e.query, e.Summary = r.text(), r.text(), r.text()
	if r.spoilt || len(r.rest) > 0 {
		return envelope{}, errCorrupt
	}
	return e, nil
}
