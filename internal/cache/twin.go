package cache

import (
	"context"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
)

// twin stands in for Redis when there is none: the same operations on this
// process's memory, bounded by bytes. What it evicts is missing, as in Redis.
type twin struct {
	// mu makes the operations of several keys atomic, as a script is in Redis.
	mu       sync.Mutex
	items    *otter.Cache[string, twinItem]
	budgets  map[string]*spending
	tokenTTL time.Duration
	now      func() time.Time
}

type twinItem struct {
	value []byte
	ends  time.Time
}

// itemOverhead is roughly what an item takes beside its key and value.
const itemOverhead = 128

func newTwin(limit int64, tokenTTL time.Duration, now func() time.Time) (*twin, error) {
	items, err := otter.New(&otter.Options[string, twinItem]{
		MaximumWeight: uint64(limit), // Checked to be positive.
		Weigher: func(key string, item twinItem) uint32 {
			return uint32(len(key) + len(item.value) + itemOverhead) // Bounded by MaxEntryBytes.
		},
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[string, twinItem]) time.Duration {
			return e.Value.ends.Sub(now())
		}),
	})
	if err != nil {
		return nil, err
	}
	return &twin{items: items, budgets: map[string]*spending{}, tokenTTL: tokenTTL, now: now}, nil
}

func (t *twin) load(key string) []byte {
	item, ok := t.items.GetIfPresent(key)
	if !ok || !t.now().Before(item.ends) {
		return nil
	}
	return item.value
}

func (t *twin) store(key string, value []byte, ttl time.Duration) {
	t.items.Set(key, twinItem{value: value, ends: t.now().Add(ttl)})
}

func (t *twin) readTokens(ctx context.Context, bucket int, keys []string) ([][]byte, error) {
	return t.read(ctx, bucket, keys)
}

func (t *twin) read(_ context.Context, _ int, keys []string) ([][]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	values := make([][]byte, len(keys))
	for i, key := range keys {
		values[i] = t.load(key)
	}
	return values, nil
}

func (t *twin) ensure(_ context.Context, _ int, keys []string, fresh [][]byte) ([][]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tokens := make([][]byte, len(keys))
	for i, key := range keys {
		token := t.load(key)
		if missing(token) {
			token = fresh[i]
			t.store(key, token, t.tokenTTL)
		}
		tokens[i] = token
	}
	return tokens, nil
}

func (t *twin) fill(_ context.Context, f *fillRequest) (fillReply, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, key := range f.tokenKeys {
		if string(t.load(key)) != f.tokens[i] {
			return fillReply{}, nil
		}
	}
	old := t.load(f.entry.key)
	if e, _, err := openHeader(old); err == nil {
		t.store(f.replacedPrefix+e.ID, old, e.StaleUntil.Sub(t.now()))
	}
	t.store(f.entry.key, f.entry.value, f.entry.ttl)
	for i, key := range f.tokenKeys {
		t.store(key, []byte(f.tokens[i]), f.tokenTTL)
	}
	for _, note := range f.notes {
		t.store(note.key, note.value, note.ttl)
	}
	return fillReply{written: true, replaced: old[:min(len(old), headSize)]}, nil
}

func (t *twin) remove(_ context.Context, tokens []tokenKey) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, token := range tokens {
		t.items.Invalidate(token.key)
	}
	return nil
}

func (t *twin) acquire(_ context.Context, key, owner string, ttl time.Duration) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.load(key) != nil {
		return false, nil
	}
	t.store(key, []byte(owner), ttl)
	return true, nil
}

func (t *twin) release(_ context.Context, key, owner string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if string(t.load(key)) == owner {
		t.items.Invalidate(key)
	}
	return nil
}

func (t *twin) spend(_ context.Context, key string, n int, limits []Limit) (Verdict, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	budget := t.budgets[key]
	if budget == nil {
		budget = &spending{}
		t.budgets[key] = budget
	}
	return budget.spend(t.now(), n, limits), nil
}

func (t *twin) get(_ context.Context, key string) ([]byte, error) { return t.load(key), nil }

func (t *twin) set(_ context.Context, key string, value []byte, ttl time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.store(key, value, ttl)
	return nil
}

func (t *twin) del(_ context.Context, key string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.items.Invalidate(key)
	return nil
}

func (t *twin) ping(context.Context) error { return nil }

// close ends the goroutine that clears expired items.
func (t *twin) close() error {
	t.items.StopAllGoroutines()
	return nil
}
