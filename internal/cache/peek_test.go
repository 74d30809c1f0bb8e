package cache

import "time"

// testPeek compares a peek with a lookup wherever it says yes, and says where it
// must say no.
func testPeek(b *bench) {
	c := b.open()
	f := fares(c)
	peek := func(q Question) (Found[fare], bool) {
		found, ok := f.Peek(b.Context(), market, []Question{q})
		if !ok {
			return Found[fare]{}, false
		}
		return found[0], true
	}
	if _, ok := peek(question("q")); ok {
		b.Error("a question that nobody asked is known")
	}
	put(b, f, question("q"), fare{Version: 1})
	looked := find(b, f, question("q"))
	peeked, ok := peek(question("q"))
	if !ok || peeked.State != Hit || peeked.ID != looked.ID || peeked.FreshUntil != looked.FreshUntil {
		b.Errorf("peeked %t %+v, looked up %+v", ok, peeked, looked)
	}
	late := question("q")
	late.NotBefore = b.clock.now().Add(time.Minute)
	if _, ok := peek(late); ok {
		b.Error("a fetch from before NotBefore is known")
	}
	c.local.copies.InvalidateAll()
	if _, ok := peek(question("q")); !ok {
		b.Error("a copy that made room took its stub along")
	}
	mustSucceed(b, c.Invalidate(b.Context(), []string{"all"}))
	if _, ok := peek(question("q")); ok {
		b.Error("an invalidated fetch is known")
	}
	put(b, f, question("q"), fare{Version: 2})
	b.clock.advance(time.Hour)
	if _, ok := peek(question("q")); ok {
		b.Error("a fetch that is no longer fresh is known")
	}
}
