package fanout

import "sync"

const (
	// smallBurst is the least burst of a free budget: a Cloud Run instance has five
	// searches in flight, and a larger one there means 1.9 requests per call in a
	// brown-out and a storm when twenty instances start.
	smallBurst = 3
	// keptForThird is the part of the burst above one token that second attempts
	// leave to third ones: a call that lost twice is the one that makes the p99.9.
	// Of a burst of three tokens more cannot be spared.
	keptForThird = 0.1
	// rounding forgives the sums of shares such as 0.1, which ten of do not make 1.
	rounding = 1e-9
)

// bucket is a budget of extra requests. First attempts feed it a share of a token
// each, an extra request takes one; what it holds is bounded by the burst. So over
// any stretch of time extra ≤ share × first attempts + burst, a brown-out and the
// first seconds included.
type bucket struct {
	least float64 // The burst when little is in flight.

	mu     sync.Mutex
	tokens float64
	burst  float64
}

// newBucket returns a bucket half full: enough to hedge the first slow call, too
// little for a storm when many instances start at once.
func newBucket(least float64) *bucket {
	return &bucket{least: least, burst: least, tokens: least / 2}
}

// feed adds tokens under a burst of share × calls in flight, at least the least
// one, and returns how much did not fit.
func (b *bucket) feed(tokens, share float64, inFlight int64) (overflow float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.burst = max(b.least, share*float64(inFlight))
	sum := b.tokens + tokens
	b.tokens = min(sum, b.burst)
	return max(0, min(tokens, sum-b.burst))
}

// take pays for attempt number n, 2 or more, of a call.
func (b *bucket) take(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	need := 1.0
	if n == 2 {
		need += keptForThird * (b.burst - 1)
	}
	if b.tokens < need-rounding {
		return false
	}
	b.tokens--
	return true
}

// refund returns the token of an attempt that was never sent.
func (b *bucket) refund() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(b.tokens+1, b.burst)
}

// level returns the tokens at hand.
func (b *bucket) level() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tokens
}
