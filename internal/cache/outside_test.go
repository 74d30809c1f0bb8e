package cache

import (
	"time"
)

// What lies outside the tokens' protocol; the table is TestProtocol's.

func testBlobs(b *bench) {
	c := b.open()
	read := func() string {
		blob, at, err := c.Blob(b.Context(), "rates")
		mustSucceed(b, err)
		if blob != nil && !at.Equal(b.clock.now().Truncate(time.Microsecond)) {
			b.Fatalf("left at %v, now %v", at, b.clock.now())
		}
		return string(blob)
	}
	if got := read(); got != "" {
		b.Fatalf("absent blob reads %q", got)
	}
	mustSucceed(b, c.SetBlob(b.Context(), "rates", []byte("1.1"), time.Hour))
	if got := read(); got != "1.1" {
		b.Fatalf("blob reads %q", got)
	}
	mustSucceed(b, c.store.set(b.Context(), c.keys.blob("rates"), []byte("garbage"), time.Hour))
	if got := read(); got != "" {
		b.Fatalf("unreadable blob reads %q", got)
	}
	mustSucceed(b, c.SetBlob(b.Context(), "rates", []byte("1.2"), time.Hour))
	mustSucceed(b, c.DropBlob(b.Context(), "rates"))
	if got := read(); got != "" {
		b.Fatalf("dropped blob reads %q", got)
	}
	if c.SetBlob(b.Context(), "rates", make([]byte, 9<<20), time.Hour) == nil {
		b.Fatal("a blob beyond the bound was accepted")
	}
}

func testLeaseOwnership(b *bench) {
	c := b.open()
	try := func(owner string) bool {
		won, err := c.store.acquire(b.Context(), c.keys.lease("l"), owner, time.Hour)
		mustSucceed(b, err)
		return won
	}
	if !try("a") || try("b") || try("a") {
		b.Fatal("a lease was not held by exactly the first")
	}
	mustSucceed(b, c.store.release(b.Context(), c.keys.lease("l"), "b"))
	if try("b") {
		b.Fatal("a lease was released by another than its owner")
	}
	mustSucceed(b, c.store.release(b.Context(), c.keys.lease("l"), "a"))
	if !try("b") {
		b.Fatal("a released lease was not free")
	}
}

func testBudget(b *bench) {
	c := b.open()
	budget := Budget{Name: "duffel", Limits: []Limit{{Count: 10, Per: time.Hour}, {Count: 1000, Per: 24 * time.Hour}}}
	reserved := budget
	reserved.Keep = 0.5
	spend := func(budget Budget, n int, want bool) time.Duration {
		b.Helper()
		v, err := c.Spend(b.Context(), budget, n)
		mustSucceed(b, err)
		if v.OK != want || v.OK == (v.RetryAfter > 0) || v.RetryAfter > 27*time.Hour {
			b.Fatalf("spending %d: %+v, want ok %v", n, v, want)
		}
		return v.RetryAfter
	}
	spend(reserved, 5, true)
	spend(reserved, 1, false) // The other half is kept for those who matter more.
	spend(budget, 4, true)
	spend(budget, 2, false)
	spend(budget, 1, true)
	if wait := spend(budget, 1, false); wait < 50*time.Minute || wait > 66*time.Minute {
		b.Fatalf("retry after %v, an hour's budget was spent just now", wait)
	}
	reserved.Keep = 1
	spend(reserved, 1, false)
	for _, wrong := range []Budget{{}, {Name: "x", Limits: []Limit{{1, time.Microsecond}}}, {Name: "x", Limits: budget.Limits, Keep: 2}} {
		if _, err := c.Spend(b.Context(), wrong, 1); err == nil {
			b.Fatalf("budget %+v was accepted", wrong)
		}
	}
}
