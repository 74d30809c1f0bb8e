package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
)

// buckets is how many hash tags the keys are spread over. All keys of one
// lookup carry the same tag, hence live in one slot of a cluster: 64 spread
// well over any number of masters that a fare cache needs, and an invalidation
// still reaches all of them in one pipeline.
const buckets = 64

// keyspace builds key names under one prefix.
type keyspace struct {
	prefix string
	slots  [buckets]string
}

func newKeyspace(prefix string) *keyspace {
	k := &keyspace{prefix: prefix}
	for b := range k.slots {
		k.slots[b] = fmt.Sprintf("%s:{b%02d}:", prefix, b)
	}
	return k
}

// bucketOf spreads names over the buckets (FNV-1a, 32 bits).
func bucketOf(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // A hash.Hash never fails.
	return int(h.Sum32() % buckets)
}

func (k *keyspace) token(bucket int, name string) string { return k.slots[bucket] + "t:" + name }

func (k *keyspace) entry(bucket int, kind, query string) string {
	return k.slots[bucket] + "q:" + kind + ":" + queryHash(query)
}

// replaced is where an entry stays when a newer one takes its place. The fill
// script builds the same name from the entry it finds.
func (k *keyspace) replaced(bucket int, id string) string { return k.slots[bucket] + "f:" + id }

// note is a small value beside the entries, say "low:…"; checkNote keeps its
// name apart from the other classes.
func (k *keyspace) note(bucket int, name string) string { return k.slots[bucket] + name }

func (k *keyspace) lease(name string) string { return k.prefix + ":lease:" + name }

func (k *keyspace) rate(name string) string { return k.prefix + ":rate:" + name }

func (k *keyspace) blob(name string) string { return k.prefix + ":blob:" + name }

// queryHash shortens a canonical query. It names the key; the entry carries the
// query itself, so that a collision is a miss and not a wrong answer.
func queryHash(query string) string {
	sum := sha256.Sum256([]byte(query))
	return hex.EncodeToString(sum[:16])
}
