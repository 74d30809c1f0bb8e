package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestServerTiming(t *testing.T) {
	a := answer{timing: serverTiming("total;dur=345.6, cache;dur=1.2, duffel;dur=341.0, skyscanner;dur=0.0, merge;dur=0.9, odd, x;dur=y")}
	want := map[string]float64{"total": 345.6, "cache": 1.2, "duffel": 341, "skyscanner": 0, "merge": 0.9}
	if diff := cmp.Diff(want, a.timing); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if a.slowest() != 341 {
		t.Errorf("slowest %v", a.slowest())
	}
	if len(serverTiming("")) != 0 {
		t.Error("no header has figures")
	}
}

func TestRatiosAreByRound(t *testing.T) {
	if diff := cmp.Diff([]float64{0.5, 2}, ratios([]float64{1, 4, 9}, []float64{2, 2})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
