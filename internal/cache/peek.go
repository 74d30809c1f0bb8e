package cache

import (
	"context"
	"time"
)

// Peek answers as Lookup does, but without values, where this process knows of
// every question what its last entry was and all of them are hits: for a caller
// who has made something of these fetches before and kept it (KeepView). It costs
// the reading of the tokens and no decoding, and holds also for entries whose
// copies had to make room. False: look up.
func (t *Typed[V]) Peek(ctx context.Context, bucket string, questions []Question) ([]Found[V], bool) {
	start := time.Now()
	l, ok := t.newPeek(bucketOf(bucket), questions)
	if !ok {
		return nil, false
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.c.o.LookupLimit, errOverLimit)
	defer cancel()
	if !l.readAll(ctx) {
		return nil, false
	}
	for i, f := range l.found {
		tokens, ok := l.tokens.of(f.question.Tokens)
		stub := l.copies[i]
		if !ok || !t.c.equal(stub.tokens, tokens) || stub.FetchedAt.Before(f.question.NotBefore) {
			return nil, false
		}
		f.tokens = tokens
		var none V
		l.found[i] = f.use(Hit, none, stub.Meta, stub.uses.Add(1))
	}
	for _, f := range l.found {
		t.c.count.lookup(ctx, f.question.Kind, f.State)
	}
	t.c.count.lookupTook(ctx, time.Since(start))
	return l.found, true
}

// newPeek is a lookup whose copies are stubs; false where one is missing.
func (t *Typed[V]) newPeek(bucket int, questions []Question) (*lookup[V], bool) {
	now := t.c.o.now()
	l := &lookup[V]{
		t: t, bucket: bucket, found: make([]Found[V], len(questions)),
		copies: make([]*localCopy, len(questions)), bytes: make([][]byte, len(questions)),
	}
	for i, q := range questions {
		key := t.c.keys.entry(bucket, q.Kind, q.Query)
		if l.copies[i] = t.c.local.stub(key, now); l.copies[i] == nil {
			return nil, false
		}
		l.found[i] = Found[V]{State: Bypass, question: q, bucket: bucket, key: key}
		l.tokens.add(q.Tokens)
	}
	return l, true
}

// stubWeight is what a stub takes: its tokens and summary, roughly.
const stubWeight = 512

func stubKey(key string) string { return "stub:" + key }
