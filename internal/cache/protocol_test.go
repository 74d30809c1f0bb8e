package cache

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestProtocol is one table for every place where entries may lie.
func TestProtocol(t *testing.T) {
	onEveryBackend(t, map[string]func(*bench){
		"a miss, an answer, a hit":                        testMissThenHit,
		"a hit from the store, not this process":          testHitFromStore,
		"lookups of several questions":                    testSeveralQuestions,
		"invalidation in every bucket":                    testInvalidateEveryBucket,
		"invalidation of each scope":                      testInvalidateScopes,
		"an invalidation during a fetch refuses its fill": testInvalidateDuringFetch,
		"an invalidated value is never stale":             testInvalidatedIsNeverStale,
		"fresh, stale, gone":                              testLifetimes,
		"a lost token makes its entries misses":           testLostToken,
		"no value older than asked for":                   testNotBefore,
		"failures are not remembered":                     testFailureForgotten,
		"a fill tells what it replaced":                   testReplacement,
		"replaced values can be replayed":                 testReplay,
		"notes are filled and withdrawn with the entry":   testNotes,
		"blobs":           testBlobs,
		"leases":          testLeaseOwnership,
		"budgets":         testBudget,
		"peek":            testPeek,
		"health":          func(b *bench) { mustSucceed(b.T, b.open().Check(b.Context())) },
		"refresh ahead":   testRefresh,
		"refused options": testRefusedFill,
	})
}

func mustSucceed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func testMissThenHit(b *bench) {
	f := fares(b.open())
	found := find(b, f, question("q"))
	wantState(b, found, Miss)
	a, err := f.Ask(b.Context(), found, answering(fare{Version: 1}))
	mustSucceed(b, err)
	if a.Source != Fetched || a.Value.Version != 1 || len(a.ID) != idSize {
		b.Fatalf("answer %+v", a)
	}
	// At once, the fill still under way or not.
	again := find(b, f, question("q"))
	wantFare(b, again, Hit, fare{Version: 1})
	if diff := cmp.Diff(a.Meta, again.Meta); diff != "" {
		b.Fatalf("a hit tells another story than the answer (-answer +hit):\n%s", diff)
	}
	f.settle()
	if used := find(b, f, question("q")).Uses; used < 1 {
		b.Fatalf("uses %d of a local copy", used)
	}
	wantState(b, find(b, f, question("other")), Miss)
}

func testHitFromStore(b *bench) {
	c := b.open()
	a := put(b, fares(c), question("q"), fare{Version: 1, Text: "a"})
	other := c
	if b.backend.shared() {
		other = b.open()
	}
	c.local.copies.InvalidateAll()
	f := fares(other)
	found := find(b, f, question("q"))
	wantFare(b, found, Hit, fare{Version: 1, Text: "a"})
	if diff := cmp.Diff(a.Meta, found.Meta); diff != "" {
		b.Fatalf("meta changed in the store (-filled +found):\n%s", diff)
	}
}

func testSeveralQuestions(b *bench) {
	f := fares(b.open())
	other := question("q")
	other.Kind, other.Tokens = "amadeus", []string{"all", "p:amadeus", "m:LON-NYC"}
	put(b, f, question("q"), fare{Version: 1})
	got := f.Lookup(b.Context(), market, []Question{other, question("q"), question("r")})
	wantState(b, got[0], Miss)
	wantFare(b, got[1], Hit, fare{Version: 1})
	wantState(b, got[2], Miss)
	if got := f.Lookup(b.Context(), market, nil); len(got) != 0 {
		b.Fatalf("no question, answers %v", got)
	}
}

func testInvalidateScopes(b *bench) {
	c := b.open()
	f := fares(c)
	for _, test := range []struct {
		token string
		want  State
	}{{"all", Miss}, {"p:duffel", Miss}, {"m:LON-NYC", Miss}, {"m:LON-PAR", Hit}, {"p:amadeus", Hit}} {
		put(b, f, question("q"), fare{Version: 1})
		mustSucceed(b, c.Invalidate(b.Context(), []string{test.token}))
		if got := find(b, f, question("q")).State; got != test.want {
			b.Fatalf("after %s: %v, want %v", test.token, got, test.want)
		}
	}
	if c.Invalidate(b.Context(), nil) == nil {
		b.Fatal("an invalidation of nothing was acknowledged")
	}
}

func testInvalidateEveryBucket(b *bench) {
	c := b.open()
	f := fares(c)
	names := map[int]string{}
	for i := 0; len(names) < buckets; i++ {
		name := fmt.Sprint("market ", i)
		names[bucketOf(name)] = name
	}
	lookup := func(name string) Found[fare] { return f.Lookup(b.Context(), name, []Question{question("q")})[0] }
	for _, name := range names {
		_, err := f.Ask(b.Context(), lookup(name), answering(fare{Text: name}))
		mustSucceed(b, err)
	}
	f.settle()
	for _, name := range names {
		wantFare(b, lookup(name), Hit, fare{Text: name})
	}
	mustSucceed(b, c.Invalidate(b.Context(), []string{"p:duffel"}))
	for bucket, name := range names {
		if got := lookup(name).State; got != Miss {
			b.Errorf("bucket %d: a %v", bucket, got)
		}
	}
}

func testInvalidateDuringFetch(b *bench) {
	count, meter := counted()
	c := b.open(meter)
	f := fares(c)
	_, err := f.Ask(b.Context(), find(b, f, question("q")), func(ctx context.Context) (Filling[fare], error) {
		mustSucceed(b, c.Invalidate(ctx, []string{"m:LON-NYC"}))
		_, err := f.Ask(ctx, find(b, f, question("q")), answering(fare{Version: 2}))
		mustSucceed(b, err)
		return answering(fare{Version: 1})(ctx)
	})
	mustSucceed(b, err)
	f.settle()
	c.local.copies.InvalidateAll()
	wantFare(b, find(b, f, question("q")), Hit, fare{Version: 2}) // Not overwritten by the older.
	if refused := count.of(b, "cache.fills", "invalidated"); refused != 1 {
		b.Fatalf("%d fills were refused, want 1", refused)
	}
}

func testInvalidatedIsNeverStale(b *bench) {
	c := b.open()
	f := fares(c)
	put(b, f, question("q"), fare{Version: 1})
	b.clock.advance(61 * time.Second)
	wantState(b, find(b, f, question("q")), Stale)
	mustSucceed(b, c.Invalidate(b.Context(), []string{"p:duffel"}))
	wantState(b, find(b, f, question("q")), Miss)
}

func testLifetimes(b *bench) {
	f := fares(b.open())
	soon := Filling[fare]{Value: fare{Version: 1}, FreshFor: time.Hour, StaleFor: time.Hour, Expires: b.clock.now().Add(4 * time.Minute)}
	putFilling(b, f, question("expires"), soon)
	putFilling(b, f, question("forgotten"), Filling[fare]{Value: fare{Version: 1}})
	put(b, f, question("q"), fare{Version: 1})
	wantState(b, find(b, f, question("forgotten")), Miss)
	b.clock.advance(47 * time.Second) // A fifth of the minute is jitter's at most.
	wantState(b, find(b, f, question("q")), Hit)
	b.clock.advance(14 * time.Second)
	wantFare(b, find(b, f, question("q")), Stale, fare{Version: 1})
	b.clock.advance(time.Minute)
	wantState(b, find(b, f, question("q")), Miss)
	wantState(b, find(b, f, question("expires")), Hit)
	b.clock.advance(89 * time.Second) // 3:31 of the 4:00, half a minute of them margin.
	wantState(b, find(b, f, question("expires")), Stale)
}

func testLostToken(b *bench) {
	c := b.open()
	f := fares(c)
	put(b, f, question("q"), fare{Version: 1})
	bucket := bucketOf(market)
	mustSucceed(b, c.store.del(b.Context(), c.keys.token(bucket, "p:duffel")))
	wantState(b, find(b, f, question("q")), Miss)
	put(b, f, question("q"), fare{Version: 2})
	wantFare(b, find(b, f, question("q")), Hit, fare{Version: 2})
	// Something else than a token in its place is none, and is replaced.
	mustSucceed(b, c.store.set(b.Context(), c.keys.token(bucket, "all"), []byte("1"), time.Hour))
	wantState(b, find(b, f, question("q")), Miss)
	if token, err := c.store.get(b.Context(), c.keys.token(bucket, "all")); err != nil || missing(token) || len(token) != 16 {
		b.Fatalf("token %q, error %v", token, err)
	}
	put(b, f, question("q"), fare{Version: 3})
	wantFare(b, find(b, f, question("q")), Hit, fare{Version: 3})
}

func testNotBefore(b *bench) {
	f := fares(b.open())
	first := put(b, f, question("q"), fare{Version: 1})
	b.clock.advance(10 * time.Second)
	q := question("q")
	q.NotBefore = first.FetchedAt
	wantState(b, find(b, f, q), Hit)
	q.NotBefore = b.clock.now().Add(-5 * time.Second)
	wantState(b, find(b, f, q), Miss)
	put(b, f, q, fare{Version: 2})
	wantFare(b, find(b, f, q), Hit, fare{Version: 2})
}

func testFailureForgotten(b *bench) {
	f := fares(b.open())
	broken := errors.New("broken")
	_, err := f.Ask(b.Context(), find(b, f, question("q")), func(context.Context) (Filling[fare], error) {
		return Filling[fare]{FreshFor: time.Hour}, broken
	})
	if !errors.Is(err, broken) {
		b.Fatalf("error %v, want the fetch's", err)
	}
	wantState(b, find(b, f, question("q")), Miss)
	put(b, f, question("q"), fare{Version: 2})
	wantFare(b, find(b, f, question("q")), Hit, fare{Version: 2})
}

func testReplacement(b *bench) {
	var told []Replacement[fare]
	o := fareOptions()
	o.Replaced = func(r Replacement[fare]) { told = append(told, r) }
	c := b.open()
	f := For(c, o)
	filling := Filling[fare]{Value: fare{Version: 1}, FreshFor: time.Minute, StaleFor: time.Minute, Summary: "100.00 USD"}
	first := putFilling(b, f, question("q"), filling)
	mustSucceed(b, c.Invalidate(b.Context(), []string{"all"}))
	b.clock.advance(time.Second)
	filling.Value, filling.Summary = fare{Version: 2}, "120.00 USD"
	second := putFilling(b, f, question("q"), filling)
	b.clock.advance(time.Second)
	renew := question("q")
	renew.NotBefore = b.clock.now()
	third := putFilling(b, f, renew, filling)
	want := []Replacement[fare]{
		{Question: question("q"), Old: first.Meta, New: second.Meta, Value: fare{Version: 2}, Invalidated: true},
		{Question: renew, Old: second.Meta, New: third.Meta, Value: fare{Version: 2}},
	}
	if diff := cmp.Diff(want, told); diff != "" {
		b.Fatalf("replacements (-want +got):\n%s", diff)
	}
}

func testReplay(b *bench) {
	c := b.open()
	f := fares(c)
	first := put(b, f, question("q"), fare{Version: 1})
	b.clock.advance(time.Millisecond)
	q := question("q")
	q.NotBefore = b.clock.now()
	second := put(b, f, q, fare{Version: 2})
	replay := func(id string) Found[fare] { return f.Replay(b.Context(), market, question("q"), id) }
	wantFare(b, replay(first.ID), Hit, fare{Version: 1})
	wantFare(b, replay(second.ID), Hit, fare{Version: 2})
	wantState(b, replay(newID()), Miss)
	wantState(b, f.Replay(b.Context(), market, question("other"), first.ID), Miss)
	mustSucceed(b, c.Invalidate(b.Context(), []string{"all"}))
	wantFare(b, replay(first.ID), Withdrawn, fare{Version: 1})
	b.clock.advance(3 * time.Minute)
	wantState(b, replay(first.ID), Miss)
}

func testNotes(b *bench) {
	c := b.open()
	f := fares(c)
	until := b.clock.now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	tokens := question("q").Tokens
	ask := []NoteQuestion{{Name: "low:q:2026-12-15", Tokens: tokens}, {Name: "low:q:2026-12-16", Tokens: tokens}}
	a := putFilling(b, f, question("q"), Filling[fare]{
		FreshFor: time.Minute,
		Notes:    []Note{{Name: ask[0].Name, Value: []byte("412.30 USD"), Until: until}, {Name: "low:q:ended", Until: b.clock.now()}},
	})
	got, err := c.Notes(b.Context(), market, ask)
	mustSucceed(b, err)
	want := map[string]Note{ask[0].Name: {Name: ask[0].Name, Value: []byte("412.30 USD"), FetchedAt: a.FetchedAt, Until: until}}
	if diff := cmp.Diff(want, got); diff != "" {
		b.Fatalf("notes (-want +got):\n%s", diff)
	}
	mustSucceed(b, c.Invalidate(b.Context(), []string{"m:LON-NYC"}))
	wantState(b, find(b, f, question("q")), Miss) // Puts a new token.
	got, err = c.Notes(b.Context(), market, ask)
	mustSucceed(b, err)
	if len(got) > 0 {
		b.Fatalf("an invalidated note was read: %v", got)
	}
}

func testRefresh(b *bench) {
	f := fares(b.open())
	put(b, f, question("q"), fare{Version: 1})
	b.clock.advance(time.Second)
	for _, lease := range []bool{false, true} {
		q := question("q")
		q.Lease = lease
		found := find(b, f, q)
		next := fare{Version: found.Value.Version + 1}
		if !f.Refresh(b.Context(), found, answering(next)) {
			b.Fatal("no refresh was begun")
		}
		f.settle()
		wantFare(b, find(b, f, q), Hit, next)
		b.clock.advance(time.Second)
	}
}

func testRefusedFill(b *bench) {
	count, meter := counted()
	f := fares(b.open(meter))
	putFilling(b, f, question("q"), Filling[fare]{FreshFor: time.Minute, Summary: strings.Repeat("x", maxSummary+1)})
	putFilling(b, f, question("q"), Filling[fare]{FreshFor: time.Minute, Notes: []Note{{Name: "q:x", Until: b.clock.now().Add(time.Hour)}}})
	putFilling(b, f, question(string(make([]byte, headSize))), Filling[fare]{FreshFor: time.Minute})
	if got := count.of(b, "cache.fills", "unusable"); got != 3 {
		b.Fatalf("%d fills counted as unusable, want 3", got)
	}
	wantState(b, find(b, f, question("q")), Miss)
}
