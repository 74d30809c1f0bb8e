package httpapi

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/search"
)

// serverTiming is the value of the Server-Timing header (W3C), in milliseconds.
func serverTiming(result *search.Result) string {
	var b strings.Builder
	metric := func(name string, d time.Duration) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s;dur=%.1f", name, float64(d.Microseconds())/1000)
	}
	metric("total", result.Timing.Total)
	metric("cache", result.Timing.Cache)
	for _, provider := range result.Providers {
		metric(provider.Name, provider.Latency)
	}
	metric("merge", result.Timing.Merge)
	return b.String()
}

// cacheStatus is the value of the Cache-Status header (RFC 9211): a member for
// each provider, for their fares are kept apart. Where stale fares stand in for
// a provider that was asked in vain, their time to live is below zero.
func cacheStatus(providers []search.Outcome) string {
	members := make([]string, len(providers))
	for i, provider := range providers {
		member := "hedgehop-" + provider.Name
		ttl := int(math.Floor(provider.Fresh.Seconds()))
		switch provider.Cache {
		case search.CacheHit:
			member += fmt.Sprintf("; hit; ttl=%d", ttl)
		case search.CacheStale:
			member += fmt.Sprintf("; fwd=stale; ttl=%d", ttl)
		default:
			member += "; fwd=miss"
		}
		members[i] = member
	}
	return strings.Join(members, ", ")
}
