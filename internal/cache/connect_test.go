package cache

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

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
		"a port":              {Options{URL: "redis://host:99999"}, []string{"99999", "65535"}},
		"a broken URL":        {Options{URL: "redis://u:secret@h:x y/"}, []string{"Redis URL"}},
		"a cluster's":         {Options{URL: "unix:///sock", Topology: Cluster}, []string{"unix"}},
		"a cluster's number":  {Options{URL: "redis://secret@h/3", Topology: Cluster}, []string{`"3"`}},
		"a topology":          {Options{Topology: "ring"}, []string{`"ring"`, `"standalone" or "cluster"`}},
		"a cluster of no URL": {Options{Topology: Cluster}, []string{"needs a URL"}},
		"a prefix":            {Options{Prefix: "a{b}"}, []string{`"a{b}"`}},
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

// TestTLS: a certificate is verified, and replies are bounded under TLS, too.
func TestTLS(t *testing.T) {
	pki := httptest.NewTLSServer(nil) // Its certificate is good for 127.0.0.1.
	defer pki.Close()
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		mustSucceed(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return path
	}
	key, err := x509.MarshalPKCS8PrivateKey(pki.TLS.Certificates[0].PrivateKey)
	mustSucceed(t, err)
	cert := write("cert", "CERTIFICATE", pki.Certificate().Raw)
	addr := cachetest.FreeAddr(t)
	_, port, _ := net.SplitHostPort(addr)
	cachetest.Redis(t, "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", write("key", "PRIVATE KEY", key),
		"--tls-ca-cert-file", cert, "--tls-auth-clients", "no")

	o := Options{URL: "rediss://" + addr, LookupLimit: patient, CommandLimit: patient}
	c := mustOpen(t, o)
	if err := c.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an unknown certificate was met with %v", err)
	}
	target, _, err := parseURL(o.URL, Standalone)
	mustSucceed(t, err)
	target.TLSConfig.RootCAs = x509.NewCertPool()
	target.TLSConfig.RootCAs.AddCert(pki.Certificate())
	mustSucceed(t, c.store.close())
	client := redis.NewClient(standaloneOptions(o.withDefaults(), target))
	c.store = newRedisStore(client, redisLimits{lookup: patient, tokenTTL: time.Hour})
	put(t, fares(c), question("q"), fare{Version: 1})
	wantFare(t, find(t, fares(c), question("q")), Hit, fare{Version: 1})
	mustSucceed(t, client.Set(t.Context(), "large", make([]byte, 9<<20), 0).Err())
	if err := client.Get(t.Context(), "large").Err(); !errors.Is(err, errReplyTooLarge) {
		t.Errorf("a reply beyond the bound was met with %v", err)
	}
}
