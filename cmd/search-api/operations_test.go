package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/telemetry"
)

// instruments are all metrics of the running service.
func instruments(t *testing.T) []telemetry.Instrument {
	t.Helper()
	o := startObserved(t)
	all := o.service.telemetry.Instruments()
	if err := o.service.stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMetricsAreDocumented compares the service's metrics with the table of
// docs/operations.md, both ways.
func TestMetricsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, made []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\S+)` \\| `(\\S+)` \\| (counter|gauge|histogram) \\|").FindAllStringSubmatch(string(page), -1) {
		documented = append(documented, strings.Join(row[1:], " "))
	}
	for _, i := range instruments(t) {
		made = append(made, fmt.Sprintf("%s %s %s", i.Name, i.Family, i.Kind))
	}
	slices.Sort(documented)
	slices.Sort(made)
	if diff := cmp.Diff(made, documented); diff != "" {
		t.Errorf("the table of docs/operations.md is not what the service makes:\n%s", diff)
	}
}

// TestDashboardAndAlertsUseMetricsThatExist also holds for those of the rules'
// tests, and wants every family of our own on the dashboard.
func TestDashboardAndAlertsUseMetricsThatExist(t *testing.T) {
	known := map[string]bool{"up": true, "process_cpu_seconds_total": true, "process_resident_memory_bytes": true}
	var families []string
	for _, i := range instruments(t) {
		families = append(families, i.Family)
		known[i.Family] = i.Kind != "histogram"
		if i.Kind == "histogram" {
			known[i.Family+"_bucket"], known[i.Family+"_sum"], known[i.Family+"_count"] = true, true, true
		}
	}
	rules := textOf(t, "../../deploy/prometheus/alerts.yaml")
	for _, record := range regexp.MustCompile(`record: (\S+)`).FindAllStringSubmatch(rules, -1) {
		known[record[1]] = true
	}
	shown := strings.Join(expressions(t, "../../deploy/grafana/dashboards/hedgehop.json"), "\n")
	used := map[string][]string{
		"the dashboard": metricsOf(shown),
		"the alerts":    metricsOf(strings.Join(regexp.MustCompile(`(?m)^        expr: (?:\|\n((?: {10}.*\n)+)|(.*)$)`).FindAllString(rules, -1), "\n")),
	}
	for where, names := range used {
		if len(names) < 10 {
			t.Errorf("only %q were found in %s", names, where)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s use %s, which the service does not make", where, name)
			}
		}
	}
	for _, family := range families {
		if !strings.HasPrefix(family, "go_") && !strings.Contains(shown, family) {
			t.Errorf("%s is on no panel of the dashboard", family)
		}
	}
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// metricsOf are the names of metrics in PromQL: words that are neither labels nor
// part of the language.
func metricsOf(promQL string) []string {
	for _, other := range []string{
		`(?m)^ *(expr|record|labels): ?\|?`, `"[^"]*"`, `\{[^}]*\}`, `\[[^\]]*\]`, `\b(by|without|on|ignoring|group_left|group_right) ?\([^)]*\)`,
		`\boffset \w+`, `\b[a-z_]+ *\(`, `\b(and|or|unless|bool)\b`, `\b[0-9.]+[a-z]*\b`,
	} {
		promQL = regexp.MustCompile(other).ReplaceAllString(promQL, " ")
	}
	names := regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*`).FindAllString(promQL, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

// panel is the part of a Grafana panel that is checked.
type panel struct {
	ID         int
	Title      string
	Type       string
	Datasource struct{ UID string }
	Targets    []struct{ Expr, RefID string }
	GridPos    struct{ X, Y, W, H int }
}

// expressions are all queries of a dashboard whose panels are well formed.
func expressions(t *testing.T, path string) []string {
	t.Helper()
	var dashboard struct {
		UID, Title string
		Panels     []panel
	}
	if err := json.Unmarshal([]byte(textOf(t, path)), &dashboard); err != nil {
		t.Fatal(err)
	}
	ids := map[int]bool{}
	var all []string
	for _, p := range dashboard.Panels {
		if ids[p.ID] || p.Title == "" || p.GridPos.W == 0 || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %d %q is named twice, or lies outside the grid", p.ID, p.Title)
		}
		ids[p.ID] = true
		if p.Type == "row" {
			continue
		}
		if p.Datasource.UID != "prometheus" || len(p.Targets) == 0 {
			t.Errorf("panel %q asks %q for nothing", p.Title, p.Datasource.UID)
		}
		for _, target := range p.Targets {
			all = append(all, target.Expr)
		}
	}
	if dashboard.UID != "hedgehop" || len(all) < 20 {
		t.Errorf("dashboard %q has %d queries", dashboard.UID, len(all))
	}
	return all
}
