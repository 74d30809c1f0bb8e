package wire

import (
	"fmt"
	"time"
)

// Hours renders an ISO 8601 duration without days, as Amadeus does: PT40H30M.
func Hours(d time.Duration) string {
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	switch {
	case hours == 0:
		return fmt.Sprintf("PT%dM", minutes)
	case minutes == 0:
		return fmt.Sprintf("PT%dH", hours)
	default:
		return fmt.Sprintf("PT%dH%dM", hours, minutes)
	}
}

// Days renders an ISO 8601 duration with days, as Duffel does: P1DT16H30M.
func Days(d time.Duration) string {
	const day = 24 * time.Hour
	if d < day {
		return Hours(d)
	}
	text := fmt.Sprintf("P%dD", d/day)
	if rest := d % day; rest > 0 {
		text += Hours(rest)[1:]
	}
	return text
}
