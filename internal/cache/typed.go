package cache

import (
	"strings"
	"time"

	"golang.org/x/sync/singleflight"
)

// Typed is the cache of values of one type: Lookup, Ask, Refresh, Fill and
// Replay. Make one for each type, once, with For: questions are coalesced within
// one Typed. Safe for concurrent use; the values it returns are shared and must
// not be changed.
type Typed[V any] struct {
	c        *Cache
	o        TypedOptions[V]
	calls    calls[V]
	decoding singleflight.Group
}

// TypedOptions say how values of one type are kept.
type TypedOptions[V any] struct {
	// Encode and Decode turn a value into bytes and back; both mandatory. Decode
	// must not keep the bytes. An error of Decode makes the entry a miss.
	Encode func(V) ([]byte, error)
	Decode func([]byte) (V, error)
	// Version of the encoding: entries of another are misses. Change it with
	// the encoding.
	Version uint16
	// Weight is what a decoded value takes in memory, in bytes, given how long
	// its encoding is; nil: three times the encoding.
	Weight func(value V, encoded int) int
	// Replaced is told, after a fill, which entry it took the place of, so that
	// a change of what the two say can be counted. Optional; it runs off every
	// answer's path, concurrently.
	Replaced func(Replacement[V])
}

// Replacement is a fill that took an older entry's place.
type Replacement[V any] struct {
	Question Question
	Old, New Meta
	Value    V // the new one
	// Invalidated: the older entry had been withdrawn, so that a change of what
	// the two say is no news.
	Invalidated bool
}

// For returns the view of c on values of type V.
func For[V any](c *Cache, o TypedOptions[V]) *Typed[V] {
	if o.Weight == nil {
		o.Weight = func(_ V, encoded int) int { return 3 * encoded }
	}
	return &Typed[V]{c: c, o: o, calls: calls[V]{running: map[string]*call[V]{}}}
}

// Question is one thing to know, asked of one source.
type Question struct {
	// Kind is the source, say "duffel". It is part of the key and of the counts.
	Kind string
	// Query is the canonical form of what is asked: equal for equal questions,
	// different for different ones.
	Query string
	// Tokens name the scopes that an answer belongs to, always the same names in
	// the same order for the same question. Without any it is always a Bypass.
	Tokens []string
	// NotBefore refuses values whose fetch began earlier. Zero: any age.
	NotBefore time.Time
	// Lease asks the source once among all instances, not only in this one.
	Lease bool
}

// Meta is what is known of a value beside the value.
type Meta struct {
	// ID names the fetch that the value came from, 32 hexadecimal digits.
	ID string
	// FetchedAt is when that fetch began, to the microsecond.
	FetchedAt time.Time
	// FreshUntil ends its use as an answer, StaleUntil its use in place of one
	// when the source fails.
	FreshUntil time.Time
	StaleUntil time.Time
	// Summary is the filler's own few words, readable without the value.
	Summary string
}

// State says what a lookup found.
type State int

const (
	// Miss is nothing usable: ask, and fill.
	Miss State = iota
	// Hit is a fresh value.
	Hit
	// Stale is a value past FreshUntil that nothing invalidated: ask, and use
	// it, marked, only if the asking fails.
	Stale
	// Bypass is a lookup without tokens, because Redis failed: ask alone, share
	// with nobody, remember nothing. Ask does all of that by itself.
	Bypass
	// Withdrawn is a value that was invalidated. Only Replay finds it. It may
	// tell what to ask for again and must never be shown.
	Withdrawn
)

// String returns the state as it is counted: "miss", "hit" and so on.
func (s State) String() string {
	names := [...]string{Miss: "miss", Hit: "hit", Stale: "stale", Bypass: "bypass", Withdrawn: "withdrawn"}
	if s < 0 || int(s) >= len(names) {
		return "unknown"
	}
	return names[s]
}

// Found is what a lookup found for one question, and what Ask and Fill need to
// go on from there.
type Found[V any] struct {
	State State
	// Value and Meta are set for Hit, Stale and Withdrawn.
	Value V
	Meta
	// Uses counts how often this process has served its copy, this time
	// included: a measure of how hot the entry is. 0 when it was just decoded.
	Uses int64

	question Question
	bucket   int
	key      string
	tokens   []string // as read, in the order of question.Tokens; nil for Bypass
}

// Question returns what was asked.
func (f Found[V]) Question() Question { return f.question }

// callKey names the shared call that may answer: the same question under the
// same tokens. A call under older tokens may have begun before an invalidation
// that this request must not see past.
func (f Found[V]) callKey(s sabotage) string {
	if s.coalesceWithoutTokens {
		return f.key
	}
	return f.key + strings.Join(f.tokens, "")
}

// use returns f with a value.
func (f Found[V]) use(state State, value V, meta Meta, uses int64) Found[V] {
	f.State, f.Value, f.Meta, f.Uses = state, value, meta, uses
	return f
}
