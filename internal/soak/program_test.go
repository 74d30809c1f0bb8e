// Package soak tries the whole service the way it runs in production: several
// processes on one Redis or cluster, asked over HTTP, told of changes over HTTP,
// with faults all the while. It has tests only; `make soak` runs them at length.
package soak

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// root is the module's, seen from this package.
const root = "../.."

// builds is where programs are put, for all tests of this process.
var builds string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	builds = dir
	return m.Run()
}

// program is the service as it is, built once.
func program(tb testing.TB) string {
	tb.Helper()
	return built(tb, buildProgram)
}

// sabotaged is the service with a variable more: sabotageVariable switches off
// the rule of the cache that it names.
func sabotaged(tb testing.TB) string {
	tb.Helper()
	return built(tb, buildSabotaged)
}

type artefact struct {
	path, failure string
}

var (
	buildProgram   = sync.OnceValue(func() artefact { return build("search-api") })
	buildSabotaged = sync.OnceValue(func() artefact {
		overlay, err := writeOverlay()
		if err != nil {
			return artefact{failure: err.Error()}
		}
		return build("sabotaged", "-overlay", overlay)
	})
)

func built(tb testing.TB, build func() artefact) string {
	tb.Helper()
	made := build()
	if made.failure != "" {
		tb.Fatal(made.failure)
	}
	return made.path
}

// build compiles without the race detector, whatever this test was compiled with:
// it would leave a tenth of the reads.
func build(name string, flags ...string) artefact {
	path := filepath.Join(builds, name)
	arguments := append([]string{"build", "-buildvcs=false", "-o", path}, flags...)
	command := exec.Command("go", append(arguments, "./cmd/search-api")...) //nolint:gosec // arguments of this test
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		return artefact{failure: "building the service: " + err.Error() + "\n" + string(output)}
	}
	return artefact{path: path}
}

// sabotageVariable exists in the sabotaged program alone.
const sabotageVariable = "SOAK_SABOTAGE"

// The rules that it can switch off; the names of package cache's own switches,
// which no code outside its tests can set.
const (
	withoutTokens    = "coalesceWithoutTokens"
	withoutCompare   = "skipTokenComparison"
	attachedToCaller = "attachCallToCaller"
)

// edits are what the sabotaged program has different.
var edits = []struct{ file, old, replacement string }{
	{"internal/cache/options.go", "import (\n", "import (\n\t\"os\"\n"},
	{"internal/cache/options.go", "func (o Options) withDefaults() Options {\n", `func (o Options) withDefaults() Options {
	switch os.Getenv("` + sabotageVariable + `") {
	case "` + withoutTokens + `":
		o.sabotage.` + withoutTokens + ` = true
	case "` + withoutCompare + `":
		o.sabotage.` + withoutCompare + ` = true
	case "` + attachedToCaller + `":
		o.sabotage.` + attachedToCaller + ` = true
	}
`},
	// A call is detached twice: here, so that it may outlive its search, and in
	// the cache, because others wait for it.
	{"internal/fanout/gatherer.go", "import (\n", "import (\n\t\"os\"\n"},
	{"internal/fanout/gatherer.go", "context.WithTimeout(context.WithoutCancel(ctx), g.callTimeout)", "context.WithTimeout(attached(ctx), g.callTimeout)"},
	{"internal/fanout/gatherer.go", "// leave makes", `func attached(ctx context.Context) context.Context {
	if os.Getenv("` + sabotageVariable + `") == "` + attachedToCaller + `" {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// leave makes`},
}

// writeOverlay edits files for the compiler, not on disk, and returns what
// `go build -overlay` is to be given.
func writeOverlay() (string, error) {
	sources, replaced := map[string]string{}, map[string]string{}
	for _, edit := range edits {
		original, err := filepath.Abs(filepath.Join(root, edit.file))
		if err != nil {
			return "", err
		}
		if sources[original] == "" {
			source, err := os.ReadFile(original) //nolint:gosec // a file of this module
			if err != nil {
				return "", err
			}
			sources[original] = string(source)
		}
		if strings.Count(sources[original], edit.old) != 1 {
			return "", fmt.Errorf("%s has changed: %q does not stand there once; adapt the sabotage to it", edit.file, edit.old)
		}
		sources[original] = strings.Replace(sources[original], edit.old, edit.replacement, 1)
		replaced[original] = filepath.Join(builds, strings.ReplaceAll(edit.file, "/", "_"))
		if err := os.WriteFile(replaced[original], []byte(sources[original]), 0o600); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	path := filepath.Join(builds, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o600)
}
