package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/bench/load"
	"github.com/hedgehop/hedgehop/bench/stat"
)

func trialOf(requests int, latencies ...time.Duration) trial {
	return trial{load.Result{Latencies: stat.SampleOf(latencies)}, requests}
}

func TestDraw(t *testing.T) {
	var b strings.Builder
	draw(&b, "Off", trialOf(12, 10*time.Millisecond, 40*time.Millisecond, 41*time.Millisecond, 3*time.Second))
	var filled []string
	for line := range strings.Lines(b.String()) {
		if strings.ContainsAny(line, "█▏") {
			filled = append(filled, strings.Join(strings.Fields(strings.ReplaceAll(line, "█", "")), " "))
		}
	}
	want := []string{"0–40 ms │ 2", "40–60 ms │ 1", "over 2000 ms │ 1"}
	if diff := cmp.Diff(want, filled); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, b.String())
	}
	if !strings.Contains(b.String(), "p50 40 ms") || !strings.Contains(b.String(), "12 requests") {
		t.Error(b.String())
	}
}

func TestConclude(t *testing.T) {
	var b strings.Builder
	conclude(&b, trialOf(1000, time.Second), trialOf(1110, 100*time.Millisecond))
	if want := "p95 is 10.0 times and p99 10.0 times as short, for +11.0% requests"; !strings.Contains(b.String(), want) {
		t.Errorf("%q has no %q", b.String(), want)
	}
}
