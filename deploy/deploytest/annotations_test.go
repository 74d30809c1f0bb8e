package deploytest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	run "google.golang.org/api/run/v1"
)

// annotation is one key of Cloud Run's: which resource takes it, which values,
// and where that is documented. The API ignores some and refuses others when they
// are misplaced, and decoding cannot tell: to it they are text.
type annotation struct {
	scope   string
	allowed func(value string) bool
	source  string
}

const docs = "https://cloud.google.com/run/docs/"

var annotations = map[string]annotation{
	"run.googleapis.com/description":            {"Service", upTo(512), docs + "reference/rest/v2/projects.locations.services"},
	"run.googleapis.com/ingress":                {"Service", oneOf("all", "internal", "internal-and-cloud-load-balancing"), docs + "securing/ingress"},
	"run.googleapis.com/invoker-iam-disabled":   {"Service", oneOf("true", "false"), docs + "authenticating/public"},
	"run.googleapis.com/minScale":               {"Service", count, docs + "configuring/min-instances"},
	"run.googleapis.com/maxScale":               {"Service", count, docs + "configuring/max-instances"},
	"run.googleapis.com/startup-cpu-boost":      {"Revision", oneOf("true", "false"), docs + "configuring/services/cpu#startup-boost"},
	"run.googleapis.com/cpu-throttling":         {"Revision", oneOf("true", "false"), docs + "configuring/billing-settings"},
	"run.googleapis.com/execution-environment":  {"Revision", oneOf("gen1", "gen2"), docs + "configuring/execution-environments"},
	"run.googleapis.com/network-interfaces":     {"Revision", networks, docs + "configuring/vpc-direct-vpc"},
	"run.googleapis.com/vpc-access-egress":      {"Revision", oneOf("all-traffic", "private-ranges-only"), docs + "configuring/vpc-direct-vpc"},
	"run.googleapis.com/container-dependencies": {"Revision", startOrder, docs + "configuring/services/containers#container-ordering"},
}

// TestAnnotations holds the manifests against the table.
func TestAnnotations(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		checkAnnotations(t, "Service", service.Metadata.Annotations)
		checkAnnotations(t, "Revision", service.Spec.Template.Metadata.Annotations)
	})
}

func checkAnnotations(t *testing.T, scope string, found map[string]string) {
	t.Helper()
	for key, value := range found {
		known, ok := annotations[key]
		switch {
		case !ok:
			t.Errorf("%s: no such annotation in the table", key)
		case known.scope != scope:
			t.Errorf("%s stands on the %s and belongs on the %s: %s", key, scope, known.scope, known.source)
		case !known.allowed(value):
			t.Errorf("%s=%q is not allowed: %s", key, value, known.source)
		}
	}
}

// TestAnnotationScopes holds the table against the API's own list, which Google
// generates into the comment of run.ObjectMeta.Annotations.
func TestAnnotationScopes(t *testing.T) {
	published := publishedScopes(t)
	for key, known := range annotations {
		if !slices.Contains(published[key], known.scope) {
			t.Errorf("%s is said to belong on the %s; the API says %v", key, known.scope, published[key])
		}
	}
}

// publishedScopes reads "`key`: Service, Revision." for every key.
func publishedScopes(t *testing.T) map[string][]string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "google.golang.org/api/run/v1").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "run-gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, comment, _ := strings.Cut(string(source), "type ObjectMeta struct {")
	comment, _, _ = strings.Cut(comment, "Annotations map[string]string")
	comment = regexp.MustCompile(`\s*//\s*`).ReplaceAllString(comment, " ")
	scopes := map[string][]string{}
	for _, m := range regexp.MustCompile("`([a-z.]+/[A-Za-z-]+)`: ([A-Za-z, ]+)").FindAllStringSubmatch(comment, -1) {
		scopes[m[1]] = strings.Split(m[2], ", ")
	}
	if len(scopes) < 30 {
		t.Fatalf("the API's comment lists %d annotations; its form has changed", len(scopes))
	}
	return scopes
}

func oneOf(values ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(values, v) }
}

func upTo(bytes int) func(string) bool {
	return func(v string) bool { return v != "" && len(v) <= bytes }
}

func count(v string) bool {
	n, err := strconv.Atoi(v)
	return err == nil && n >= 0
}

// networks is a list with one network interface.
func networks(v string) bool {
	var all []struct {
		Network, Subnetwork string
		Tags                []string
	}
	return decodes(v, &all) && len(all) == 1 && all[0].Network+all[0].Subnetwork != ""
}

// startOrder maps containers to the ones that they wait for.
func startOrder(v string) bool {
	var all map[string][]string
	return decodes(v, &all) && len(all) > 0
}

func decodes(text string, into any) bool {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into) == nil
}
