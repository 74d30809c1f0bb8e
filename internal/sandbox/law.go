package sandbox

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Law says how long a provider takes to answer. The zero Law is LawNone.
type Law string

// The laws.
const (
	// LawNone answers at once.
	LawNone Law = "none"
	// LawLongTail is quick for nine answers of ten (10 to 50 ms) and slow for one
	// (500 to 1000 ms), evenly spread in both.
	LawLongTail Law = "longtail"
	// LawSlow takes 2 to 3 s, as real providers do.
	LawSlow Law = "slow"
)

// UnmarshalText accepts the names of the laws.
func (l *Law) UnmarshalText(text []byte) error {
	switch law := Law(text); law {
	case LawNone, LawLongTail, LawSlow:
		*l = law
		return nil
	default:
		return fmt.Errorf("%q is not a latency law; use none, longtail or slow", text)
	}
}

// draw is the latency of one answer, independent of all others.
func (l Law) draw() time.Duration { return l.latency(rand.Float64(), rand.Float64()) }

// latency maps two numbers from [0,1) to a duration: one decides between quick
// and slow, the other where in the range.
func (l Law) latency(which, where float64) time.Duration {
	low, high := time.Duration(0), time.Duration(0)
	switch {
	case l == LawSlow:
		low, high = 2*time.Second, 3*time.Second
	case l == LawLongTail && which < 0.9:
		low, high = 10*time.Millisecond, 50*time.Millisecond
	case l == LawLongTail:
		low, high = 500*time.Millisecond, time.Second
	}
	return low + time.Duration(where*float64(high-low))
}
