package cache

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestViews(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Cache) {
		if _, ok := c.View("v"); ok {
			t.Error("a view was there before it was kept")
		}
		c.KeepView("v", []byte("bytes"), time.Minute)
		if got, ok := c.View("v"); !ok || string(got) != "bytes" {
			t.Errorf("view %q, %v", got, ok)
		}
		<-time.After(time.Minute)
		synctest.Wait()
		if got, ok := c.View("v"); ok {
			t.Errorf("a view of %q after its time", got)
		}
	})
}

func TestLocalCopiesAreBounded(t *testing.T) {
	const limit = 1 << 20
	c := mustOpen(t, Options{LocalBytes: limit})
	for i := range 1000 {
		c.KeepView(fmt.Sprint(i), make([]byte, 10_000), time.Hour)
	}
	f := fares(c)
	for i := range 100 {
		put(t, f, question(fmt.Sprint(i)), fare{Text: incompressible(10_000)})
	}
	c.local.copies.CleanUp()
	if held := c.local.bytes(); held > limit {
		t.Errorf("%d bytes held, the bound is %d", held, limit)
	}
}

// TestCopiesAreDecodedOnce: a copy is served as long as its tokens hold, and
// what took its place elsewhere is read once it does not.
func TestCopiesAreDecodedOnce(t *testing.T) {
	decoded := 0
	o := fareOptions()
	decode := o.Decode
	o.Decode = func(b []byte) (fare, error) { decoded++; return decode(b) }
	two := fleetOf(t, o, 2)
	put(t, two[0], question("q"), fare{Version: 1})
	for i := range int64(3) {
		if found := find(t, two[1], question("q")); found.State != Hit || found.Uses != i {
			t.Errorf("look %d: a %v, used %d times", i, found.State, found.Uses)
		}
	}
	if decoded != 1 {
		t.Errorf("decoded %d times", decoded)
	}
	mustSucceed(t, two[0].c.Invalidate(t.Context(), []string{"all"}))
	put(t, two[0], question("q"), fare{Version: 2})
	wantFare(t, find(t, two[1], question("q")), Hit, fare{Version: 2})
	if decoded != 2 {
		t.Errorf("decoded %d times", decoded)
	}
}

func TestABurstDecodesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var decoded atomic.Int64
		o := fareOptions()
		decode := o.Decode
		o.Decode = func(b []byte) (fare, error) {
			decoded.Add(1)
			<-time.After(10 * time.Millisecond)
			return decode(b)
		}
		two := fleetOf(t, o, 2)
		put(t, two[0], question("q"), fare{Version: 1})
		var burst sync.WaitGroup
		for range 50 {
			burst.Go(func() {
				if found := find(t, two[1], question("q")); found.State != Hit || found.Value.Version != 1 {
					t.Errorf("found %+v", found)
				}
			})
		}
		burst.Wait()
		if decoded.Load() != 1 {
			t.Errorf("decoded %d times", decoded.Load())
		}
	})
}
