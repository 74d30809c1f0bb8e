package cache

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

const (
	// jitterShare of a lifetime is taken off at random.
	jitterShare = 5 // a fifth at most
	// expiryMargin is how long before a value's expiry it stops being fresh:
	// time enough to act on it.
	expiryMargin = 30 * time.Second
	// maxSummary bounds Filling.Summary, maxNote a Note's value.
	maxSummary = 1 << 10
	maxNote    = 4 << 10
)

// Note is a small value written together with an entry and valid under the same
// tokens: what is to be found without the entry, by another name.
type Note struct {
	// Name in the entry's bucket, say "low:duffel:…:2026-12-15". It begins with
	// a class of more than one letter and a colon.
	Name string
	// Value, at most 4 KiB.
	Value []byte
	// FetchedAt is set when a note is read: when its fetch began.
	FetchedAt time.Time
	// Until is when the note ends.
	Until time.Time
}

func (n Note) check() error {
	class, _, ok := strings.Cut(n.Name, ":")
	if !ok || len(class) < 2 {
		return fmt.Errorf("cache: note %q: want a name like low:…, its class longer than one letter", n.Name)
	}
	if len(n.Value) > maxNote {
		return fmt.Errorf("cache: note %q takes %d bytes, at most %d", n.Name, len(n.Value), maxNote)
	}
	return nil
}

// meta returns when a value whose fetch began at began is fresh and stale.
func (f Filling[V]) meta(began time.Time) Meta {
	began = began.UTC().Truncate(time.Microsecond)
	m := Meta{ID: newID(), FetchedAt: began, FreshUntil: began, StaleUntil: began, Summary: f.Summary}
	if f.FreshFor <= 0 {
		return m
	}
	jitter := rand.N(f.FreshFor/jitterShare + 1)
	m.FreshUntil = began.Add(f.FreshFor - jitter).Truncate(time.Microsecond)
	if last := f.Expires.Add(-expiryMargin); !f.Expires.IsZero() && last.Before(m.FreshUntil) {
		m.FreshUntil = last.UTC().Truncate(time.Microsecond)
	}
	if m.FreshUntil.Before(began) {
		m.FreshUntil = began
	}
	m.StaleUntil = m.FreshUntil.Add(f.StaleFor).Truncate(time.Microsecond)
	return m
}

// fill writes a value under the tokens that were read before its fetch, and
// keeps a copy here if Redis took it: all of it off the answer's path. What
// became of it is counted; nobody waits to be told.
func (t *Typed[V]) fill(ctx context.Context, found Found[V], filling Filling[V], meta Meta) {
	now := t.c.o.now()
	if !now.Before(meta.StaleUntil) {
		t.c.count.fill(ctx, found.question.Kind, "not_remembered")
		return
	}
	request, encoded, err := t.fillRequest(found, filling, meta, now)
	if err != nil {
		t.c.count.fill(ctx, found.question.Kind, "unusable")
		t.c.report(ctx, err)
		return
	}
	reply, err := t.c.store.fill(ctx, request)
	switch {
	case err != nil:
		t.c.count.fill(ctx, found.question.Kind, "error")
	case !reply.written:
		t.c.count.fill(ctx, found.question.Kind, "invalidated")
	default:
		t.c.count.fill(ctx, found.question.Kind, "written")
		t.filled(found, filling, meta, encoded)
		t.tellReplaced(found, filling, meta, reply.replaced)
	}
}

func (t *Typed[V]) filled(found Found[V], filling Filling[V], meta Meta, encoded int) {
	t.c.local.set(found.key, &localCopy{
		Meta: meta, value: filling.Value, tokens: found.tokens,
		weight: t.o.Weight(filling.Value, encoded),
	})
}

func (t *Typed[V]) tellReplaced(found Found[V], filling Filling[V], meta Meta, replaced []byte) {
	old, _, err := openHeader(replaced)
	if err != nil || t.o.Replaced == nil {
		return
	}
	t.o.Replaced(Replacement[V]{
		Question: found.question, Old: old.Meta, New: meta, Value: filling.Value,
		Invalidated: !sameTokens(old.tokens, found.tokens),
	})
}

// fillRequest encodes and seals, and returns how long the encoding was.
func (t *Typed[V]) fillRequest(found Found[V], filling Filling[V], meta Meta, now time.Time) (*fillRequest, int, error) {
	payload, err := t.o.Encode(filling.Value)
	if err != nil {
		return nil, 0, fmt.Errorf("cache: encoding an answer of %s: %w", found.question.Kind, err)
	}
	if len(payload) > t.c.o.MaxEntryBytes || len(meta.Summary) > maxSummary {
		return nil, 0, fmt.Errorf("cache: an answer of %s takes %d bytes and its summary %d, at most %d and %d",
			found.question.Kind, len(payload), len(meta.Summary), t.c.o.MaxEntryBytes, maxSummary)
	}
	e := envelope{Meta: meta, version: t.o.Version, tokens: found.tokens, kind: found.question.Kind, query: found.question.Query}
	sealed, err := e.seal(payload)
	if err != nil {
		return nil, 0, err
	}
	notes, err := t.c.sealNotes(found.bucket, found.tokens, meta, filling.Notes, now)
	if err != nil {
		return nil, 0, err
	}
	return &fillRequest{
		bucket:    found.bucket,
		tokenKeys: t.c.tokenKeys(found.bucket, found.question.Tokens),
		tokens:    found.tokens,
		tokenTTL:  t.c.o.TokenTTL, replacedPrefix: t.c.keys.replaced(found.bucket, ""),
		entry: keyValue{key: found.key, value: sealed, ttl: atLeastMillisecond(meta.StaleUntil.Sub(now))},
		notes: notes,
	}, len(payload), nil
}

func (c *Cache) sealNotes(bucket int, tokens []string, meta Meta, notes []Note, now time.Time) ([]keyValue, error) {
	var sealed []keyValue
	var faults []error
	for _, n := range notes {
		if !now.Before(n.Until) {
			continue
		}
		b, err := n.seal(tokens, meta)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		sealed = append(sealed, keyValue{key: c.keys.note(bucket, n.Name), value: b, ttl: atLeastMillisecond(n.Until.Sub(now))})
	}
	return sealed, errors.Join(faults...)
}

// atLeastMillisecond keeps a lifetime from rounding to 0, which Redis refuses.
func atLeastMillisecond(d time.Duration) time.Duration { return max(d, time.Millisecond) }
