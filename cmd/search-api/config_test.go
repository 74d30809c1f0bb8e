package main

import (
	"context"
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
		{map[string]string{"PORT": "70000"}, "PORT"},
		{map[string]string{"PROVIDERS": "duffel,kiwi"}, "PROVIDERS"},
		{map[string]string{"PROVIDERS": "duffel,duffel"}, "PROVIDERS"},
		{map[string]string{"SEARCH_TIMEOUT": "0s"}, "SEARCH_TIMEOUT"},
		{map[string]string{"HEDGE_MAX_ATTEMPTS": "0"}, "HEDGE_MAX_ATTEMPTS"},
		{map[string]string{"HEDGE_BUDGET": "NaN"}, "HEDGE_BUDGET"},
		{map[string]string{"AMADEUS_CLIENT_ID": "id", "API_KEYS": "canary"}, "AMADEUS_CLIENT_SECRET"},
		{map[string]string{"AMADEUS_CLIENT_SECRET": "canary", "API_KEYS": "canary"}, "AMADEUS_CLIENT_ID"},
		{map[string]string{"SANDBOX_CONTROL": "true", "DUFFEL_ACCESS_TOKEN": "canary", "API_KEYS": "canary"}, "SANDBOX_CONTROL"},
		{map[string]string{"DUFFEL_ACCESS_TOKEN": "canary"}, "API_KEYS"},
		{map[string]string{"SKYSCANNER_API_KEY": "canary", "ALLOW_ANONYMOUS": "false"}, "API_KEYS"},
		{map[string]string{"API_KEYS": "canary,,"}, "API_KEYS"},
		{map[string]string{"EVENTS_OIDC_EMAIL": "a@b"}, "EVENTS_OIDC_AUDIENCE"},
		{map[string]string{"EVENTS_OIDC_AUDIENCE": "https://a"}, "EVENTS_OIDC_EMAIL"},
		{map[string]string{"MAX_CONCURRENT_SEARCHES": "0"}, "MAX_CONCURRENT_SEARCHES"},
		{map[string]string{"ADMISSION_QUEUE": "-1"}, "ADMISSION_QUEUE"},
		{map[string]string{"TRUSTED_PROXY_HOPS": "-1"}, "TRUSTED_PROXY_HOPS"},
		{map[string]string{"CLIENT_RATE": "20"}, "CLIENT_RATE"},
	} {
		_, err := read(tc.env)
		if err == nil || !strings.HasPrefix(err.Error(), tc.says+"=") {
			t.Errorf("%v: want a line of %s, got %v", tc.env, tc.says, err)
		}
		if err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("a secret was printed: %v", err)
		}
	}
}
