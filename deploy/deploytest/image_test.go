//go:build image

package deploytest

import (
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxImage is the promise of 30 MB, less what the real base has and the stand-in
// has not (zone files, a few more of /etc).
const maxImage = 28_000_000

// version is what the image under test is said to be.
const version = "v0.0.0-image-test"

// TestImage builds the image and looks into it, then runs it.
func TestImage(t *testing.T) {
	b := newBuildah(t)
	b.standIns(t)
	b.build(t, "search-api")
	image := b.mount(t, "search-api")
	t.Run("configuration", func(t *testing.T) { checkConfiguration(t, image) })
	t.Run("files", func(t *testing.T) { checkFiles(t, image) })
	t.Run("binary", func(t *testing.T) { checkBinary(t, image) })
	t.Run("cloudrun.yaml", func(t *testing.T) {
		runsAndSearches(t, image, values(ingress(t, manifest(t, "cloudrun.yaml"))))
	})
	t.Run("deploy/production.yaml", func(t *testing.T) { runs(t, image, productionValues(t)) })
}

// TestSandboxImage builds the second target and runs it.
func TestSandboxImage(t *testing.T) {
	b := newBuildah(t)
	b.standIns(t)
	b.build(t, "fare-sandbox")
	image := b.mount(t, "fare-sandbox")
	p := start(t, image, map[string]string{"LOG_FORMAT": "json"})
	var stats map[string]int
	p.get(t, "/stats", &stats)
	if len(stats) != 3 {
		t.Errorf("it counts %v; want three providers", stats)
	}
	p.stop(t)
}

// productionValues are those of the manifest, its secrets replaced by words that
// open nothing and its neighbours by addresses where nobody listens. The service
// must start all the same.
func productionValues(t *testing.T) map[string]string {
	t.Helper()
	c := ingress(t, manifest(t, "deploy/production.yaml"))
	found := values(c)
	for _, variable := range c.Env {
		if variable.ValueFrom != nil {
			found[variable.Name] = "not-a-secret"
		}
	}
	found["REDIS_URL"] = "redis://:not-a-secret@127.0.0.1:1"
	found["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://127.0.0.1:1"
	found["EXCHANGE_RATES_URL"] = "http://127.0.0.1:1/"
	return found
}

func checkConfiguration(t *testing.T, image image) {
	if image.User != "65532:65532" {
		t.Errorf("it runs as %q; want 65532:65532", image.User)
	}
	if len(image.Entrypoint) != 1 || image.Entrypoint[0] != "/search-api" || len(image.Cmd) != 0 {
		t.Errorf("it runs %v %v; want /search-api", image.Entrypoint, image.Cmd)
	}
	if got := image.Labels["org.opencontainers.image.version"]; got != version {
		t.Errorf("its label says version %q; want %q", got, version)
	}
	if want := "OTEL_RESOURCE_ATTRIBUTES=service.version=" + version; !strings.Contains(strings.Join(image.Env, "\n"), want) {
		t.Errorf("its environment %v lacks %s", image.Env, want)
	}
}

// checkFiles: the binary is all that the build adds, and it fits.
func checkFiles(t *testing.T, image image) {
	var size int64
	err := filepath.WalkDir(image.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		if name := strings.TrimPrefix(path, image.root); info.Mode().Perm()&0o111 != 0 && name != "/search-api" {
			t.Errorf("it can also run %s", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the image holds %.1f MB", float64(size)/1e6)
	if size > maxImage {
		t.Errorf("the image holds %d bytes; want %d at most", size, maxImage)
	}
}

// checkBinary: static, the same wherever it is built, and it knows its version.
func checkBinary(t *testing.T, image image) {
	path := filepath.Join(image.root, "search-api")
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
			t.Errorf("it needs a loader: %v", part.Type)
		}
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["-trimpath"] != "true" || settings["CGO_ENABLED"] != "0" {
		t.Errorf("it was built with %v", settings)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "Go\x00\x00"+version) {
		t.Errorf("its build id is not %s (%v)", version, err)
	}
}

func runs(t *testing.T, image image, env map[string]string) {
	p := start(t, image, env)
	p.get(t, "/health/ready", nil)
	p.stop(t)
}

func runsAndSearches(t *testing.T, image image, env map[string]string) {
	p := start(t, image, env)
	p.unprivileged(t)
	var ready struct{ Status string }
	p.get(t, "/health/ready", &ready)
	if ready.Status != "ready" {
		t.Errorf("ready says %q", ready.Status)
	}
	searches(t, p)
	p.stop(t)
}

// answer is the part of a search's answer that is looked at.
type answer struct {
	Complete    bool
	Itineraries []struct {
		Slices []struct {
			DepartureAt string `json:"departure_at"`
		}
		Offers []struct{ Sandbox bool }
	}
}

// searches asks for a day in January, when New York is five hours behind: only
// zone data inside the binary can tell, since the image has no other.
func searches(t *testing.T, p *process) {
	var found answer
	p.get(t, "/v1/flights/search?origin=JFK&destination=LHR&departure_date="+nextJanuary(), &found)
	if !found.Complete || len(found.Itineraries) == 0 {
		text, _ := json.Marshal(found)
		t.Fatalf("the search found %s", text)
	}
	first := found.Itineraries[0]
	if !strings.HasSuffix(first.Slices[0].DepartureAt, "-05:00") || !first.Offers[0].Sandbox {
		t.Errorf("the first itinerary is %+v; want a departure at -05:00 and a sandbox offer", first)
	}
}
