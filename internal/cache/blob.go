package cache

import (
	"context"
	"fmt"
	"time"
)

// blobKind is the kind of a blob's envelope.
const blobKind = "blob"

// Blob returns the bytes that SetBlob left under name, on this or another
// instance, and when; nil when there are none. Unreadable ones count and are
// none. It is bounded by a second.
func (c *Cache) Blob(ctx context.Context, name string) ([]byte, time.Time, error) {
	b, err := c.store.get(ctx, c.keys.blob(name))
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("cache: reading blob %q: %w", name, err)
	}
	if b == nil {
		return nil, time.Time{}, nil
	}
	value, at, err := c.openBlob(name, b)
	if err != nil {
		c.count.odd(ctx, blobKind, err)
		return nil, time.Time{}, nil
	}
	return value, at, nil
}

func (c *Cache) openBlob(name string, b []byte) ([]byte, time.Time, error) {
	e, err := openEnvelope(b)
	if err != nil {
		return nil, time.Time{}, err
	}
	if e.kind != blobKind || e.query != name {
		return nil, time.Time{}, errOther
	}
	value, err := e.unpack(c.o.MaxEntryBytes)
	return value, e.FetchedAt, err
}

// SetBlob leaves bytes under name for all instances, outside the tokens'
// protocol, until ttl ends or they are evicted: for what can be had again, a
// reference table say. At most MaxEntryBytes.
func (c *Cache) SetBlob(ctx context.Context, name string, value []byte, ttl time.Duration) error {
	if len(value) > c.o.MaxEntryBytes || ttl < time.Millisecond {
		return fmt.Errorf("cache: blob %q of %d bytes for %v: at most %d bytes, a millisecond at least", name, len(value), ttl, c.o.MaxEntryBytes)
	}
	now := c.o.now().UTC()
	e := envelope{Meta: Meta{ID: newID(), FetchedAt: now, FreshUntil: now.Add(ttl), StaleUntil: now.Add(ttl)}, kind: blobKind, query: name}
	sealed, err := e.seal(value)
	if err != nil {
		return err
	}
	if err := c.store.set(ctx, c.keys.blob(name), sealed, ttl); err != nil {
		return fmt.Errorf("cache: writing blob %q: %w", name, err)
	}
	return nil
}

// DropBlob removes the bytes under name.
func (c *Cache) DropBlob(ctx context.Context, name string) error {
	if err := c.store.del(ctx, c.keys.blob(name)); err != nil {
		return fmt.Errorf("cache: dropping blob %q: %w", name, err)
	}
	return nil
}
