package deploytest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	run "google.golang.org/api/run/v1"
	"sigs.k8s.io/yaml"
)

// root is the top of the repository.
const root = "../.."

// manifests are what can be applied to Cloud Run.
var manifests = []string{"cloudrun.yaml", "deploy/production.yaml"}

// eachManifest runs a test for every manifest.
func eachManifest(t *testing.T, test func(t *testing.T, service *run.Service)) {
	t.Helper()
	for _, name := range manifests {
		t.Run(name, func(t *testing.T) { test(t, manifest(t, name)) })
	}
}

// manifest decodes a manifest as the API does, but refuses what the API does not
// know.
func manifest(t *testing.T, name string) *run.Service {
	t.Helper()
	service := new(run.Service)
	if err := strictly(read(t, name), service); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return service
}

// strictly decodes one YAML document. By way of JSON that knows nothing of the
// target, since a number must not pass where the API wants text.
func strictly(text string, into any) error {
	converted, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(converted))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// read is the text of a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ingress is the container that answers requests: the one with a port.
func ingress(t *testing.T, service *run.Service) *run.Container {
	t.Helper()
	var found []*run.Container
	for _, c := range service.Spec.Template.Spec.Containers {
		if len(c.Ports) > 0 {
			found = append(found, c)
		}
	}
	if len(found) != 1 || found[0].Name != "search-api" {
		t.Fatalf("%d containers have a port; want search-api alone", len(found))
	}
	return found[0]
}

// values are the variables of a container that the manifest itself gives a value.
func values(c *run.Container) map[string]string {
	found := map[string]string{}
	for _, variable := range c.Env {
		if variable.ValueFrom == nil {
			found[variable.Name] = variable.Value
		}
	}
	return found
}

// TestStrict shows that the strictness the other tests rest on is there.
func TestStrict(t *testing.T) {
	for name, text := range map[string]string{
		"a misspelt field": "spec: {template: {spec: {containerConcurency: 5}}}",
		"a field twice":    "kind: Service\nkind: Service",
		"a wrong type":     "spec: {template: {spec: {timeoutSeconds: soon}}}",
		"a number as text": `metadata: {annotations: {run.googleapis.com/minScale: 1}}`,
	} {
		if err := strictly(text, new(run.Service)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// TestPlaceholders: deploy.sh fills in these names and no others.
func TestPlaceholders(t *testing.T) {
	for _, name := range manifests {
		text := read(t, name)
		for _, filled := range []string{"${PROJECT}", "${REGION}", "${VERSION}"} {
			if !strings.Contains(text, filled) {
				t.Errorf("%s does not use %s", name, filled)
			}
			text = strings.ReplaceAll(text, filled, "x")
		}
		if _, rest, found := strings.Cut(strings.ReplaceAll(text, "names in ${}", ""), "${"); found {
			t.Errorf("%s: nobody fills in ${%.20s…", name, rest)
		}
	}
}
