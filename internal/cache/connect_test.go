package cache

import (
	"strings"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache/cachetest"
)

func TestOpenRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		o    Options
		want []string
	}{
		"a scheme":            {Options{URL: "http://host"}, []string{`"http"`, "want redis, rediss or unix"}},
		"no scheme":           {Options{URL: "localhost:6379"}, []string{"want redis, rediss or unix"}},
		"a parameter":         {Options{URL: "redis://host?read_timeout=3s"}, []string{`"read_timeout"`}},
		"a database":          {Options{URL: "redis://host/x"}, []string{"Redis URL"}},
		"a broken URL":        {Options{URL: "redis://u:secret@h:x y/"}, []string{"Redis URL"}},
		"a cluster's":         {Options{URL: "unix:///sock", Topology: Cluster}, []string{"unix"}},
		"a cluster's number":  {Options{URL: "redis://secret@h/3", Topology: Cluster}, []string{`"3"`}},
		"a topology":          {Options{Topology: "ring"}, []string{`"ring"`, `"standalone" or "cluster"`}},
		"a cluster of no URL": {Options{Topology: Cluster}, []string{"needs a URL"}},
		"all faults at once":  {Options{Topology: "ring", MaxCalls: -1, CallLimit: -time.Second, MaxEntryBytes: 1 << 30}, []string{"ring", "MaxCalls -1", "CallLimit", "MaxEntryBytes"}},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := Open(test.o)
			if err == nil {
				_ = c.Close()
				t.Fatal("was opened")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%q tells the password", err)
			}
		})
	}
}

func TestUnreachableRedisIsNoError(t *testing.T) {
	c := mustOpen(t, Options{URL: "redis://127.0.0.1:1"})
	if c.Check(t.Context()) == nil {
		t.Error("an unreachable Redis is healthy")
	}
	wantState(t, find(t, fares(c), question("q")), Bypass)
	if c.Invalidate(t.Context(), []string{"all"}) == nil {
		t.Error("an unreachable Redis acknowledged an invalidation")
	}
}

func TestURLs(t *testing.T) {
	server := cachetest.Redis(t, "--requirepass", "secret")
	for name, url := range map[string]string{
		"a password and a database": "redis://:secret@" + server.Addr() + "/2",
		"a user":                    "redis://default:secret@" + server.Addr(),
		"a unix socket":             "unix://:secret@" + server.Socket() + "?db=1",
	} {
		t.Run(name, func(t *testing.T) {
			c := mustOpen(t, Options{URL: url, LookupLimit: patient, CommandLimit: patient})
			mustSucceed(t, c.Check(t.Context()))
			put(t, fares(c), question("q"), fare{Version: 1})
			wantFare(t, find(t, fares(c), question("q")), Hit, fare{Version: 1})
		})
	}
}
