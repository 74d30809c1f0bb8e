package search

import (
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// InvalidError is a request that cannot be answered as it stands; it lists every
// fault, each with its mend.
type InvalidError struct {
	Faults []flight.Fault
}

// Error counts the faults and shows the first.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("invalid search: %d faults, first %s: %s", len(e.Faults), e.Faults[0].Field, e.Faults[0].Detail)
}

// NoAnswerError is a search to which not one provider gave fares, fresh or stale.
type NoAnswerError struct {
	Providers []Outcome
	// RetryAfter is the longest wait that a provider asked for, at least 1 s.
	RetryAfter time.Duration
}

// Error says how many providers were asked in vain.
func (e *NoAnswerError) Error() string {
	return fmt.Sprintf("none of %d providers answered", len(e.Providers))
}
