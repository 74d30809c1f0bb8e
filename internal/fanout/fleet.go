package fanout

import "sync/atomic"

// Fleet is the bucket that the transports of a process share. What the full
// buckets of single providers cannot hold flows into it, so the process as a whole
// stays within its budget; a call that a gathering waits for alone may draw on it
// when its own provider's bucket is empty, since the whole search waits for that
// one. Safe for concurrent use.
type Fleet struct {
	bucket   *bucket
	inFlight atomic.Int64
}

// NewFleet returns an empty fleet, for Options.Fleet.
func NewFleet() *Fleet {
	b := newBucket(smallBurst)
	b.tokens = 0
	return &Fleet{bucket: b}
}

// The methods below work on a nil fleet, which has nothing to give.

func (f *Fleet) enter() {
	if f != nil {
		f.inFlight.Add(1)
	}
}

func (f *Fleet) leave() {
	if f != nil {
		f.inFlight.Add(-1)
	}
}

func (f *Fleet) collect(overflow, share float64) {
	if f != nil && overflow > 0 {
		f.bucket.feed(overflow, share, f.inFlight.Load())
	}
}

// take has nothing kept back: the call is alone already.
func (f *Fleet) take() bool { return f != nil && f.bucket.take(3) }

func (f *Fleet) refund() { f.bucket.refund() }
