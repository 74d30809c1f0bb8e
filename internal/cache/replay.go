package cache

import "context"

// Replay returns the value of one fetch, by its id, be it the current entry or
// one that another has replaced since: for the next page of an answer given
// earlier, or to ask its source again about a part of it. The state is Hit or
// Stale while the value may be shown, Withdrawn when it was invalidated, Miss
// when it is no longer known, Bypass when Redis could not say.
func (t *Typed[V]) Replay(ctx context.Context, bucket string, q Question, id string) Found[V] {
	ctx, cancel := context.WithTimeoutCause(ctx, t.c.o.LookupLimit, errOverLimit)
	defer cancel()
	b := bucketOf(bucket)
	found := Found[V]{State: Bypass, question: q, bucket: b, key: t.c.keys.entry(b, q.Kind, q.Query)}
	set := tokenSet{}
	set.add(q.Tokens)
	keys := append(t.c.tokenKeys(b, set.names), found.key, t.c.keys.replaced(b, id))
	values, err := t.c.store.read(ctx, b, keys)
	if err != nil {
		return found
	}
	found.State, set.values = Miss, values[:len(set.names)]
	for _, entry := range values[len(set.names):] {
		if entry != nil && found.State == Miss {
			found = t.replay(ctx, found, entry, &set, id)
		}
	}
	return found
}

// replay judges one place where the fetch may lie.
func (t *Typed[V]) replay(ctx context.Context, f Found[V], b []byte, set *tokenSet, id string) Found[V] {
	e, err := openEnvelope(b)
	if err != nil {
		t.c.count.odd(ctx, f.question.Kind, err)
		return f
	}
	now := t.c.o.now()
	if e.ID != id || e.kind != f.question.Kind || e.query != f.question.Query || !now.Before(e.StaleUntil) {
		return f
	}
	value, _, err := t.decode(e)
	if err != nil {
		t.c.count.odd(ctx, f.question.Kind, err)
		return f
	}
	state := Hit
	if !now.Before(e.FreshUntil) {
		state = Stale
	}
	if tokens, ok := set.of(f.question.Tokens); !ok || !t.c.equal(e.tokens, tokens) {
		state = Withdrawn
	}
	return f.use(state, value, e.Meta, 0)
}
