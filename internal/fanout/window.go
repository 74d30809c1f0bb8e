package fanout

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// halfSpan and halfCount are the least age and content of a half before it
	// makes room: a drift is followed within two halves, and a slow trickle of calls
	// still leaves an estimate to stand on.
	halfSpan  = 2 * time.Second
	halfCount = 64
)

// window remembers the latest latencies: two histograms, the older of which is
// dropped as a whole. Recording takes no lock. An idle window keeps what it knows.
type window struct {
	rotating          sync.Mutex
	current, previous atomic.Pointer[histogram]
}

// begin starts the window over; known, if not nil, is what is believed already.
func (w *window) begin(known *histogram, now time.Time) {
	w.rotating.Lock()
	defer w.rotating.Unlock()
	w.previous.Store(known)
	w.current.Store(newHistogram(now))
}

func (w *window) record(age time.Duration, answered bool, now time.Time) {
	half := w.current.Load()
	if half.full(now) {
		half = w.rotate(now)
	}
	half.record(age, answered)
}

func (h *histogram) full(now time.Time) bool {
	return h.total.Load() >= halfCount && now.Sub(h.began) >= halfSpan
}

func (w *window) rotate(now time.Time) *histogram {
	w.rotating.Lock()
	defer w.rotating.Unlock()
	half := w.current.Load()
	if !half.full(now) { // Somebody else has rotated.
		return half
	}
	w.previous.Store(half)
	half = newHistogram(now)
	w.current.Store(half)
	return half
}

// counts adds up both halves.
func (w *window) counts() *counts {
	c := &counts{}
	c.add(w.previous.Load())
	c.add(w.current.Load())
	return c
}

// counts are the numbers of a window at one moment.
type counts struct {
	answered, cut [buckets]float64
	total         float64
}

func (c *counts) add(h *histogram) {
	if h == nil {
		return
	}
	for i := range buckets {
		answered, cut := float64(h.answered[i].Load()), float64(h.cut[i].Load())
		c.answered[i] += answered
		c.cut[i] += cut
		c.total += answered + cut
	}
}
