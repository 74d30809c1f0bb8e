package deploytest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	run "google.golang.org/api/run/v1"
)

// TestService is what the design asks of every deployment.
func TestService(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		spec := service.Spec.Template.Spec
		c := ingress(t, service)
		if service.ApiVersion != "serving.knative.dev/v1" || service.Kind != "Service" || service.Metadata.Name != "hedgehop" {
			t.Errorf("it is %s %s %s", service.ApiVersion, service.Kind, service.Metadata.Name)
		}
		if spec.ContainerConcurrency != 5 || values(c)["MAX_CONCURRENT_SEARCHES"] != "5" {
			t.Errorf("Cloud Run sends %d requests at a time and the service admits %q; want 5 and 5",
				spec.ContainerConcurrency, values(c)["MAX_CONCURRENT_SEARCHES"])
		}
		if values(c)["TRUSTED_PROXY_HOPS"] != "1" {
			t.Errorf("TRUSTED_PROXY_HOPS is %q; Cloud Run's front end is one hop", values(c)["TRUSTED_PROXY_HOPS"])
		}
		if c.Resources.Limits["cpu"] != "1" {
			t.Errorf("it has %s CPU; want 1", c.Resources.Limits["cpu"])
		}
		if spec.TimeoutSeconds < 28 || spec.TimeoutSeconds > 60 {
			t.Errorf("a request may take %d s; want SEARCH_TIMEOUT and the server's 20 s for a slow reader at least", spec.TimeoutSeconds)
		}
	})
}

// TestScale: one warm instance, kept by the service and not by the revision.
func TestScale(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		least, _ := strconv.Atoi(service.Metadata.Annotations["run.googleapis.com/minScale"])
		most, _ := strconv.Atoi(service.Metadata.Annotations["run.googleapis.com/maxScale"])
		if least != 1 || most <= least {
			t.Errorf("it runs %d to %d instances; want 1 to more", least, most)
		}
		for key, want := range map[string]string{
			"autoscaling.knative.dev/minScale":     "",
			"autoscaling.knative.dev/maxScale":     "",
			"run.googleapis.com/cpu-throttling":    "false",
			"run.googleapis.com/startup-cpu-boost": "true",
		} {
			if got := service.Spec.Template.Metadata.Annotations[key]; got != want {
				t.Errorf("the revision's %s is %q; want %q", key, got, want)
			}
		}
	})
}

// TestMemory: the Go runtime collects at 90% of what the kernel kills at.
func TestMemory(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		for _, c := range service.Spec.Template.Spec.Containers {
			limit := mebibytes(t, c.Resources.Limits["memory"])
			soft := mebibytes(t, strings.TrimSuffix(values(c)["GOMEMLIMIT"], "B"))
			if soft != limit*9/10 {
				t.Errorf("%s: GOMEMLIMIT is %d MiB of %d; want %d", c.Name, soft, limit, limit*9/10)
			}
		}
	})
}

// mebibytes reads Kubernetes' Mi and Gi.
func mebibytes(t *testing.T, quantity string) int {
	t.Helper()
	for unit, factor := range map[string]int{"Mi": 1, "Gi": 1024} {
		if digits, ok := strings.CutSuffix(quantity, unit); ok {
			n, err := strconv.Atoi(digits)
			if err != nil {
				t.Fatal(err)
			}
			return n * factor
		}
	}
	t.Fatalf("%q is no quantity in Mi or Gi", quantity)
	return 0
}

// TestProbes: started is ready, alive depends on nothing outside.
func TestProbes(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		c := ingress(t, service)
		port := c.Ports[0].ContainerPort
		probe(t, "startup", c.StartupProbe, "/health/ready", port)
		probe(t, "liveness", c.LivenessProbe, "/health/live", port)
	})
}

// probe also checks the bounds that the API states: the timeout within the
// period, 240 s for a start.
func probe(t *testing.T, name string, p *run.Probe, path string, port int64) {
	t.Helper()
	switch {
	case p == nil || p.HttpGet == nil:
		t.Errorf("no %s probe asks by HTTP", name)
	case p.HttpGet.Path != path || p.HttpGet.Port != port:
		t.Errorf("the %s probe asks :%d%s; want :%d%s", name, p.HttpGet.Port, p.HttpGet.Path, port, path)
	case p.TimeoutSeconds < 1 || p.TimeoutSeconds > p.PeriodSeconds || p.FailureThreshold < 1 || p.PeriodSeconds*p.FailureThreshold > 240:
		t.Errorf("the %s probe's times are out of bounds: %+v", name, *p)
	}
}

// TestDependencies: what a container waits for exists and can be waited for.
func TestDependencies(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		startable := map[string]bool{}
		for _, c := range service.Spec.Template.Spec.Containers {
			startable[c.Name] = c.StartupProbe != nil
		}
		for waiting, others := range dependencies(t, service) {
			for _, name := range append(others, waiting) {
				if !startable[name] {
					t.Errorf("%s waits for %v: %s is no container with a startup probe", waiting, others, name)
				}
			}
		}
		if n := len(startable); n > 1 && len(dependencies(t, service)) == 0 {
			t.Errorf("%d containers start in any order", n)
		}
	})
}

func dependencies(t *testing.T, service *run.Service) (all map[string][]string) {
	t.Helper()
	text := service.Spec.Template.Metadata.Annotations["run.googleapis.com/container-dependencies"]
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMounts: every mount has its volume and every volume is mounted.
func TestMounts(t *testing.T) {
	eachManifest(t, func(t *testing.T, service *run.Service) {
		var volumes, mounts []string
		for _, v := range service.Spec.Template.Spec.Volumes {
			volumes = append(volumes, v.Name)
		}
		for _, c := range service.Spec.Template.Spec.Containers {
			for _, m := range c.VolumeMounts {
				mounts = append(mounts, m.Name)
			}
		}
		if slices.Sort(volumes); !slices.Equal(volumes, slices.Sorted(slices.Values(mounts))) {
			t.Errorf("volumes %v, mounts %v", volumes, mounts)
		}
	})
}
