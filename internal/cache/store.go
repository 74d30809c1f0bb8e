package cache

import (
	"context"
	"time"
)

// store is what the protocol needs of the place where entries lie: Redis, or
// the twin that stands in for it. Every method is atomic, safe for concurrent
// use, and bounded in time by its context and its own limit. Keys of one call
// share a bucket.
type store interface {
	// read returns the values of keys in order, nil for the absent ones.
	read(ctx context.Context, bucket int, keys []string) ([][]byte, error)
	// readTokens is read for tokens alone, which are small and which many lookups
	// read at a time: it may wait for a read that is to begin, and share it.
	readTokens(ctx context.Context, bucket int, keys []string) ([][]byte, error)
	// ensure returns the tokens at keys, after putting the fresh one wherever
	// there is none.
	ensure(ctx context.Context, bucket int, keys []string, fresh [][]byte) ([][]byte, error)
	// fill writes an entry if every token is still as expected.
	fill(ctx context.Context, f *fillRequest) (fillReply, error)
	// remove deletes tokens. It returns nil only when every one of them is
	// gone for certain.
	remove(ctx context.Context, tokens []tokenKey) error

	// acquire takes the lease at key for owner unless somebody holds it.
	acquire(ctx context.Context, key, owner string, ttl time.Duration) (bool, error)
	// release gives the lease at key back if owner still holds it.
	release(ctx context.Context, key, owner string) error
	// spend takes n from every limit of a budget, or from none.
	spend(ctx context.Context, key string, n int, limits []Limit) (Verdict, error)

	// get returns the value at key, nil when it is absent.
	get(ctx context.Context, key string) ([]byte, error)
	// set writes a value that ends after ttl.
	set(ctx context.Context, key string, value []byte, ttl time.Duration) error
	// del removes the value at key.
	del(ctx context.Context, key string) error

	// ping tells whether the store answers now.
	ping(ctx context.Context) error
	close() error
}

// tokenKey is a token's key and the bucket that it lies in.
type tokenKey struct {
	bucket int
	key    string
}

// fillRequest is one atomic fill: an entry, the notes written with it, and the
// tokens under which both hold.
type fillRequest struct {
	bucket    int
	tokenKeys []string
	tokens    []string
	tokenTTL  time.Duration
	// replacedPrefix begins the key that a replaced entry stays under; its fetch
	// id ends it.
	replacedPrefix string
	entry          keyValue
	notes          []keyValue
}

type keyValue struct {
	key   string
	value []byte
	ttl   time.Duration
}

// fillReply says whether the fill was written, and the first bytes of the entry
// that it replaced, if there was one.
type fillReply struct {
	written  bool
	replaced []byte
}
