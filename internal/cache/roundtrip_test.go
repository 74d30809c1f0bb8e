package cache

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

var commandCalls = regexp.MustCompile(`cmdstat_([a-z|]+):calls=(\d+)`)

// commands returns how often each command ran while do ran.
func commands(t *testing.T, s *cachetest.Server, do func()) map[string]string {
	t.Helper()
	s.Do("CONFIG", "RESETSTAT")
	do()
	info, _ := s.Do("INFO", "commandstats").(string)
	ran := map[string]string{}
	for _, m := range commandCalls.FindAllStringSubmatch(info, -1) {
		if !strings.HasPrefix(m[1], "config") && m[1] != "info" && m[1] != "hello" {
			ran[m[1]] = m[2]
		}
	}
	return ran
}

// TestRoundTrips: what a lookup of three questions costs.
func TestRoundTrips(t *testing.T) {
	server := cachetest.Redis(t)
	c := mustOpen(t, Options{URL: server.URL(), LookupLimit: patient, CommandLimit: patient})
	f := fares(c)
	three := []Question{question("a"), question("b"), question("c")}
	look := func() { f.Lookup(t.Context(), market, three) }
	for _, q := range three {
		put(t, f, q, fare{Version: 1})
	}
	for _, test := range []struct {
		name   string
		before func()
		want   map[string]string
	}{
		{"all in this process", func() {}, map[string]string{"mget": "1"}},
		{"none in this process", c.local.copies.InvalidateAll, map[string]string{"mget": "1"}},
		{"copies that no longer hold", func() {
			server.Do("DEL", c.keys.token(bucketOf(market), "all"))
			look()
			server.Do("DEL", c.keys.token(bucketOf(market), "p:duffel"))
		}, map[string]string{"mget": "1", "evalsha": "1", "type": "1", "set": "1"}},
	} {
		test.before()
		got := commands(t, server, look)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	server := cachetest.Redis(b)
	text := strings.Repeat(`{"offer":"LHR-JFK","amount":"412.30"},`, 5000)
	for _, bench := range []struct {
		name  string
		url   string
		local bool
	}{{"twin/local", "", true}, {"redis/local", server.URL(), true}, {"redis/decoding", server.URL(), false}} {
		b.Run(bench.name, func(b *testing.B) {
			c := mustOpen(b, Options{URL: bench.url, LookupLimit: patient, CommandLimit: patient})
			f := fares(c)
			three := []Question{question("a"), question("b"), question("c")}
			for _, q := range three {
				put(b, f, q, fare{Text: text})
			}
			b.ReportAllocs()
			for b.Loop() {
				if !bench.local {
					c.local.copies.InvalidateAll()
				}
				if got := f.Lookup(context.Background(), market, three); got[2].State != Hit {
					b.Fatalf("a %v", got[2].State)
				}
			}
		})
	}
}
