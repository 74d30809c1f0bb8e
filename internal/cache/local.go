package cache

import (
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

// local holds decoded values in this process, bounded by bytes. Decoding an
// entry takes a hundred times as long as reading its tokens, so a copy whose
// tokens still hold saves nearly all of a hit.
type local struct {
	copies *otter.Cache[string, *localCopy]
	// small are the stubs and views. They have a share of their own: one decoded
	// value weighs as much as a hundred of them and would push them out, and it is
	// they that make decoding needless.
	small *otter.Cache[string, *localCopy]
}

// smallShare of the local bytes is for stubs and views: one in so many.
const smallShare = 3

// localCopy is one decoded, immutable value and what it is valid under.
type localCopy struct {
	Meta
	value  any
	tokens []string
	weight int
	uses   atomic.Int64
}

func newLocal(limit int64, now func() time.Time) (*local, error) {
	small, err := newHolder(limit/smallShare, now)
	if err != nil {
		return nil, err
	}
	copies, err := newHolder(limit-limit/smallShare, now)
	if err != nil {
		return nil, err
	}
	return &local{copies: copies, small: small}, nil
}

func newHolder(limit int64, now func() time.Time) (*otter.Cache[string, *localCopy], error) {
	return otter.New(&otter.Options[string, *localCopy]{
		MaximumWeight: uint64(max(limit, 1)), // Checked to be positive.
		Weigher: func(key string, c *localCopy) uint32 {
			return uint32(len(key) + c.weight + itemOverhead) // Bounded by MaxEntryBytes.
		},
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[string, *localCopy]) time.Duration {
			return e.Value.FreshUntil.Sub(now())
		}),
	})
}

// get returns the copy at key if it is fresh at now.
func (l *local) get(key string, now time.Time) *localCopy { return fresh(l.copies, key, now) }

// stub returns what is known of the copy at key, whether that is still here or
// not, if it is fresh at now.
func (l *local) stub(key string, now time.Time) *localCopy { return fresh(l.small, stubKey(key), now) }

func fresh(held *otter.Cache[string, *localCopy], key string, now time.Time) *localCopy {
	c, ok := held.GetIfPresent(key)
	if !ok || !now.Before(c.FreshUntil) {
		return nil
	}
	return c
}

// set keeps c and its stub, unless those of a later fetch are there already.
func (l *local) set(key string, c *localCopy) {
	setLater(l.copies, key, c)
	setLater(l.small, stubKey(key), &localCopy{Meta: c.Meta, tokens: c.tokens, weight: stubWeight + len(c.Summary)})
}

func setLater(held *otter.Cache[string, *localCopy], key string, c *localCopy) {
	held.Compute(key, func(held *localCopy, found bool) (*localCopy, otter.ComputeOp) {
		if found && held.FetchedAt.After(c.FetchedAt) {
			return held, otter.CancelOp
		}
		return c, otter.WriteOp
	})
}

// dropUnless forgets c unless it holds under tokens, so that the next lookup
// reads the entry at once; a copy that took c's place stays.
func (l *local) dropUnless(key string, c *localCopy, tokens []string) {
	if sameTokens(c.tokens, tokens) {
		return
	}
	l.copies.ComputeIfPresent(key, func(held *localCopy) (*localCopy, otter.ComputeOp) {
		if held == c {
			return nil, otter.InvalidateOp
		}
		return held, otter.CancelOp
	})
}

func (l *local) bytes() int64 { return int64(l.copies.WeightedSize() + l.small.WeightedSize()) } // Below MaximumWeight.

func (l *local) close() {
	l.copies.StopAllGoroutines()
	l.small.StopAllGoroutines()
}

// View returns bytes that KeepView kept under key, until they are evicted. They
// are shared: do not change them.
func (c *Cache) View(key string) ([]byte, bool) {
	held, ok := c.local.small.GetIfPresent(viewKey(key))
	if !ok {
		return nil, false
	}
	view, ok := held.value.([]byte)
	return view, ok
}

// KeepView keeps what was made of values, an encoded answer say, in this
// process for at most ttl, within LocalBytes. Its key must hold all that went
// into it, the ids of the values' fetches above all: a view is as valid as the
// lookup whose ids name it.
func (c *Cache) KeepView(key string, view []byte, ttl time.Duration) {
	now := c.o.now()
	c.local.small.Set(viewKey(key), &localCopy{
		Meta:  Meta{FetchedAt: now, FreshUntil: now.Add(ttl)},
		value: view, weight: len(view),
	})
}

func viewKey(key string) string { return "view:" + key }
