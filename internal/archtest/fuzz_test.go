package archtest

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// targetName finds fuzz targets in docs/threats.md, written package.FuzzName.
var targetName = regexp.MustCompile("`((?:internal|cmd|api)[a-z/]*\\.Fuzz[A-Za-z]+)`")

// TestFuzzTargetsAreListed compares the fuzz targets of the module with those
// that the threat notes list, both ways.
func TestFuzzTargetsAreListed(t *testing.T) {
	module, err := load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	notes, err := os.ReadFile("../../docs/threats.md")
	if err != nil {
		t.Fatal(err)
	}
	there, listed := fuzzTargets(module), map[string]bool{}
	for _, found := range targetName.FindAllStringSubmatch(string(notes), -1) {
		listed[found[1]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if !listed[name] {
			t.Errorf("docs/threats.md does not list %s; say there whose bytes it parses", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !there[name] {
			t.Errorf("docs/threats.md lists %s, which does not exist", name)
		}
	}
	if len(there) == 0 {
		t.Error("no fuzz target was found")
	}
}

func fuzzTargets(t tree) map[string]bool {
	targets := map[string]bool{}
	for _, f := range t.files {
		for _, fn := range f.functions() {
			if f.test && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				targets[f.dir+"."+fn.Name.Name] = true
			}
		}
	}
	return targets
}
