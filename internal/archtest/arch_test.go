package archtest

import (
	"os"
	"slices"
	"testing"
)

// rules are all that this package checks. Each reports one sentence for a fault.
var rules = map[string]func(tree) []string{
	"arrows":           arrows,
	"package names":    packageNames,
	"package comments": packageComments,
	"init functions":   initFunctions,
	"sizes":            sizes,
	"documentation":    documentation,
	"sleeps":           sleeps,
}

func TestModule(t *testing.T) {
	module, err := load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if module.module != "github.com/hedgehop/hedgehop" || !slices.ContainsFunc(module.handwritten(), inFlight) {
		t.Fatalf("loaded %d files of %s: not this module", len(module.files), module.module)
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, fault := range rule(module) {
				t.Error(fault)
			}
		})
	}
}

func inFlight(f file) bool { return f.dir == "internal/flight" }

// Every room named as a target has a row, and none may import the way it came:
// a table that contradicts itself proves nothing.
func TestRoomsAreConsistent(t *testing.T) {
	for room, allowed := range rooms {
		for _, target := range allowed {
			if _, known := rooms[target]; !known && target != everything {
				t.Errorf("%s may import %s, which has no row", room, target)
			}
			if slices.Contains(rooms[target], room) {
				t.Errorf("%s and %s may import each other", room, target)
			}
		}
	}
}
