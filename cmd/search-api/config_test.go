package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sethvargo/go-envconfig"

	"github.com/hedgehop/hedgehop/internal/providers"
)

func read(env map[string]string) (Config, error) {
	return readConfig(context.Background(), envconfig.MapLookuper(env))
}

func TestDefaults(t *testing.T) {
	c, err := read(map[string]string{"PORT": "", "HEDGE_DELAY": ""})
	if err != nil {
		t.Fatal(err)
	}
	if c.Port != 8080 || c.SoftTimeout != 3*time.Second || c.MaxAttempts != 3 || c.Budget != 0.20 || c.Seed != 1 {
		t.Errorf("unexpected defaults: %+v", c)
	}
	if diff := cmp.Diff([]string{"duffel", "amadeus", "skyscanner"}, c.Names); diff != "" {
		t.Error(diff)
	}
}

func TestValues(t *testing.T) {
	c, err := read(map[string]string{
		"DUFFEL_BASE_URLS": "http://a.example/duffel, https://b.example", "DUFFEL_HEDGING": "metered",
		"AMADEUS_RATE_LIMIT": "10/s,100/m", "LOG_LEVEL": "warn", "LOG_FORMAT": "json",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.DuffelBases) != 2 || c.DuffelBases[1].Host != "b.example" || c.DuffelHedging.Class != providers.ClassMetered {
		t.Errorf("bases %v, class %v", c.DuffelBases, c.DuffelHedging)
	}
	want := rates{{requests: 10, per: time.Second}, {requests: 100, per: time.Minute}}
	if diff := cmp.Diff(want, c.AmadeusRate, cmp.AllowUnexported(rate{})); diff != "" {
		t.Error(diff)
	}
}

func TestEveryFaultHasALineThatNamesItsVariable(t *testing.T) {
	_, err := read(map[string]string{
		"PORT": "http", "SEARCH_TIMEOUT": "fast", "HEDGE_BUDGET": "NaN?", "PROVIDERS": "duffel",
		"DUFFEL_BASE_URLS": "ftp://x", "LOG_FORMAT": "xml", "SANDBOX_LATENCY": "awful", "AMADEUS_RATE_LIMIT": "10/year",
		"EXCHANGE_RATES_URL": "file:///rates.xml",
	})
	lines := strings.Split(err.Error(), "\n")
	for _, name := range []string{"PORT", "SEARCH_TIMEOUT", "HEDGE_BUDGET", "DUFFEL_BASE_URLS", "LOG_FORMAT", "SANDBOX_LATENCY", "AMADEUS_RATE_LIMIT", "EXCHANGE_RATES_URL"} {
		if !containsPrefix(lines, name+"=") {
			t.Errorf("no line of %s in:\n%s", name, err)
		}
	}
	if len(lines) != 8 {
		t.Errorf("want 8 lines, got:\n%s", err)
	}
}

func containsPrefix(lines []string, prefix string) bool {
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) && strings.Contains(line, "allowed: ") {
			return true
		}
	}
	return false
}

func TestBoundsAndRelations(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		says string
	}{
		{map[string]string{"PORT": "70000"}, "PORT="},
		{map[string]string{"PROVIDERS": "duffel,kiwi"}, "PROVIDERS="},
		{map[string]string{"PROVIDERS": "duffel,duffel"}, "PROVIDERS="},
		{map[string]string{"SEARCH_TIMEOUT": "0s"}, "SEARCH_TIMEOUT="},
		{map[string]string{"HEDGE_MAX_ATTEMPTS": "0"}, "HEDGE_MAX_ATTEMPTS="},
		{map[string]string{"HEDGE_BUDGET": "NaN"}, "HEDGE_BUDGET="},
		{map[string]string{"HEDGE_DELAY": "6s"}, "HEDGE_DELAY="},
		{map[string]string{"AMADEUS_CLIENT_ID": "canary", "API_KEYS": "canary"}, "AMADEUS_CLIENT_SECRET is missing;"},
		{map[string]string{"AMADEUS_CLIENT_SECRET": "canary", "API_KEYS": "canary"}, "AMADEUS_CLIENT_ID is missing;"},
		{map[string]string{"SANDBOX_CONTROL": "true", "DUFFEL_ACCESS_TOKEN": "canary", "API_KEYS": "canary"}, "SANDBOX_CONTROL=true"},
		{map[string]string{"DUFFEL_ACCESS_TOKEN": "canary"}, "API_KEYS is missing;"},
		{map[string]string{"SKYSCANNER_API_KEY": "canary", "ALLOW_ANONYMOUS": "false"}, "API_KEYS is missing;"},
		{map[string]string{"API_KEYS": "canary,,"}, "API_KEYS=(secret)"},
		{map[string]string{"EVENTS_OIDC_EMAIL": "a@b"}, "EVENTS_OIDC_AUDIENCE is missing;"},
		{map[string]string{"EVENTS_OIDC_AUDIENCE": "https://a"}, "EVENTS_OIDC_EMAIL is missing;"},
		{map[string]string{"MAX_CONCURRENT_SEARCHES": "0"}, "MAX_CONCURRENT_SEARCHES="},
		{map[string]string{"ADMISSION_QUEUE": "-1"}, "ADMISSION_QUEUE="},
		{map[string]string{"TRUSTED_PROXY_HOPS": "-1"}, "TRUSTED_PROXY_HOPS="},
		{map[string]string{"CLIENT_RATE": "20"}, "CLIENT_RATE="},
		{map[string]string{"REDIS_TOPOLOGY": "ring"}, `REDIS_TOPOLOGY="ring"`},
		{map[string]string{"REDIS_TOPOLOGY": "cluster"}, "REDIS_URL is missing;"},
		{map[string]string{"REDIS_TOPOLOGY": "cluster", "REDIS_URL": "unix:///canary"}, "REDIS_URL=(secret)"},
		{map[string]string{"REDIS_URL": "redis://canary?addr=b:1"}, "REDIS_URL=(secret)"},
	} {
		wantOnlyLine(t, tc.env, tc.says)
	}
}

func TestValuesThatNothingCouldBeDoneWithAreRefused(t *testing.T) {
	for variable, values := range map[string][]string{
		"CORS_ORIGINS": {
			"https://a.example/", "a.example", "https://a.example/path", ",", "https://a.example,", "https://a.example?", "null", "https://*.example",
			"https://a.example:443", "http://a.example:80", "https://a.example:", "https://a.example:70000", "ftp://a.example", "https://bücher.example", "https://",
		},
		"REDIS_URL": {
			"redis://canary/abc", "unix://", "redis://canary?foo=x", "redis://canary:99999", "redis://canary:0", "http://canary", "canary:6379", "redis://u:canary@h:x y",
		},
		"DUFFEL_BASE_URLS":      {"http://a,http://a", "http://a:99999", "http://a?x=1", "http://:80", "http://u:canary@a", "a"},
		"EXCHANGE_RATES_URL":    {"http://a:99999", "file:///rates.xml"},
		"PRELOAD_ROUTES":        {"JFK-JFK", "JFK-jfk+3", "JFK", "JFK-LHR+x"},
		"PORT":                  {"0x50", "010", "8_0", "+80", "80.0"},
		"HEDGE_MAX_ATTEMPTS":    {"0x2", "03"},
		"SANDBOX_SEED":          {"0x1", "-1", "01"},
		"TRUSTED_PROXY_HOPS":    {"0b1"},
		"HEDGE_DELAY":           {"80", "-1ms"},
		"OTEL_TRACES_SAMPLER":   {"sometimes"},
		"AMADEUS_RATE_LIMIT":    {"0/s", "10"},
		"SKYSCANNER_HEDGING":    {"sometimes"},
		"SANDBOX_LATENCY":       {"awful"},
		"REDIS_TOPOLOGY":        {"Cluster"},
		"OTEL_LOGS_EXPORTER":    {"otlp"},
		"PPROF_ADDR":            {"0.0.0.0:6060"},
		"OTEL_SDK_DISABLED":     {"maybe"},
		"OTEL_METRICS_EXPORTER": {"none,otlp"},
		"OTEL_TRACES_EXPORTER":  {"stdout"},
		"SEARCH_SOFT_TIMEOUT":   {"3"},
		"FARE_TTL":              {"999ms"},
		"FARE_STALE_TTL":        {"-1s"},
		"CLIENT_RATE":           {"1/w"},
		"ADMISSION_QUEUE":       {"1e3"},
		"SEARCH_TIMEOUT":        {"soon"},
	} {
		for _, value := range values {
			wantOnlyLine(t, map[string]string{variable: value}, variable+"=")
		}
	}
}

// wantOnlyLine reads what has one fault. No value holds "canary" but secrets.
func wantOnlyLine(t *testing.T, env map[string]string, prefix string) {
	t.Helper()
	_, err := read(env)
	if err == nil || !strings.HasPrefix(err.Error(), prefix) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v: want the line %s…, got %v", env, prefix, err)
	}
	if err != nil && strings.Contains(err.Error(), "canary") {
		t.Errorf("a secret was printed: %v", err)
	}
}

func TestOriginsThatBrowsersSend(t *testing.T) {
	c, err := read(map[string]string{"CORS_ORIGINS": "https://www.a-b.example, HTTP://localhost:3000,https://[::1]:8443,http://a.example:443,*"})
	if err != nil {
		t.Fatal(err)
	}
	want := origins{"https://www.a-b.example", "HTTP://localhost:3000", "https://[::1]:8443", "http://a.example:443", "*"}
	if diff := cmp.Diff(want, c.CORSOrigins); diff != "" {
		t.Error(diff)
	}
}

func TestRangesAreJudgedBesideWhatCannotBeDecoded(t *testing.T) {
	_, err := read(map[string]string{
		"PORT": "70000", "FARE_TTL": "soon", "PROVIDER_TIMEOUT": "x", "HEDGE_DELAY": "8s", "ALLOW_ANONYMOUS": "maybe", "DUFFEL_ACCESS_TOKEN": "t",
		"REDIS_URL": "http://h", "REDIS_TOPOLOGY": "cluster",
	})
	var named []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		name, _, _ := strings.Cut(line, "=")
		named = append(named, name)
	}
	want := []string{"ALLOW_ANONYMOUS", "FARE_TTL", "PORT", "PROVIDER_TIMEOUT", "REDIS_URL"}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(named))); diff != "" {
		t.Errorf("lines (-want +got):\n%s\n%s", diff, err)
	}
}

func TestUserinfoIsNeverPrinted(t *testing.T) {
	for _, variable := range []string{"DUFFEL_BASE_URLS", "EXCHANGE_RATES_URL", "OTEL_EXPORTER_OTLP_ENDPOINT", "CORS_ORIGINS"} {
		for _, value := range []string{
			"http://user:hunter2@x", "http://hunter2@x", "https://user:hun%2hunter2@x", "http://user:hunter2/a@x", "http://user:hunter2#a@x",
			"user:hunter2@x", "http://user:a,hunter2@x", "user:http://hunter2@x",
		} {
			_, err := read(map[string]string{variable: value})
			if err == nil || !strings.HasPrefix(err.Error(), variable+"=") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s=%s: %v", variable, value, err)
			}
		}
	}
	if _, err := read(map[string]string{"DUFFEL_BASE_URLS": "http://y,http://user:hunter2@x,http://z"}); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("in a list: %v", err)
	}
}

func TestBlanksAreNoValue(t *testing.T) {
	c, err := read(map[string]string{"DUFFEL_ACCESS_TOKEN": " \n", "PORT": " 80\n", "SANDBOX_CONTROL": "true ", "PROVIDERS": "\t"})
	if err != nil {
		t.Fatal(err)
	}
	if c.hasCredential() || c.Port != 80 || !c.Control || len(c.Names) != 3 {
		t.Errorf("%+v", c)
	}
}
