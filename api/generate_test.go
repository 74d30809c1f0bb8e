package api_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGeneratedCodeIsCurrent fails where openapi.yaml was edited and go generate
// was not run, or generated code was edited by hand.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	t.Parallel()
	for config, committed := range map[string]string{
		"models.yaml": "models.gen.go",
		"client.yaml": "client/client.gen.go",
	} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			var complaints bytes.Buffer
			generate := exec.CommandContext(t.Context(), "go", "tool", "-modfile=../tools/go.mod",
				"oapi-codegen", "-config", config, "openapi.yaml")
			generate.Stderr = &complaints
			fresh, err := generate.Output()
			if err != nil {
				t.Fatalf("oapi-codegen: %v\n%s", err, &complaints)
			}
			if diff := cmp.Diff(string(fresh), read(t, committed)); diff != "" {
				t.Errorf("%s is not what openapi.yaml says; run go generate ./api (-generated +committed):\n%s", committed, diff)
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
