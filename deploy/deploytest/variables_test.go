package deploytest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	run "google.golang.org/api/run/v1"
)

// foreign are variables that a manifest may set though the service does not read
// them itself: who does is documented there.
var foreign = map[string]string{
	"GOMEMLIMIT": "https://pkg.go.dev/runtime#hdr-Environment_Variables",
}

// documented are the variables of the configuration page, and the foreign ones.
func documented(t *testing.T) func(name string) bool {
	t.Helper()
	page := read(t, "docs/configuration.md")
	var names []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z0-9_]+)` \\|").FindAllStringSubmatch(page, -1) {
		names = append(names, m[1])
	}
	if len(names) < 20 {
		t.Fatalf("docs/configuration.md lists %d variables; its form has changed", len(names))
	}
	return func(name string) bool {
		return slices.Contains(names, name) || foreign[name] != ""
	}
}

// TestVariables: a misspelt variable is ignored in silence by whoever should have
// read it, so every name set anywhere is one of the configuration page.
func TestVariables(t *testing.T) {
	known := documented(t)
	eachManifest(t, func(t *testing.T, service *run.Service) {
		for _, c := range service.Spec.Template.Spec.Containers {
			seen := map[string]bool{}
			for _, variable := range c.Env {
				if !known(variable.Name) {
					t.Errorf("%s: docs/configuration.md has no %s", c.Name, variable.Name)
				}
				if seen[variable.Name] {
					t.Errorf("%s: %s is set twice", c.Name, variable.Name)
				}
				seen[variable.Name] = true
			}
		}
	})
	t.Run("compose.yaml", func(t *testing.T) {
		for name := range project(t).Services["search-api"].Environment {
			if !known(name) {
				t.Errorf("docs/configuration.md has no %s", name)
			}
		}
	})
}

// TestSandboxNeedsNothing: the demo has no secret and no neighbour.
func TestSandboxNeedsNothing(t *testing.T) {
	service := manifest(t, "cloudrun.yaml")
	c := ingress(t, service)
	if n := len(service.Spec.Template.Spec.Containers); n != 1 || len(service.Spec.Template.Spec.Volumes) != 0 {
		t.Errorf("it has %d containers and %d volumes; want one container", n, len(service.Spec.Template.Spec.Volumes))
	}
	for _, variable := range c.Env {
		if variable.ValueFrom != nil || strings.HasSuffix(variable.Name, "_URL") {
			t.Errorf("it needs %s", variable.Name)
		}
	}
}

// TestProductionIsWhole: what makes a deployment production.
func TestProductionIsWhole(t *testing.T) {
	service := manifest(t, "deploy/production.yaml")
	c := ingress(t, service)
	secret := []string{"API_KEYS", "DUFFEL_ACCESS_TOKEN", "AMADEUS_CLIENT_ID", "AMADEUS_CLIENT_SECRET", "SKYSCANNER_API_KEY", "REDIS_URL"}
	for _, name := range secret {
		if i := slices.IndexFunc(c.Env, func(v *run.EnvVar) bool { return v.Name == name }); i < 0 || c.Env[i].ValueFrom == nil || c.Env[i].Value != "" {
			t.Errorf("%s does not come from Secret Manager", name)
		}
	}
	for _, name := range []string{"EVENTS_OIDC_AUDIENCE", "EVENTS_OIDC_EMAIL", "OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT"} {
		if values(c)[name] == "" {
			t.Errorf("%s is not set", name)
		}
	}
	for _, name := range []string{"ALLOW_ANONYMOUS", "SANDBOX_CONTROL", "EVENTS_TOKEN"} {
		if _, set := values(c)[name]; set {
			t.Errorf("%s has no place in production", name)
		}
	}
	if service.Spec.Template.Spec.ServiceAccountName == "" {
		t.Error("it runs as the project's default service account")
	}
}

// TestSecretsAreExplained: every secret that a manifest needs is created, and
// readable to the service account, by a command of the deployment page.
func TestSecretsAreExplained(t *testing.T) {
	page := read(t, "docs/deployment.md")
	for _, secret := range secrets(manifest(t, "deploy/production.yaml")) {
		if !regexp.MustCompile(`\b` + secret + `(\s|$)`).MatchString(page) {
			t.Errorf("docs/deployment.md does not say how to make %s", secret)
		}
	}
}

// secrets are the names in Secret Manager that a manifest needs.
func secrets(service *run.Service) []string {
	var names []string
	for _, c := range service.Spec.Template.Spec.Containers {
		for _, variable := range c.Env {
			if variable.ValueFrom != nil && variable.ValueFrom.SecretKeyRef != nil {
				names = append(names, variable.ValueFrom.SecretKeyRef.Name)
			}
		}
	}
	for _, v := range service.Spec.Template.Spec.Volumes {
		if v.Secret != nil {
			names = append(names, v.Secret.SecretName)
		}
	}
	return names
}

// TestNoLatest: what is deployed is named by its version, so that the same
// manifest means the same tomorrow.
func TestNoLatest(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		for _, c := range service.Spec.Template.Spec.Containers {
			named(t, c.Image)
			for _, variable := range c.Env {
				if variable.ValueFrom != nil && variable.ValueFrom.SecretKeyRef.Key == "latest" {
					t.Errorf("%s is whatever version is newest", variable.Name)
				}
			}
		}
	})
	for _, s := range project(t).Services {
		named(t, s.Image)
	}
}

func named(t *testing.T, image string) {
	t.Helper()
	name := image[strings.LastIndex(image, "/")+1:]
	if _, tag, ok := strings.Cut(name, ":"); !ok || tag == "latest" {
		t.Errorf("%s has no version", image)
	}
}
