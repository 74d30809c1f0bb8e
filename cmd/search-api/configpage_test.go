package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/configuration.md anew")

const configurationPage = "../../docs/configuration.md"

// TestConfigurationPage writes the reference of all variables from the tags of
// Config and compares it with the page: `make config-docs` updates that.
func TestConfigurationPage(t *testing.T) {
	page := renderConfiguration(t)
	if *update {
		if err := os.WriteFile(configurationPage, page, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(configurationPage)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), string(page)); diff != "" {
		t.Errorf("docs/configuration.md is not what the tags say; run make config-docs:\n%s", diff)
	}
}

func renderConfiguration(t *testing.T) []byte {
	t.Helper()
	var page bytes.Buffer
	page.WriteString("# Configuration\n\nMade from the tags of `Config` in cmd/search-api/config.go by `make config-docs`; do not edit.\n" +
		"All variables are optional. A value that cannot be used stops the start with one line for each fault.\n")
	seen := map[string]bool{}
	config := reflect.TypeFor[Config]()
	for group := range config.Fields() {
		fmt.Fprintf(&page, "\n## %s\n\n| variable | default | allowed | meaning |\n| --- | --- | --- | --- |\n", group.Name)
		for field := range group.Type.Fields() {
			name := variable(field)
			if seen[name] || field.Tag.Get("allowed") == "" || field.Tag.Get("about") == "" {
				t.Errorf("%s is bound twice or does not say what is allowed and what it is about", name)
			}
			seen[name] = true
			_, value, _ := strings.Cut(field.Tag.Get("env"), "default=")
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", name, shownDefault(value), field.Tag.Get("allowed"), field.Tag.Get("about"))
		}
	}
	return page.Bytes()
}

func shownDefault(value string) string {
	if value == "" {
		return "empty"
	}
	return "`" + value + "`"
}
