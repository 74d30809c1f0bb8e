package deploytest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	run "google.golang.org/api/run/v1"
)

// Prices of Cloud Run, instance-based billing, regions of tier 1 (us-central1,
// europe-west1 and others), in billionths of a US dollar per second, as published
// in 2025: https://cloud.google.com/run/pricing.
const (
	perCPU      = 18_000
	perGibibyte = 2_000
)

// month is 730 hours, as Google's calculator has it.
const month = 730

// peak is the schedule of the deployment page: ten hours on each of 22 working days.
const peak = 10 * 22

// TestCost: the deployment page's figures are those of the manifests.
func TestCost(t *testing.T) {
	page := read(t, "docs/deployment.md")
	sandbox, production := manifest(t, "cloudrun.yaml"), manifest(t, "deploy/production.yaml")
	for _, row := range []string{
		costRow(t, "`cloudrun.yaml`, one instance", sandbox, 1, month),
		costRow(t, "`cloudrun.yaml`, all 4 instances", sandbox, 4, month),
		costRow(t, "`deploy/production.yaml`, one instance", production, 1, month),
		costRow(t, "the four more of the peak schedule", production, 4, peak),
		costRow(t, "the same four around the clock", production, 4, month),
		costRow(t, "all 40 instances", production, 40, month),
	} {
		if !strings.Contains(page, row+"\n") {
			t.Errorf("docs/deployment.md lacks\n%s", row)
		}
	}
}

// costRow is a line of the page's table: what, instance hours, dollars a month.
func costRow(t *testing.T, what string, service *run.Service, instances, hours int64) string {
	t.Helper()
	cents := (second(t, service)*3600*instances*hours + 5_000_000) / 10_000_000
	return fmt.Sprintf("| %s | %d | %d.%02d |", what, instances*hours, cents/100, cents%100)
}

// second is what one instance costs for a second: the limits of all its
// containers, in billionths of a dollar.
func second(t *testing.T, service *run.Service) (nanodollars int64) {
	t.Helper()
	for _, c := range service.Spec.Template.Spec.Containers {
		nanodollars += millicores(t, c.Resources.Limits["cpu"]) * perCPU / 1000
		nanodollars += int64(mebibytes(t, c.Resources.Limits["memory"])) * perGibibyte / 1024
	}
	return nanodollars
}

// millicores reads Kubernetes' cores: 1 or 500m.
func millicores(t *testing.T, quantity string) int64 {
	t.Helper()
	digits, thousandths := strings.CutSuffix(quantity, "m")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if thousandths {
		return n
	}
	return n * 1000
}
