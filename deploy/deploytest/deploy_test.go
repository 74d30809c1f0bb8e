package deploytest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	run "google.golang.org/api/run/v1"
)

// Stand-ins for the tools that deploy.sh calls: they write down how they were
// called, docker also which password it was given, and gcloud keeps the manifest.
const (
	recorder = "#!/bin/bash\necho \"${0##*/} $*\" >>\"$CALLS\"\n"
	docker   = recorder + `[[ $1 != login ]] || sed 's/^/password /' >>"$CALLS"
`
	gcloud = recorder + `case "$*" in
  *access-token*) echo a-token ;;
  *describe*) exit 1 ;;
  *"services replace"*) cp "$4" "$CALLS.manifest" ;;
esac
`
)

// deploy runs deploy.sh with stand-in tools and answers its output, the calls it
// made and the manifest that it applied.
func deploy(t *testing.T, env ...string) (output string, calls []string, applied string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range map[string]string{"gcloud": gcloud, "docker": docker} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	record := filepath.Join(dir, "calls")
	command := exec.CommandContext(t.Context(), filepath.Join(root, "deploy/deploy.sh"))
	command.Env = append([]string{"PATH=" + dir + ":/usr/local/bin:/usr/bin:/bin", "CALLS=" + record}, env...)
	said, err := command.CombinedOutput()
	text, _ := os.ReadFile(record) // Absent where nothing was called.
	manifest, _ := os.ReadFile(record + ".manifest")
	return string(said), strings.Split(strings.TrimSpace(string(text)), "\n"), string(manifest), err
}

// TestDeploy: one command goes from the source to the running service.
func TestDeploy(t *testing.T) {
	for _, name := range manifests {
		t.Run(name, func(t *testing.T) {
			output, calls, applied, err := deploy(t, "PROJECT=my-project", "REGION=europe-west1", "VERSION=v1.2.3", "MANIFEST="+name)
			if err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			calls[len(calls)-1], _, _ = strings.Cut(calls[len(calls)-1], "/tmp")
			const image = "europe-west1-docker.pkg.dev/my-project/hedgehop/search-api:v1.2.3"
			want := []string{
				"docker info",
				"docker info",
				"docker build --build-arg VERSION=v1.2.3 -t " + image + " --platform linux/amd64 .",
				"gcloud services enable run.googleapis.com artifactregistry.googleapis.com --project my-project",
				"gcloud artifacts repositories describe hedgehop --project my-project --location europe-west1",
				"gcloud artifacts repositories create hedgehop --project my-project --location europe-west1 --repository-format docker",
				"gcloud auth print-access-token",
				"docker login --username oauth2accesstoken --password-stdin europe-west1-docker.pkg.dev",
				"password a-token",
				"docker push " + image,
				"gcloud run services replace ",
			}
			if diff := cmp.Diff(want, calls); diff != "" {
				t.Error(diff)
			}
			service := new(run.Service)
			if err := strictly(applied, service); err != nil {
				t.Fatal(err)
			}
			if got := ingress(t, service).Image; got != image || strings.Contains(applied, "${P") {
				t.Errorf("it runs %s:\n%s", got, applied)
			}
		})
	}
}

// TestDeployRefuses: every unusable variable is named with its fix, and nothing is
// called.
func TestDeployRefuses(t *testing.T) {
	output, calls, _, err := deploy(t, "PROJECT=My Project", "REGION=Berlin", "VERSION=a/b", "MANIFEST=nowhere.yaml")
	if err == nil || calls[0] != "" {
		t.Errorf("it went on: %v", calls)
	}
	for _, fault := range []string{"PROJECT=My Project: use", "REGION=Berlin: use", "VERSION=a/b: use", "MANIFEST=nowhere.yaml: use"} {
		if !strings.Contains(output, fault) {
			t.Errorf("nothing is said of %s:\n%s", fault, output)
		}
	}
	if output, _, _, err := deploy(t); err == nil || !strings.Contains(output, "PROJECT=: use a project id") {
		t.Errorf("without PROJECT it says: %s", output)
	}
}
