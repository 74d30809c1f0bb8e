package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/s2"
)

// An entry as it lies in Redis:
//
//	0   "HHC" and the format version
//	4   length of the header, uint32
//	8   xxHash64 of the header
//	16  header: fetch id (32 hexadecimal digits), times, codec, value version,
//	    sizes and xxHash64 of the payload, tokens, kind, query, summary
//	…   payload, to the end
//
// All numbers are big-endian. The header has its own checksum because a fill
// reads the header alone of the entry that it replaces. The fetch id stands
// first, at a fixed place, for the fill script to find.
const (
	magic         = "HHC"
	formatVersion = 1
	preambleSize  = 16
	idSize        = 32
	idOffset      = preambleSize
	// headSize is as much of a replaced entry as a fill reads; a header that
	// would not fit is refused when it is written.
	headSize = 4096
	// maxDecoded bounds MaxEntryBytes: no entry of any setting decodes to more.
	maxDecoded = 64 << 20
)

// codec names how the payload is compressed.
type codec byte

const (
	codecRaw codec = 0
	codecS2  codec = 1
)

// compressFrom is the size from which compressing pays: under it s2 saves less
// than a packet.
const compressFrom = 512

// The ways in which stored bytes can be unusable. Each is a miss and a count
// under its own text, never an error of the caller's.
var (
	errTruncated = errors.New("truncated")
	errForeign   = errors.New("foreign")
	errNewer     = errors.New("newer")
	errCorrupt   = errors.New("corrupt")
	errOversized = errors.New("oversized")
	errOther     = errors.New("other_question")
	errUndecoded = errors.New("undecodable")
)

// envelope is an entry's header, and its payload as stored.
type envelope struct {
	Meta
	codec   codec
	version uint16
	decoded uint32
	sum     uint64
	stored  uint32
	tokens  []string
	kind    string
	query   string
	payload []byte
}

// seal compresses payload where that pays and returns the entry's bytes.
func (e envelope) seal(payload []byte) ([]byte, error) {
	e.codec, e.decoded = codecRaw, uint32(len(payload)) // Bounded by MaxEntryBytes.
	if len(payload) >= compressFrom {
		e.codec, payload = codecS2, s2.Encode(nil, payload)
	}
	e.sum, e.stored = xxhash.Sum64(payload), uint32(len(payload)) // Bounded by MaxEntryBytes.
	out := make([]byte, preambleSize, preambleSize+e.headerHint()+len(payload))
	out = e.appendHeader(out)
	if len(out) > headSize {
		return nil, fmt.Errorf("cache: the header of an entry of %q takes %d bytes, at most %d: shorten query or summary", e.kind, len(out), headSize)
	}
	copy(out, magic)
	out[3] = formatVersion
	binary.BigEndian.PutUint32(out[4:], uint32(len(out)-preambleSize)) // At most headSize.
	binary.BigEndian.PutUint64(out[8:], xxhash.Sum64(out[preambleSize:]))
	return append(out, payload...), nil
}

func (e envelope) headerHint() int {
	return 160 + len(e.tokens)*(tokenSize+1) + len(e.kind) + len(e.query) + len(e.Summary)
}

func (e envelope) appendHeader(b []byte) []byte {
	b = append(b, e.ID...)
	for _, at := range []time.Time{e.FetchedAt, e.FreshUntil, e.StaleUntil} {
		b = binary.BigEndian.AppendUint64(b, uint64(at.UnixMicro()))
	}
	b = append(b, byte(e.codec))
	b = binary.BigEndian.AppendUint16(b, e.version)
	b = binary.BigEndian.AppendUint32(b, e.decoded)
	b = binary.BigEndian.AppendUint32(b, e.stored)
	b = binary.BigEndian.AppendUint64(b, e.sum)
	b = binary.AppendUvarint(b, uint64(len(e.tokens)))
	for _, token := range e.tokens {
		b = appendString(b, token)
	}
	b = appendString(b, e.kind)
	b = appendString(b, e.query)
	return appendString(b, e.Summary)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// openEnvelope reads a whole entry. The payload still waits for unpack.
func openEnvelope(b []byte) (envelope, error) {
	e, rest, err := openHeader(b)
	if err != nil {
		return envelope{}, err
	}
	if uint64(len(rest)) < uint64(e.stored) {
		return envelope{}, errTruncated
	}
	if uint64(len(rest)) > uint64(e.stored) || xxhash.Sum64(rest) != e.sum {
		return envelope{}, errCorrupt
	}
	e.payload = rest
	return e, nil
}

// openHeader reads the header alone, from an entry's first bytes, and returns
// what follows it.
func openHeader(b []byte) (envelope, []byte, error) {
	switch {
	case len(b) < preambleSize:
		return envelope{}, nil, errTruncated
	case string(b[:3]) != magic || b[3] == 0:
		return envelope{}, nil, errForeign
	case b[3] > formatVersion:
		return envelope{}, nil, errNewer
	}
	size := uint64(binary.BigEndian.Uint32(b[4:]))
	if size > headSize-preambleSize {
		return envelope{}, nil, errCorrupt
	}
	if uint64(len(b)) < preambleSize+size {
		return envelope{}, nil, errTruncated
	}
	header, rest := b[preambleSize:preambleSize+size], b[preambleSize+size:]
	if xxhash.Sum64(header) != binary.BigEndian.Uint64(b[8:]) {
		return envelope{}, nil, errCorrupt
	}
	e, err := parseHeader(header)
	return e, rest, err
}

// unpack returns the payload, decompressed, of at most limit bytes. What the
// header claims is checked before a byte is reserved for it.
func (e envelope) unpack(limit int) ([]byte, error) {
	if uint64(e.decoded) > uint64(limit) { // Limit is positive.
		return nil, errOversized
	}
	switch e.codec {
	case codecRaw:
		if uint64(e.decoded) != uint64(len(e.payload)) {
			return nil, errCorrupt
		}
		return e.payload, nil
	case codecS2:
		return e.unpackS2()
	}
	return nil, errNewer
}

func (e envelope) unpackS2() ([]byte, error) {
	size, err := s2.DecodedLen(e.payload)
	if err != nil {
		return nil, errCorrupt
	}
	if uint64(size) != uint64(e.decoded) { // Never negative without an error.
		return nil, errOversized
	}
	out, err := s2.Decode(make([]byte, size), e.payload)
	if err != nil {
		return nil, errCorrupt
	}
	return out, nil
}
