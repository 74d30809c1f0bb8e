package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// everything in place of a list of imports: the room may import every other.
const everything = "*"

// rooms has a row for every package of the module, with the rooms that its code
// may import; tests may import what they like. Arrows point down only: whoever
// needs something from a room it may not see is handed a function by main.
var rooms = map[string][]string{
	"cmd/search-api":   {everything},
	"cmd/fare-sandbox": {"internal/sandbox", "internal/refdata", "internal/flight"},

	"api":        {},
	"api/client": {"api"},

	"internal/httpapi": {"api", "internal/flight", "internal/search", "internal/refdata", "internal/page", "internal/googletoken"},
	"internal/page":    {},
	"internal/search":  {"internal/flight", "internal/fanout", "internal/cache", "internal/refdata", "internal/providers"},
	"internal/flight":  {},

	"internal/providers":              {"internal/flight"},
	"internal/providers/amadeus":      {"internal/flight", "internal/providers"},
	"internal/providers/duffel":       {"internal/flight", "internal/providers"},
	"internal/providers/skyscanner":   {"internal/flight", "internal/providers"},
	"internal/providers/providertest": {"internal/flight", "internal/providers"},

	"internal/fanout":          {},
	"internal/cache":           {},
	"internal/cache/cachetest": {},

	"internal/refdata":         {"internal/flight"},
	"internal/refdata/build":   {"internal/refdata", "internal/flight"},
	"internal/refdata/refresh": {"internal/refdata", "internal/flight", "internal/cache"},

	"internal/sandbox": {
		"internal/flight", "internal/refdata", "internal/sandbox/world", "internal/sandbox/wire",
		"internal/sandbox/amadeus", "internal/sandbox/duffel", "internal/sandbox/skyscanner",
	},
	"internal/sandbox/world":      {"internal/flight", "internal/refdata"},
	"internal/sandbox/wire":       {"internal/flight", "internal/refdata", "internal/sandbox/world"},
	"internal/sandbox/amadeus":    {"internal/flight", "internal/sandbox/world", "internal/sandbox/wire"},
	"internal/sandbox/duffel":     {"internal/flight", "internal/sandbox/world", "internal/sandbox/wire"},
	"internal/sandbox/skyscanner": {"internal/flight", "internal/sandbox/world", "internal/sandbox/wire"},

	"internal/googletoken": {},

	"internal/telemetry":               {},
	"internal/telemetry/telemetrytest": {},
	"internal/archtest":                {},
}

// fences keep an outside module to the rooms that are there to hide it.
var fences = map[string][]string{
	"github.com/redis/": {"internal/cache", "internal/cache/cachetest"},
}

// arrows reports imports that the table does not allow and packages that it does
// not know.
func arrows(t tree) []string {
	var faults []string
	for _, f := range t.files {
		if f.test {
			continue
		}
		allowed, known := rooms[f.dir]
		if !known {
			faults = append(faults, fmt.Sprintf("%s: package %s has no row in the table of rooms; add one, or move the code to the room that owns it", f.path, f.dir))
			continue
		}
		for _, path := range f.imports() {
			if reason := forbidden(t.module, f.dir, path, allowed); reason != "" {
				faults = append(faults, fmt.Sprintf("%s: %s may not import %s; %s", f.path, f.dir, path, reason))
			}
		}
	}
	return faults
}

// forbidden says why room may not import path, and nothing if it may.
func forbidden(module, room, path string, allowed []string) string {
	if target, inside := within(module, path); inside {
		if slices.Contains(allowed, everything) || slices.Contains(allowed, target) {
			return ""
		}
		return fmt.Sprintf("it may see [%s]: let main hand it a function instead", strings.Join(allowed, " "))
	}
	for prefix, owners := range fences {
		if strings.HasPrefix(path, prefix) && !slices.Contains(owners, room) {
			return "only " + strings.Join(owners, " and ") + " may: ask that room"
		}
	}
	return ""
}

// within gives the room of an import path of the module.
func within(module, path string) (room string, inside bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}
