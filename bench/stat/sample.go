// Package stat sums up latencies and repeated measurements.
package stat

import (
	"math"
	"slices"
	"time"
)

// Sample is a set of latencies, sorted.
type Sample []time.Duration

// SampleOf sorts a copy of the latencies.
func SampleOf(latencies []time.Duration) Sample {
	s := slices.Clone(latencies)
	slices.Sort(s)
	return s
}

// Quantile returns the smallest latency that at least a share p of the sample does
// not exceed (the nearest rank, nothing interpolated); 0 for an empty sample.
func (s Sample) Quantile(p float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	// The small number forgives 0.999 × 1000 = 999.0000000000001.
	rank := int(math.Ceil(p*float64(len(s)) - 1e-9))
	return s[min(max(rank, 1), len(s))-1]
}

// Over returns the share of the sample that took longer than d.
func (s Sample) Over(d time.Duration) float64 {
	if len(s) == 0 {
		return 0
	}
	first, _ := slices.BinarySearch(s, d+1)
	return float64(len(s)-first) / float64(len(s))
}

// Mean returns the arithmetic mean; 0 for an empty sample.
func (s Sample) Mean() time.Duration {
	if len(s) == 0 {
		return 0
	}
	sum := 0.0
	for _, d := range s {
		sum += float64(d)
	}
	return time.Duration(sum / float64(len(s)))
}
