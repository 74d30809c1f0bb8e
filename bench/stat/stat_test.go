package stat_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/bench/stat"
)

func upTo(n int) stat.Sample {
	latencies := make([]time.Duration, n)
	for i := range latencies {
		latencies[i] = time.Duration(n - i)
	}
	return stat.SampleOf(latencies)
}

func TestQuantile(t *testing.T) {
	for _, test := range []struct {
		n    int
		p    float64
		want time.Duration
	}{
		{1000, 0.5, 500}, {1000, 0.95, 950}, {1000, 0.999, 999}, {1000, 1, 1000}, {1000, 0, 1},
		{10, 0.95, 10}, {1, 0.5, 1}, {0, 0.5, 0},
	} {
		if got := upTo(test.n).Quantile(test.p); got != test.want {
			t.Errorf("quantile %v of 1..%d = %d, want %d", test.p, test.n, got, test.want)
		}
	}
}

func TestOverAndMean(t *testing.T) {
	s := upTo(100)
	for over, want := range map[time.Duration]float64{0: 1, 1: 0.99, 99: 0.01, 100: 0} {
		if got := s.Over(over); got != want {
			t.Errorf("over %d: %v, want %v", over, got, want)
		}
	}
	if got := s.Mean(); got != 50 { // 50.5 ns.
		t.Errorf("mean %d, want 50", got)
	}
	if empty := (stat.Sample{}); empty.Over(0) != 0 || empty.Mean() != 0 {
		t.Error("an empty sample has figures")
	}
}

func TestSpread(t *testing.T) {
	for name, test := range map[string]struct {
		rounds []float64
		want   stat.Spread
	}{
		"odd":  {[]float64{3, 1, 2}, stat.Spread{Median: 2, Least: 1, Most: 3}},
		"even": {[]float64{4, 1, 2, 3}, stat.Spread{Median: 2.5, Least: 1, Most: 4}},
		"none": {nil, stat.Spread{}},
	} {
		if diff := cmp.Diff(test.want, stat.SpreadOf(test.rounds)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}
