package deploytest

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// collectorConfig is the form of https://opentelemetry.io/docs/collector/configuration/,
// the receiver's and the extension's fields as far as used here.
type collectorConfig struct {
	Receivers struct {
		OTLP struct {
			Protocols struct {
				HTTP struct {
					Endpoint string `json:"endpoint"`
				} `json:"http"`
			} `json:"protocols"`
		} `json:"otlp"`
	} `json:"receivers"`
	Processors map[string]any `json:"processors"`
	Exporters  map[string]any `json:"exporters"`
	Extensions struct {
		HealthCheck struct {
			Endpoint string `json:"endpoint"`
		} `json:"health_check"`
	} `json:"extensions"`
	Service struct {
		Extensions []string            `json:"extensions"`
		Pipelines  map[string]pipeline `json:"pipelines"`
	} `json:"service"`
}

type pipeline struct {
	Receivers  []string `json:"receivers"`
	Processors []string `json:"processors"`
	Exporters  []string `json:"exporters"`
}

// TestCollector: the service sends where the collector listens, the probe asks
// where it answers, and its configuration is where it looks.
func TestCollector(t *testing.T) {
	var config collectorConfig
	if err := strictly(read(t, "deploy/collector.yaml"), &config); err != nil {
		t.Fatal(err)
	}
	service := manifest(t, "deploy/production.yaml")
	collector := service.Spec.Template.Spec.Containers[1]
	sent, err := url.Parse(values(ingress(t, service))["OTEL_EXPORTER_OTLP_ENDPOINT"])
	if err != nil || sent.Host != config.Receivers.OTLP.Protocols.HTTP.Endpoint {
		t.Errorf("the service sends to %v and the collector listens on %s", sent, config.Receivers.OTLP.Protocols.HTTP.Endpoint)
	}
	if asked := fmt.Sprintf("0.0.0.0:%d", collector.StartupProbe.HttpGet.Port); asked != config.Extensions.HealthCheck.Endpoint ||
		!slices.Equal(config.Service.Extensions, []string{"health_check"}) {
		t.Errorf("the probe asks %s and %v answers on %s", asked, config.Service.Extensions, config.Extensions.HealthCheck.Endpoint)
	}
	mounted := path.Join(collector.VolumeMounts[0].MountPath, service.Spec.Template.Spec.Volumes[0].Secret.Items[0].Path)
	if want := []string{"--config=" + mounted}; !slices.Equal(collector.Args, want) {
		t.Errorf("it is started with %v; want %v", collector.Args, want)
	}
}

// TestCollectorPipelines: traces and metrics each go through what is defined, and
// are refused before memory runs out.
func TestCollectorPipelines(t *testing.T) {
	var config collectorConfig
	if err := strictly(read(t, "deploy/collector.yaml"), &config); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []string{"traces", "metrics"} {
		p := config.Service.Pipelines[signal]
		if !slices.Equal(p.Receivers, []string{"otlp"}) || len(p.Exporters) != 1 {
			t.Errorf("%s go from %v to %v", signal, p.Receivers, p.Exporters)
		}
		if len(p.Processors) == 0 || p.Processors[0] != "memory_limiter" {
			t.Errorf("%s do not meet memory_limiter first: %v", signal, p.Processors)
		}
		for _, name := range p.Processors {
			if _, defined := config.Processors[name]; !defined {
				t.Errorf("%s: no processor %s", signal, name)
			}
		}
		for _, name := range p.Exporters {
			if _, defined := config.Exporters[name]; !defined {
				t.Errorf("%s: no exporter %s", signal, name)
			}
		}
	}
}

// TestCompiler: the image is built by the Go version that go.mod asks for; an older
// one would try to download it.
func TestCompiler(t *testing.T) {
	asked := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))
	if len(asked) != 2 || !strings.Contains(read(t, "Dockerfile"), "golang:"+asked[1]+"-") {
		t.Errorf("go.mod asks for %v; the Dockerfile's BUILD_IMAGE is another", asked)
	}
}
