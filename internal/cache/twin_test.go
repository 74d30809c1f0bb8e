package cache

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// incompressible text of n bytes.
func incompressible(n int) string {
	b := make([]byte, n/2)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// TestFullTwinStillCaches: a full twin keeps its bound, and still keeps what was
// just answered.
func TestFullTwinStillCaches(t *testing.T) {
	const limit, answers = 64 << 20, 2000
	c := mustOpen(t, Options{TwinBytes: limit, LocalBytes: 1 << 20})
	f, store := fares(c), c.store.(*twin)
	text := incompressible(60_000) // As many answers take twice the bound.
	hits := 0
	for i := range answers {
		q := question(fmt.Sprint("q", i))
		q.Tokens = append(q.Tokens, fmt.Sprint("m:", i))
		put(t, f, q, fare{Text: text})
		if find(t, f, q).State == Hit {
			hits++
		}
	}
	store.items.CleanUp()
	if held := store.items.WeightedSize(); held > limit {
		t.Errorf("holds %d bytes, its bound is %d", held, limit)
	}
	if hits < answers*9/10 {
		t.Errorf("%d hits of %d answers just given", hits, answers)
	}
}

// TestTwinForgetsInTime: what has ended takes no memory.
func TestTwinForgetsInTime(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		f := fares(c)
		put(t, f, question("q"), fare{Version: 1})
		mustSucceed(t, c.SetBlob(context.Background(), "b", []byte("b"), time.Hour))
		<-time.After(25 * time.Hour)
		synctest.Wait()
		store := c.store.(*twin)
		store.items.CleanUp()
		c.local.copies.CleanUp()
		if n, m := store.items.EstimatedSize(), c.local.copies.EstimatedSize(); n+m > 0 {
			t.Errorf("%d items and %d copies are left after a day", n, m)
		}
	})
}
