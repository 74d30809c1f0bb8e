package httpapi

import (
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/search"
)

func TestCacheStatus(t *testing.T) {
	t.Parallel()
	for want, providers := range map[string][]search.Outcome{
		"":                            nil,
		"hedgehop-duffel; fwd=miss":   {{Name: "duffel", Cache: search.CacheMiss}},
		"hedgehop-duffel; hit; ttl=0": {{Name: "duffel", Cache: search.CacheHit, Fresh: 999 * time.Millisecond}},
		"hedgehop-duffel; hit; ttl=120, hedgehop-amadeus; fwd=stale; ttl=-1": {
			{Name: "duffel", Cache: search.CacheHit, Fresh: 2*time.Minute + time.Millisecond},
			{Name: "amadeus", Cache: search.CacheStale, Fresh: -time.Millisecond},
		},
	} {
		if got := cacheStatus(providers); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
