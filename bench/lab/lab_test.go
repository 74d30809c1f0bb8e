package lab_test

import (
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/lab"
)

// virtual is a laboratory in virtual time, of short runs.
func virtual(t *testing.T) *lab.Lab {
	return &lab.Lab{
		Rounds: 2, Span: 4 * time.Second, Seed: 1, Virtual: true, Progress: io.Discard, Providers: lab.Virtual,
		Enclose: func(f func()) { synctest.Test(t, func(*testing.T) { f() }) },
	}
}

func workload(t *testing.T, name string) lab.Workload {
	t.Helper()
	for _, w := range lab.Matrix() {
		if w.Name == name {
			return w
		}
	}
	t.Fatalf("no workload %s", name)
	return lab.Workload{}
}

func rows(r lab.WindowResult) map[string]lab.Figures {
	all := map[string]lab.Figures{}
	for _, row := range r.Rows {
		all[row.Contender] = row.Figures
	}
	return all
}

// Measured without hedging, the law must come out as it is, and requests as many
// as calls.
func TestUnhedgedFollowsTheLaw(t *testing.T) {
	for _, name := range []string{"closed-50", "fanout-3"} {
		r, err := virtual(t).Run(workload(t, name))
		if err != nil {
			t.Fatal(err)
		}
		got, want := rows(r.Windows[0])["no hedging"], r.Windows[0].Limit.Unhedged
		if got.Requests.Median != 1 || got.Failed != 0 {
			t.Errorf("%s: %v requests per call, %d failed", name, got.Requests, got.Failed)
		}
		for i := range want {
			if math.Abs(got.Tail[i].Median-want[i]) > 0.1*want[i] {
				t.Errorf("%s: quantile %v = %.0f ms measured, %.0f by the law", name, lab.Quantiles[i], got.Tail[i].Median, want[i])
			}
		}
	}
}

// Nobody who keeps within the allowance passes the limit by more than chance.
func TestNobodyPassesTheLimit(t *testing.T) {
	r, err := virtual(t).Run(workload(t, "closed-50"))
	if err != nil {
		t.Fatal(err)
	}
	limit := r.Windows[0].Limit.Best
	for name, f := range rows(r.Windows[0]) {
		if f.Tail[1].Median < 0.96*limit[1] {
			t.Errorf("%s: p95 %.1f ms is below the limit of %.1f", name, f.Tail[1].Median, limit[1])
		}
	}
	product := rows(r.Windows[0])[contender.Product]
	if product.Tail[1].Median > 1.1*limit[1] || product.Requests.Median > 1.13 {
		t.Errorf("the product: p95 %.1f ms with %.3f requests, limit %.1f", product.Tail[1].Median, product.Requests.Median, limit[1])
	}
}

// A brown-out is measured apart, requests as well as searches.
func TestWindows(t *testing.T) {
	w := workload(t, "brownout-50")
	r, err := virtual(t).Run(w)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Windows) != 2 {
		t.Fatalf("%d windows", len(r.Windows))
	}
	during, later := rows(r.Windows[0]), rows(r.Windows[1])
	if f := during["no hedging"]; f.Tail[0].Median != 1000 || f.Requests.Median != 1 {
		t.Errorf("during: %+v", f)
	}
	if f := during["textbook 80 ms × 3"]; f.Requests.Median < 2.9 {
		t.Errorf("the textbook triples the load of a brown-out, got %v", f.Requests)
	}
	if f := later["no hedging"]; f.Tail[0].Median > 40 {
		t.Errorf("later: %+v", f)
	}
	if len(r.Delays) == 0 {
		t.Error("the product's delay was not watched")
	}
}
