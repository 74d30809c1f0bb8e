package cache

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"slices"
)

// tokenSize is the length of a token: random bits enough that no two are ever
// equal by chance. Counters in their place would start again once evicted, and
// make an old entry valid once more.
const tokenSize = 16

func newToken() []byte {
	token := make([]byte, tokenSize)
	_, _ = rand.Read(token) // Never fails: it aborts the program instead.
	return token
}

// newID names one fetch: 32 hexadecimal digits.
func newID() string { return hex.EncodeToString(newToken()) }

// missing reports whether a value read from a token's key is none: absent, of
// another type (which MGET answers as absent), or of a foreign shape.
func missing(token []byte) bool { return len(token) != tokenSize }

func sameTokens(a, b []string) bool { return len(a) > 0 && slices.Equal(a, b) }

// tokenSet is the tokens of several questions, each name once.
type tokenSet struct {
	names  []string
	values [][]byte
}

func (s *tokenSet) add(names []string) {
	for _, name := range names {
		if !slices.Contains(s.names, name) {
			s.names = append(s.names, name)
		}
	}
}

// of returns the values of names, and whether there is one for each.
func (s *tokenSet) of(names []string) ([]string, bool) {
	tokens := make([]string, len(names))
	for i, name := range names {
		value := s.values[slices.Index(s.names, name)]
		if missing(value) {
			return nil, false
		}
		tokens[i] = string(value)
	}
	return tokens, len(tokens) > 0
}

func (c *Cache) tokenKeys(bucket int, names []string) []string {
	keys := make([]string, len(names), 2*len(names))
	for i, name := range names {
		keys[i] = c.keys.token(bucket, name)
	}
	return keys
}

// ensureTokens creates the tokens of s that are missing. Those that could not be
// created stay missing.
func (c *Cache) ensureTokens(ctx context.Context, bucket int, s *tokenSet) {
	var at []int
	var keys []string
	var fresh [][]byte
	for i, value := range s.values {
		if missing(value) {
			at, keys, fresh = append(at, i), append(keys, c.keys.token(bucket, s.names[i])), append(fresh, newToken())
		}
	}
	if len(at) == 0 {
		return
	}
	values, err := c.store.ensure(ctx, bucket, keys, fresh)
	if err != nil {
		return
	}
	for i, value := range values {
		s.values[at[i]] = value
	}
}
