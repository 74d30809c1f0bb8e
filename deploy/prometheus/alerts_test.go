// Package prometheus_test evaluates the alert rules and holds each to its page.
package prometheus_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// promtool is on the path, or where make put it.
func promtool(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("promtool"); err == nil {
		return path
	}
	path, err := filepath.Abs("../../bin/promtool")
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatal("promtool is missing; make test-needs fetches it")
	}
	return path
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"check", "rules", "alerts.yaml"},
		{"test", "rules", "alerts_test.yaml", "alerts_days_test.yaml"},
	} {
		if out, err := exec.CommandContext(t.Context(), promtool(t), args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// rule is the part of a rule that its page and its test must match.
type rule struct {
	Alert       string            `yaml:"alert"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func alerts(t *testing.T) []rule {
	t.Helper()
	text, err := os.ReadFile("alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []rule `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var all []rule
	for _, group := range file.Groups {
		for _, r := range group.Rules {
			if r.Alert != "" {
				all = append(all, r)
			}
		}
	}
	return all
}

func TestEveryAlertHasItsPageAndItsTests(t *testing.T) {
	t.Parallel()
	var names []string
	tests := tested(t)
	for _, alert := range alerts(t) {
		names = append(names, alert.Alert)
		if want := "https://github.com/hedgehop/hedgehop/blob/main/docs/alerts/" + alert.Alert + ".md"; alert.Annotations["runbook_url"] != want {
			t.Errorf("%s leads to %q, want %q", alert.Alert, alert.Annotations["runbook_url"], want)
		}
		if !slices.Contains([]string{"page", "ticket"}, alert.Labels["severity"]) || alert.Annotations["summary"] == "" {
			t.Errorf("%s has severity %q and summary %q", alert.Alert, alert.Labels["severity"], alert.Annotations["summary"])
		}
		if !tests[alert.Alert].fires || !tests[alert.Alert].quiet {
			t.Errorf("%s is tested for %+v, want both", alert.Alert, tests[alert.Alert])
		}
		checkPage(t, alert.Alert)
	}
	pages, err := filepath.Glob("../../docs/alerts/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var described []string
	for _, page := range pages {
		described = append(described, strings.TrimSuffix(filepath.Base(page), ".md"))
	}
	slices.Sort(names)
	if diff := cmp.Diff(names, described); diff != "" {
		t.Errorf("alerts and pages differ: %s", diff)
	}
}

// coverage says what the tests of an alert expect of it.
type coverage struct{ fires, quiet bool }

func tested(t *testing.T) map[string]coverage {
	t.Helper()
	all := map[string]coverage{}
	for _, path := range []string{"alerts_test.yaml", "alerts_days_test.yaml"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Tests []struct {
				Alerts []struct {
					Name     string `yaml:"alertname"`
					Expected []any  `yaml:"exp_alerts"`
				} `yaml:"alert_rule_test"`
			} `yaml:"tests"`
		}
		if err := yaml.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, test := range file.Tests {
			for _, alert := range test.Alerts {
				c := all[alert.Name]
				if len(alert.Expected) > 0 {
					c.fires = true
				} else {
					c.quiet = true
				}
				all[alert.Name] = c
			}
		}
	}
	return all
}

// checkPage wants the three questions of somebody who was woken answered.
func checkPage(t *testing.T, name string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("../../docs/alerts", name+".md"))
	if err != nil {
		t.Error(err)
		return
	}
	headings := regexp.MustCompile(`(?m)^#+ .+$`).FindAllString(string(page), -1)
	want := []string{"# " + name, "## What it means", "## Look first", "## What helps"}
	if diff := cmp.Diff(want, headings); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}
