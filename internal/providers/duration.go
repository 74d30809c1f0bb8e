package providers

import (
	"fmt"
	"strings"
	"time"
)

// maxDurationDigits keeps the largest sum, 99,999 days and as many hours, minutes
// and seconds, below the 106,751 days that time.Duration can hold.
const maxDurationDigits = 5

// ParseISODuration reads an ISO 8601 duration of days, hours, minutes and
// seconds as providers write it: PT40H30M, P1DT22H30M, PT02H26M. Years, months
// and weeks have no place in a flight; fractions and signs are refused too.
func ParseISODuration(s string) (time.Duration, error) {
	date, clock, timed := strings.Cut(s, "T")
	days, ok := strings.CutPrefix(date, "P")
	if !ok || timed && clock == "" || !timed && days == "" {
		return 0, isoDurationError(s)
	}
	total, ok := sumComponents(days, component{'D', 24 * time.Hour})
	if !ok {
		return 0, isoDurationError(s)
	}
	rest, ok := sumComponents(clock, component{'H', time.Hour}, component{'M', time.Minute}, component{'S', time.Second})
	if !ok {
		return 0, isoDurationError(s)
	}
	return total + rest, nil
}

func isoDurationError(s string) error {
	return fmt.Errorf("%.40q is not an ISO 8601 duration of days, hours, minutes and seconds, such as P1DT22H30M", s)
}

type component struct {
	letter byte
	unit   time.Duration
}

// sumComponents adds up numbers that are each followed by one of the letters,
// in this order, each at most once.
func sumComponents(s string, components ...component) (time.Duration, bool) {
	var total time.Duration
	for _, c := range components {
		number, rest, found := strings.Cut(s, string(c.letter))
		if !found {
			continue
		}
		n, ok := parseDigits(number)
		if !ok {
			return 0, false
		}
		total += time.Duration(n) * c.unit
		s = rest
	}
	return total, s == ""
}

func parseDigits(s string) (int, bool) {
	if s == "" || len(s) > maxDurationDigits {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
