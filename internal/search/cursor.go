package search

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
)

// FieldCursor names the view's cursor in a flight.Fault.
const FieldCursor = "cursor"

// ErrCursor is a cursor that does not continue this answer: it is of another
// query or view, or the fares behind it are no longer known or no longer hold.
var ErrCursor = errors.New("search: the cursor is too old or of another search")

// errNoCursor is a text that no answer gave as its cursor.
var errNoCursor = errors.New("search: no cursor")

const (
	// cursorMark begins every cursor; another form of it takes another mark.
	cursorMark = 0xC2
	// printBytes of an answer's fingerprint stand in a cursor.
	printBytes = 12
	// fetchBytes is the length of a fetch's name.
	fetchBytes = 16
	// sourceBytes is what a cursor has of each source: the fetch and its part.
	sourceBytes = fetchBytes + 1
	// staleBit marks fares that answered in place of a provider that could not.
	staleBit = 0x80
)

// cursor says where a page begins and in which answer: each source's part in it,
// and a fingerprint of the whole ordered answer, so that a page never continues
// one that has changed. Nothing is shown twice and nothing is skipped.
type cursor struct {
	begin int
	print [printBytes]byte
	parts []part
}

// part is what one source gave to an answer: the fares of a fetch, or nothing
// and why.
type part struct {
	fetch  [fetchBytes]byte // Zero where it gave none or none that is remembered.
	status Status
	stale  bool
}

// statusBytes number the statuses in a cursor.
func statusBytes() []Status {
	return []Status{StatusOK, StatusTimeout, StatusError, StatusRateLimited, StatusUnavailable, StatusUnsupported}
}

func partsOf(all []heard) []part {
	parts := make([]part, len(all))
	for i, h := range all {
		parts[i].status, _ = statusOf(h.err)
		parts[i].stale = h.use == CacheStale
		if name, err := hex.DecodeString(h.fetch); err == nil {
			copy(parts[i].fetch[:], name)
		}
	}
	return parts
}

// name is the fetch as the cache writes it, empty for none.
func (p part) name() string {
	if p.fetch == [fetchBytes]byte{} {
		return ""
	}
	return hex.EncodeToString(p.fetch[:])
}

func (c cursor) write() string {
	raw := append(binary.AppendUvarint([]byte{cursorMark}, uint64(c.begin)), c.print[:]...)
	for _, p := range c.parts {
		b := byte(max(0, slices.Index(statusBytes(), p.status)))
		if p.stale {
			b |= staleBit
		}
		raw = append(append(raw, b), p.fetch[:]...)
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// readCursor reads what write wrote for so many sources. What cannot have been
// written is errNoCursor; a cursor of other sources is ErrCursor.
func readCursor(text string, sources int) (cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) == 0 || raw[0] != cursorMark {
		return cursor{}, errNoCursor
	}
	begin, n := binary.Uvarint(raw[1:])
	rest := raw[min(len(raw), 1+max(n, 0)):]
	if n <= 0 || len(rest) < printBytes || (len(rest)-printBytes)%sourceBytes != 0 {
		return cursor{}, errNoCursor
	}
	c := cursor{begin: int(min(begin, 1<<31-1)), print: [printBytes]byte(rest)}
	for rest = rest[printBytes:]; len(rest) > 0; rest = rest[sourceBytes:] {
		p := part{stale: rest[0]&staleBit != 0, fetch: [fetchBytes]byte(rest[1:])}
		at := int(rest[0] &^ staleBit)
		if at >= len(statusBytes()) {
			return cursor{}, errNoCursor
		}
		p.status = statusBytes()[at]
		c.parts = append(c.parts, p)
	}
	if len(c.parts) != sources {
		return cursor{}, ErrCursor
	}
	return c, nil
}
