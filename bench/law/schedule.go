package law

import "time"

// Schedule is the law of each moment, counted from the start of a run.
type Schedule func(elapsed time.Duration) Law

// Always is the same law all the time.
func Always(l Law) Schedule { return func(time.Duration) Law { return l } }

// Between is another law from one moment up to another, the usual one elsewhere.
func Between(usual, other Law, from, to time.Duration) Schedule {
	return func(elapsed time.Duration) Law {
		if elapsed >= from && elapsed < to {
			return other
		}
		return usual
	}
}
