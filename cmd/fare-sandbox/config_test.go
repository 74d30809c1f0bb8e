package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sethvargo/go-envconfig"

	"github.com/hedgehop/hedgehop/internal/sandbox"
)

func TestLoad(t *testing.T) {
	for name, test := range map[string]struct {
		env  map[string]string
		want config
	}{
		"defaults": {nil, config{9090, sandbox.LawLongTail, 1, slog.LevelInfo, "text"}},
		"empty":    {map[string]string{"PORT": "", "SANDBOX_SEED": ""}, config{9090, sandbox.LawLongTail, 1, slog.LevelInfo, "text"}},
		"set": {
			map[string]string{"PORT": "0", "SANDBOX_LATENCY": "none", "SANDBOX_SEED": "7", "LOG_LEVEL": "debug", "LOG_FORMAT": "json"},
			config{0, sandbox.LawNone, 7, slog.LevelDebug, "json"},
		},
		"Cloud Run": {map[string]string{"K_SERVICE": "sandbox", "PORT": "8080"}, config{8080, sandbox.LawLongTail, 1, slog.LevelInfo, "json"}},
	} {
		got, err := load(envconfig.MapLookuper(test.env))
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(config{})); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestLoadNamesEveryFault(t *testing.T) {
	_, err := load(envconfig.MapLookuper(map[string]string{
		"PORT": "65536", "SANDBOX_LATENCY": "fast", "SANDBOX_SEED": "-1", "LOG_LEVEL": "loud", "LOG_FORMAT": "xml",
	}))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{
		`PORT="65536": use a port from 0 (any free one) to 65535`,
		`SANDBOX_LATENCY="fast": use none, longtail or slow`,
		`SANDBOX_SEED="-1": use a whole number, 0 or more`,
		`LOG_LEVEL="loud": use debug, info, warn or error`,
		`LOG_FORMAT="xml": use json or text`,
	} {
		if len(lines) != 5 || lines[i] != want {
			t.Errorf("line %d of %q, want %q", i, lines, want)
		}
	}
}
