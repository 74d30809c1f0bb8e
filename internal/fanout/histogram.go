package fanout

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Latency is counted in logarithmic buckets, as in an HDR histogram: sixteen to
// each doubling, so a bucket is 3 to 6 % wide, from 1/16 ms to over a minute.
const (
	bucketUnit = time.Second / 16000 // 62.5 µs, the width of the first buckets.
	perOctave  = 16
	buckets    = 18 * perOctave // The last one ends at 131 s; what is longer counts there.
)

// bucketOf returns the bucket that an age falls into.
func bucketOf(age time.Duration) int {
	v := uint64(max(age, 0) / bucketUnit)
	if v < perOctave {
		return int(v)
	}
	octave := bits.Len64(v) - 5 // 16..31 is octave 0.
	return min(perOctave+octave*perOctave+int(v>>octave)-perOctave, buckets-1)
}

// edge returns where bucket i begins; edge(buckets) is where the last one ends.
func edge(i int) time.Duration {
	if i < perOctave {
		return time.Duration(i) * bucketUnit
	}
	octave := i/perOctave - 1
	return time.Duration(perOctave+i%perOctave) << octave * bucketUnit
}

// histogram counts ages of attempts, those that were seen to answer apart from
// those that were cut off first. Safe for concurrent use.
type histogram struct {
	began    time.Time
	total    atomic.Int64
	answered [buckets]atomic.Uint32
	cut      [buckets]atomic.Uint32
}

func newHistogram(began time.Time) *histogram { return &histogram{began: began} }

func (h *histogram) record(age time.Duration, answered bool) {
	if answered {
		h.answered[bucketOf(age)].Add(1)
	} else {
		h.cut[bucketOf(age)].Add(1)
	}
	h.total.Add(1)
}
