package cache

import (
	"context"
	"errors"
	"fmt"
)

// Invalidate withdraws everything that belongs to one of the named scopes: its
// tokens are deleted in every bucket. After nil it holds, on every instance, for
// every lookup that begins from now on. After an error it may hold in part or in
// full; repeat it until it does, which is harmless. Bounded by ctx and two
// seconds; the breaker that spares lookups a dead Redis has no part in it.
func (c *Cache) Invalidate(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return errors.New("cache: nothing named to invalidate")
	}
	tokens := make([]tokenKey, 0, len(names)*buckets)
	for b := range buckets {
		for _, name := range names {
			tokens = append(tokens, tokenKey{bucket: b, key: c.keys.token(b, name)})
		}
	}
	if err := c.store.remove(ctx, tokens); err != nil {
		c.count.invalidation(ctx, "failed")
		return fmt.Errorf("cache: the invalidation does not hold, repeat it: %w", err)
	}
	c.count.invalidation(ctx, "held")
	return nil
}
