package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/s2"
	"pgregory.net/rapid"
)

func sample() envelope {
	at := time.Date(2026, 12, 15, 18, 30, 0, 123456000, time.UTC)
	return envelope{
		Meta: Meta{
			ID: strings.Repeat("0f", 16), FetchedAt: at, FreshUntil: at.Add(time.Minute),
			StaleUntil: at.Add(2 * time.Minute), Summary: "412.30 USD",
		},
		version: 3, tokens: []string{strings.Repeat("a", 16), strings.Repeat("b", 16)},
		kind: "duffel", query: "JFK-LHR 2026-12-15 1A",
	}
}

func sealed(t testing.TB, e envelope, payload []byte) []byte {
	t.Helper()
	b, err := e.seal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// reseal replaces the header of b and gives it a valid checksum, as somebody who
// knows the format could.
func reseal(b []byte, change func(header []byte)) []byte {
	b = bytes.Clone(b)
	header := b[preambleSize : preambleSize+int(binary.BigEndian.Uint32(b[4:]))]
	change(header)
	binary.BigEndian.PutUint64(b[8:], xxhash.Sum64(header))
	return b
}

// Offsets in the header, see envelope.go.
const (
	codecAt   = idSize + 3*8
	decodedAt = codecAt + 1 + 2
	storedAt  = decodedAt + 4
	sumAt     = storedAt + 4
	listAt    = sumAt + 8
)

func TestEnvelopeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := sample()
		e.kind, e.query = rapid.String().Draw(t, "kind"), rapid.String().Draw(t, "query")
		e.Summary = rapid.StringN(-1, 100, -1).Draw(t, "summary")
		payload := []byte(strings.Repeat(rapid.String().Draw(t, "payload"), rapid.IntRange(0, 100).Draw(t, "times")))
		b, err := e.seal(payload)
		if err != nil {
			t.Skip("a header beyond its bound")
		}
		got, err := openEnvelope(b)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := got.unpack(maxDecoded)
		if err != nil || !bytes.Equal(unpacked, payload) {
			t.Fatalf("payload %q, error %v", unpacked, err)
		}
		if diff := cmp.Diff(e.Meta, got.Meta); diff != "" || got.kind != e.kind || got.query != e.query || !sameTokens(got.tokens, e.tokens) {
			t.Fatalf("header %+v, meta:\n%s", got, diff)
		}
	})
}

func TestEnvelopeCompresses(t *testing.T) {
	payload := []byte(strings.Repeat(`{"offer":"LHR-JFK","amount":"412.30"},`, 5000))
	if b := sealed(t, sample(), payload); len(b) > len(payload)/4 {
		t.Errorf("%d bytes became %d", len(payload), len(b))
	}
}

// oddEntry is what may lie under an entry's key, and what it is.
type oddEntry struct {
	bytes []byte
	want  error
}

// oddEntries are unusable ones that would be base's but for their fault.
func oddEntries(t testing.TB, base envelope) map[string]oddEntry {
	t.Helper()
	good := sealed(t, base, []byte(strings.Repeat("offer", 1000)))
	flip := func(at int) []byte {
		b := bytes.Clone(good)
		b[at] ^= 1
		return b
	}
	plain := sealed(t, base, []byte("raw"))
	bomb := s2.Encode(nil, make([]byte, maxDecoded+1))
	return map[string]oddEntry{
		"empty":              {nil, errTruncated},
		"half a preamble":    {good[:10], errTruncated},
		"half a header":      {good[:60], errTruncated},
		"half a payload":     {good[:len(good)-1], errTruncated},
		"a tail":             {append(bytes.Clone(good), 0), errCorrupt},
		"foreign":            {[]byte(`{"offers": ["of somebody else"]}`), errForeign},
		"no version":         {append([]byte("HHC\x00"), good[4:]...), errForeign},
		"a newer format":     {append([]byte("HHC\x02"), good[4:]...), errNewer},
		"a flipped header":   {flip(preambleSize + 40), errCorrupt},
		"a flipped payload":  {flip(len(good) - 5), errCorrupt},
		"a header's length":  {append([]byte("HHC\x01\xff\xff\xff\xff"), good[8:]...), errCorrupt},
		"an unknown codec":   {reseal(good, func(h []byte) { h[codecAt] = 9 }), errNewer},
		"a false raw length": {reseal(plain, func(h []byte) { h[decodedAt+3]++ }), errCorrupt},
		"a false s2 length":  {reseal(good, func(h []byte) { h[decodedAt+3]++ }), errOversized},
		"too many tokens":    {reseal(good, func(h []byte) { h[listAt] = 0x7f }), errCorrupt},
		"endless tokens":     {reseal(good, func(h []byte) { copy(h[listAt:], "\xff\xff\xff\xff\xff\xff\xff\xff\x7f") }), errCorrupt},
		"an honest bomb": {sealWith(t, base, bomb, func(h []byte) {
			binary.BigEndian.PutUint32(h[decodedAt:], maxDecoded+1)
		}), errOversized},
		"a lying bomb": {sealWith(t, base, bomb, func(h []byte) {
			binary.BigEndian.PutUint32(h[decodedAt:], 100)
		}), errOversized},
		"s2 garbage": {sealWith(t, base, append([]byte{200, 1}, "not s2"...), func(h []byte) {
			binary.BigEndian.PutUint32(h[decodedAt:], 200)
		}), errCorrupt},
	}
}

// sealWith returns an entry whose stored s2 payload is stored itself.
func sealWith(t testing.TB, base envelope, stored []byte, change func(header []byte)) []byte {
	t.Helper()
	good := sealed(t, base, make([]byte, compressFrom))
	head := good[:preambleSize+int(binary.BigEndian.Uint32(good[4:]))]
	return append(reseal(head, func(h []byte) {
		binary.BigEndian.PutUint32(h[storedAt:], uint32(len(stored)))
		binary.BigEndian.PutUint64(h[sumAt:], xxhash.Sum64(stored))
		change(h)
	}), stored...)
}

func unpackAll(b []byte) error {
	e, err := openEnvelope(b)
	if err == nil {
		_, err = e.unpack(maxDecoded)
	}
	return err
}

func TestOddEntries(t *testing.T) {
	for name, odd := range oddEntries(t, sample()) {
		t.Run(name, func(t *testing.T) {
			if err := unpackAll(odd.bytes); !errors.Is(err, odd.want) {
				t.Errorf("error %v, want %v", err, odd.want)
			}
		})
	}
}

// TestOddEntriesAreMisses: none is an answer, each is counted.
func TestOddEntriesAreMisses(t *testing.T) {
	count, meter := counted()
	o := Options{}
	meter(&o)
	c := mustOpen(t, o)
	f := fares(c)
	put(t, f, question("q"), fare{Version: 1})
	found := find(t, f, question("q"))
	base := envelope{Meta: found.Meta, tokens: found.tokens, kind: "duffel", query: "q"}
	odd := oddEntries(t, base)
	delete(odd, "empty") // Nothing is nothing odd.
	odd["not a fare"] = oddEntry{sealed(t, base, []byte(`]`)), errUndecoded}
	newer, other := base, base
	newer.version, other.query = 9, "another"
	odd["another encoding"] = oddEntry{sealed(t, newer, []byte(`{}`)), errNewer}
	odd["another question's"] = oddEntry{sealed(t, other, []byte(`{}`)), errOther}
	for name, entry := range odd {
		before := count.of(t, "cache.odd_entries", entry.want.Error())
		c.local.copies.InvalidateAll()
		mustSucceed(t, c.store.set(t.Context(), found.key, entry.bytes, time.Hour))
		if got := find(t, f, question("q")); got.State != Miss {
			t.Errorf("%s: %v", name, got.State)
		}
		if got := count.of(t, "cache.odd_entries", entry.want.Error()) - before; got != 1 {
			t.Errorf("%s was counted %d times as %s", name, got, entry.want)
		}
	}
	good := sealed(t, base, []byte(`{"Version": 1}`))
	mustSucceed(t, c.store.set(t.Context(), found.key, good, time.Hour))
	wantFare(t, find(t, f, question("q")), Hit, fare{Version: 1})
}

func FuzzEnvelope(f *testing.F) {
	for _, odd := range oddEntries(f, sample()) {
		if len(odd.bytes) < 1<<20 {
			f.Add(odd.bytes)
		}
	}
	f.Add(sealed(f, sample(), []byte("raw")))
	f.Add(sealed(f, sample(), []byte(strings.Repeat("offer", 1000))))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := openEnvelope(b)
		if err != nil {
			return
		}
		payload, err := e.unpack(1 << 20)
		if err != nil {
			return
		}
		if len(payload) > 1<<20 || uint64(len(payload)) != uint64(e.decoded) {
			t.Fatalf("%d bytes unpacked, %d promised", len(payload), e.decoded)
		}
		again, err := e.seal(payload)
		if err != nil {
			t.Fatal(err)
		}
		if err := unpackAll(again); err != nil {
			t.Fatalf("sealed again it does not open: %v", err)
		}
	})
}
