package cache

import (
	"context"
	"time"
)

// Lookup answers questions from the cache: what was found for each, in order.
// All lie in one bucket, named by the caller, say by the market that the
// questions are about; an equal question must name an equal bucket.
//
// It takes one round trip when tokens exist: they are read together with the
// entries, or alone when this process has copies of all. A token that is missing
// is created, which makes every entry under it a miss. It never fails, and Redis
// never holds it up for longer than LookupLimit: what could not be read is a
// Bypass.
func (t *Typed[V]) Lookup(ctx context.Context, bucket string, questions []Question) []Found[V] {
	start := time.Now()
	found := t.look(ctx, bucketOf(bucket), questions)
	for _, f := range found {
		t.c.count.lookup(ctx, f.question.Kind, f.State)
	}
	t.c.count.lookupTook(ctx, time.Since(start))
	return found
}

// look is Lookup without the counting.
func (t *Typed[V]) look(ctx context.Context, bucket int, questions []Question) []Found[V] {
	ctx, cancel := context.WithTimeoutCause(ctx, t.c.o.LookupLimit, errOverLimit)
	defer cancel()
	l := t.newLookup(bucket, questions)
	if l.readAll(ctx) {
		l.judgeAll(ctx)
	}
	return l.found
}

// lookup is one Lookup on its way.
type lookup[V any] struct {
	t      *Typed[V]
	bucket int
	found  []Found[V]
	copies []*localCopy // this process's fresh copy for each question, or nil
	bytes  [][]byte     // the entry for each question, or nil
	tokens tokenSet
}

func (t *Typed[V]) newLookup(bucket int, questions []Question) *lookup[V] {
	now := t.c.o.now()
	l := &lookup[V]{
		t: t, bucket: bucket, found: make([]Found[V], len(questions)),
		copies: make([]*localCopy, len(questions)), bytes: make([][]byte, len(questions)),
	}
	for i, q := range questions {
		key := t.c.keys.entry(l.bucket, q.Kind, q.Query)
		l.found[i] = Found[V]{State: Bypass, question: q, bucket: l.bucket, key: key}
		l.copies[i] = t.c.local.get(key, now)
		l.tokens.add(q.Tokens)
	}
	return l
}

// readAll reads the tokens, and the entries that have no copy here, and reports
// whether it could.
func (l *lookup[V]) readAll(ctx context.Context) bool {
	keys := l.t.c.tokenKeys(l.bucket, l.tokens.names)
	tokens := len(keys)
	for i, f := range l.found {
		if l.copies[i] == nil {
			keys = append(keys, f.key)
		}
	}
	if tokens == 0 {
		return false
	}
	read := l.t.c.store.read
	if len(keys) == tokens {
		read = l.t.c.store.readTokens
	}
	values, err := read(ctx, l.bucket, keys)
	if err != nil {
		return false
	}
	l.tokens.values = values[:tokens]
	l.keep(values[tokens:], func(i int) bool { return l.copies[i] == nil })
	l.t.c.ensureTokens(ctx, l.bucket, &l.tokens)
	return true
}

// keep hands out entries, in order, to the questions that wanted one.
func (l *lookup[V]) keep(values [][]byte, wanted func(int) bool) {
	for i := range l.found {
		if wanted(i) {
			l.bytes[i], values = values[0], values[1:]
		}
	}
}

// judgeAll decides each question, copies first; entries in place of copies that
// did not hold are read in a second round trip. The tokens of the first still
// judge them: an entry that embeds these was fetched after they were put.
func (l *lookup[V]) judgeAll(ctx context.Context) {
	now := l.t.c.o.now()
	var again []int
	for i := range l.found {
		tokens, ok := l.tokens.of(l.found[i].question.Tokens)
		if !ok {
			continue // Stays a Bypass.
		}
		l.found[i].State, l.found[i].tokens = Miss, tokens
		if l.copies[i] != nil {
			if l.found[i], ok = l.t.serve(l.found[i], l.copies[i]); !ok {
				again = append(again, i)
				l.t.c.local.dropUnless(l.found[i].key, l.copies[i], tokens)
			}
		}
	}
	l.readAgain(ctx, again)
	for i, b := range l.bytes {
		if b != nil && l.found[i].State == Miss {
			l.found[i] = l.t.judge(ctx, l.found[i], b, now)
		}
	}
	for i, f := range l.found {
		if f.State == Miss || f.State == Stale {
			l.serveArrived(i, now)
		}
	}
}

// serveArrived uses what a call of this process has fetched since: it is still
// filling it in, or was through with that after the entry had been read.
func (l *lookup[V]) serveArrived(i int, now time.Time) {
	f := l.found[i]
	if a, ok := l.t.pending(f); ok && now.Before(a.FreshUntil) && !a.FetchedAt.Before(f.question.NotBefore) {
		l.found[i] = f.use(Hit, a.Value, a.Meta, 0)
		return
	}
	l.found[i], _ = l.t.copyOf(f)
}

// copyOf returns f with this process's copy as it is now, if that is fresh and
// its tokens are those that f read.
func (t *Typed[V]) copyOf(f Found[V]) (Found[V], bool) {
	held := t.c.local.get(f.key, t.c.o.now())
	if held == nil {
		return f, false
	}
	return t.serve(f, held)
}

// serve uses a copy if its tokens are those that f read.
func (t *Typed[V]) serve(f Found[V], held *localCopy) (Found[V], bool) {
	value, ok := held.value.(V)
	if !ok || !t.c.equal(held.tokens, f.tokens) || held.FetchedAt.Before(f.question.NotBefore) {
		return f, false
	}
	return f.use(Hit, value, held.Meta, held.uses.Add(1)), true
}

func (l *lookup[V]) readAgain(ctx context.Context, again []int) {
	if len(again) == 0 {
		return
	}
	keys := make([]string, len(again))
	for i, at := range again {
		keys[i] = l.found[at].key
	}
	values, err := l.t.c.store.read(ctx, l.bucket, keys)
	if err != nil {
		return // They stay misses, whose tokens are known.
	}
	for i, at := range again {
		l.bytes[at] = values[i]
	}
}

// judge decides what the entry in b is worth for f, whose tokens are those just
// read.
func (t *Typed[V]) judge(ctx context.Context, f Found[V], b []byte, now time.Time) Found[V] {
	e, err := openEnvelope(b)
	if err == nil && (e.kind != f.question.Kind || e.query != f.question.Query) {
		err = errOther
	}
	if err != nil {
		t.c.count.odd(ctx, f.question.Kind, err)
		return f
	}
	if !t.c.equal(e.tokens, f.tokens) || !now.Before(e.StaleUntil) || e.FetchedAt.Before(f.question.NotBefore) {
		return f
	}
	value, weight, err := t.decodeOnce(f.key, e)
	if err != nil {
		t.c.count.odd(ctx, f.question.Kind, err)
		return f
	}
	if !now.Before(e.FreshUntil) {
		return f.use(Stale, value, e.Meta, 0)
	}
	t.c.local.set(f.key, &localCopy{Meta: e.Meta, value: value, tokens: f.tokens, weight: weight})
	return f.use(Hit, value, e.Meta, 0)
}

// decodeOnce has those who read the same entry at once share its decoding: a
// burst that meets an instance without copies costs it one, not one each.
func (t *Typed[V]) decodeOnce(key string, e envelope) (V, int, error) {
	type decoded struct {
		value  V
		weight int
	}
	got, err, _ := t.decoding.Do(key+e.ID, func() (any, error) {
		value, weight, err := t.decode(e)
		return decoded{value, weight}, err
	})
	d, _ := got.(decoded)
	return d.value, d.weight, err
}

// decode returns an entry's value and what it weighs in memory.
func (t *Typed[V]) decode(e envelope) (V, int, error) {
	var none V
	if e.version != t.o.Version {
		return none, 0, errNewer
	}
	payload, err := e.unpack(t.c.o.MaxEntryBytes)
	if err != nil {
		return none, 0, err
	}
	value, err := t.o.Decode(payload)
	if err != nil {
		return none, 0, errUndecoded
	}
	return value, t.o.Weight(value, len(payload)), nil
}

// equal is the token comparison, the heart of the protocol.
func (c *Cache) equal(embedded, read []string) bool {
	return c.o.sabotage.skipTokenComparison || sameTokens(embedded, read)
}
