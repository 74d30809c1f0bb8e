package duffel

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// Marks stand where an answer differs from the next one of the same question.
// Each is as long as what replaces it.
const (
	markStamp   = "@stamp@@@@@@@"               // Within ids.
	markCreated = "@created@@@@@@@@@@@@@@@@@@@" // created_at.
	markExpires = "@expires@@@@@@@@@@@@@@@@@@@" // expires_at.

	timeLayout = "2006-01-02T15:04:05.000000Z"
	// lifetime is how long Duffel's offers usually hold.
	lifetime = 30 * time.Minute
)

// stencil is a rendered text with marks in it.
type stencil struct {
	text  []byte
	holes []hole
}

type hole struct {
	at   int
	mark byte // The second letter of the mark.
}

func newStencil(text []byte) stencil {
	s := stencil{text: text}
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], '@')
		if next < 0 {
			return s
		}
		at += next
		for _, mark := range []string{markStamp, markCreated, markExpires} {
			if bytes.HasPrefix(text[at:], []byte(mark)) {
				s.holes = append(s.holes, hole{at, mark[1]})
				at += len(mark) - 1
				break
			}
		}
	}
}

// filling is what an answer puts into the holes.
type filling struct{ stamp, created, expires string }

func newFilling(made wire.Stamp) filling {
	made.Made = made.Made.UTC()
	return filling{made.Pack(), made.Made.Format(timeLayout), made.Made.Add(lifetime).Format(timeLayout)}
}

// filling is that of an answer made at this moment.
func (s *service) filling() filling {
	return newFilling(wire.Stamp{Made: s.Now(), Nonce: rand.Uint32()})
}

// appendTo writes the stencil with its holes filled.
func (s stencil) appendTo(b []byte, f filling) []byte {
	start := len(b)
	b = append(b, s.text...)
	for _, h := range s.holes {
		switch h.mark {
		case markStamp[1]:
			copy(b[start+h.at:], f.stamp)
		case markCreated[1]:
			copy(b[start+h.at:], f.created)
		default:
			copy(b[start+h.at:], f.expires)
		}
	}
	return b
}

// answer is all that Duffel has for a query.
type answer struct {
	head   stencil // The offer request without its offers, open at the end.
	offers []rendered
}

// rendered is an offer with what lists are sorted and filtered by.
type rendered struct {
	stencil
	cents       int64
	minutes     int
	connections int
}

// Size is what the answer weighs in memory.
func (a *answer) Size() int {
	size := len(a.head.text)
	for _, o := range a.offers {
		size += len(o.text) + 16*len(o.holes)
	}
	return size
}

// within lists the offers with at most so many changes in each slice.
func (a *answer) within(connections int) []rendered {
	var offers []rendered
	for _, o := range a.offers {
		if o.connections <= connections {
			offers = append(offers, o)
		}
	}
	return offers
}

// flushAt is how many bytes are gathered before they go out: answers have up to
// a megabyte, of which no copy should be made.
const flushAt = 32 << 10

// send writes a head, the offers as a JSON list, and a tail.
func send(w http.ResponseWriter, status int, head []byte, offers []rendered, f filling, tail string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	b := append(make([]byte, 0, flushAt+flushAt/2), head...)
	b = append(b, '[')
	for i, o := range offers {
		if i > 0 {
			b = append(b, ',')
		}
		if b = o.appendTo(b, f); len(b) < flushAt {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return // The client has left.
		}
		b = b[:0]
	}
	_, _ = w.Write(append(append(b, ']'), tail...)) // Nothing follows that could fail.
}

// open drops the closing brace of an object, so that more can follow.
func open(object []byte) []byte { return []byte(strings.TrimSuffix(string(object), "}")) }
