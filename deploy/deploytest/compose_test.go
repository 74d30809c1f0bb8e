package deploytest

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// project is compose.yaml, held against Compose's schema and its own references.
func project(t *testing.T) *types.Project {
	t.Helper()
	config := types.ConfigDetails{
		WorkingDir:  filepath.Clean(root),
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: []byte(read(t, "compose.yaml"))}},
	}
	loaded, err := loader.LoadWithContext(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestComposeReaches: every address that names a service names one that is there,
// on the port where it listens.
func TestComposeReaches(t *testing.T) {
	listening := map[string]string{"search-api": "8080", "fare-sandbox": "9090", "redis": "6379", "prometheus": "9090", "grafana": "3000"}
	loaded := project(t)
	for name, port := range listening {
		published := loaded.Services[name].Ports
		if len(published) != 1 || strconv.Itoa(int(published[0].Target)) != port {
			t.Errorf("%s publishes %v; want port %s", name, published, port)
		}
	}
	for _, address := range composeAddresses(t, loaded) {
		host, port, err := net.SplitHostPort(address)
		if err != nil || listening[host] != port {
			t.Errorf("nobody listens on %s", address)
		}
	}
}

// composeAddresses are the host:port of every address that one service is given of
// another.
func composeAddresses(t *testing.T, loaded *types.Project) []string {
	t.Helper()
	var all []string
	for _, value := range loaded.Services["search-api"].Environment {
		if _, rest, ok := strings.Cut(*value, "://"); ok {
			address, _, _ := strings.Cut(rest, "/")
			all = append(all, address)
		}
	}
	if len(all) != 4 {
		t.Errorf("the service is given %v; want Redis and three providers", all)
	}
	for _, source := range datasources(t).Datasources {
		all = append(all, strings.TrimPrefix(source.URL, "http://"))
	}
	for _, job := range prometheus(t).ScrapeConfigs {
		for _, group := range job.StaticConfigs {
			all = append(all, group.Targets...)
		}
	}
	return all
}

// TestComposeStaysHome: a laptop in a café offers its demo to nobody else.
func TestComposeStaysHome(t *testing.T) {
	for name, service := range project(t).Services {
		for _, port := range service.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s listens on %q", name, port.HostIP)
			}
		}
	}
}

// TestComposeTargets: the images are stages of the Dockerfile, and run with as
// little as they are tested with.
func TestComposeTargets(t *testing.T) {
	dockerfile := read(t, "Dockerfile")
	for _, name := range []string{"search-api", "fare-sandbox"} {
		service := project(t).Services[name]
		if !strings.Contains(dockerfile, " AS "+service.Build.Target+"\n") {
			t.Errorf("%s: the Dockerfile has no stage %s", name, service.Build.Target)
		}
		if !service.ReadOnly || !slices.Contains(service.CapDrop, "ALL") {
			t.Errorf("%s may write files or has capabilities", name)
		}
	}
}

// TestComposeMounts: what is mounted is in the repository.
func TestComposeMounts(t *testing.T) {
	for name, service := range project(t).Services {
		for _, volume := range service.Volumes {
			if _, err := os.Stat(volume.Source); err != nil || !volume.ReadOnly {
				t.Errorf("%s: %s is missing or may be written", name, volume.Source)
			}
		}
	}
}

// prometheusConfig is the part of Prometheus' configuration that is used here:
// https://prometheus.io/docs/prometheus/latest/configuration/configuration/.
type prometheusConfig struct {
	Global        map[string]string `json:"global"`
	RuleFiles     []string          `json:"rule_files"`
	ScrapeConfigs []struct {
		JobName       string `json:"job_name"`
		MetricsPath   string `json:"metrics_path"`
		StaticConfigs []struct {
			Targets []string `json:"targets"`
		} `json:"static_configs"`
	} `json:"scrape_configs"`
}

func prometheus(t *testing.T) (config prometheusConfig) {
	t.Helper()
	if err := strictly(read(t, "deploy/prometheus/prometheus.yml"), &config); err != nil {
		t.Fatal(err)
	}
	return config
}

// grafanaDatasources is https://grafana.com/docs/grafana/latest/administration/provisioning/#data-sources.
type grafanaDatasources struct {
	APIVersion  int `json:"apiVersion"`
	Datasources []struct {
		Name, UID, Type, Access, URL string
		IsDefault, Editable          bool
		JSONData                     map[string]string
	} `json:"datasources"`
}

func datasources(t *testing.T) (config grafanaDatasources) {
	t.Helper()
	if err := strictly(read(t, "deploy/grafana/provisioning/datasources/prometheus.yaml"), &config); err != nil {
		t.Fatal(err)
	}
	return config
}

// TestPrometheusRules: the rules are where Prometheus looks for them.
func TestPrometheusRules(t *testing.T) {
	config := prometheus(t)
	if len(config.RuleFiles) == 0 {
		t.Error("Prometheus evaluates no rules")
	}
	for _, name := range config.RuleFiles {
		read(t, filepath.Join("deploy/prometheus", name))
	}
}

// TestGrafanaPaths: the dashboards lie where Grafana is told to look, in the
// container and here.
func TestGrafanaPaths(t *testing.T) {
	grafana := project(t).Services["grafana"]
	home := *grafana.Environment["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
	i := slices.IndexFunc(grafana.Volumes, func(v types.ServiceVolumeConfig) bool { return v.Target == filepath.Dir(home) })
	if i < 0 {
		t.Fatalf("nothing is mounted at %s", filepath.Dir(home))
	}
	if _, err := os.Stat(filepath.Join(grafana.Volumes[i].Source, filepath.Base(home))); err != nil {
		t.Error(err)
	}
	if !strings.Contains(read(t, "deploy/grafana/provisioning/dashboards/hedgehop.yaml"), "path: "+filepath.Dir(home)+"\n") {
		t.Errorf("the dashboards' provider does not read %s", filepath.Dir(home))
	}
}
