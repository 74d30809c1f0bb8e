package httpapi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is one argument of a request, read as what the contract says it is.
// Errors are about the value and say how to mend it.
type value interface {
	// text is at most maxText bytes.
	text() (string, error)
	whole() (int, error)
	truth() (bool, error)
	// decimal is an exact number as its author wrote it.
	decimal() (string, error)
	list() ([]value, error)
}

// maxText bounds what is taken for a text, and so what errors may quote.
const maxText = 1024

func boundedText(s string) (string, error) {
	if len(s) > maxText {
		return "", fmt.Errorf("has %d bytes; at most %d make sense", len(s), maxText)
	}
	return s, nil
}

// queryValue is a value in a query string, where all is text.
type queryValue string

func (v queryValue) text() (string, error)    { return boundedText(string(v)) }
func (v queryValue) decimal() (string, error) { return boundedText(string(v)) }

func (v queryValue) whole() (int, error) { return wholeNumber(string(v), shown(string(v))) }

func (v queryValue) truth() (bool, error) {
	switch v {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("must be true or false, not %s", shown(string(v)))
}

func (v queryValue) list() ([]value, error) {
	whole, err := v.text()
	if err != nil {
		return nil, err
	}
	var items []value
	for item := range strings.SplitSeq(whole, ",") {
		items = append(items, queryValue(strings.TrimSpace(item)))
	}
	return items, nil
}

// wholeNumber reads digits, a minus sign allowed; name is how an error calls
// them.
func wholeNumber(digits, name string) (int, error) {
	n, err := strconv.Atoi(digits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is too large a number", name)
	case err != nil || strings.HasPrefix(digits, "+"):
		return 0, fmt.Errorf("must be a whole number, not %s", name)
	}
	return n, nil
}

// bounded reads a whole number from low to high.
func bounded(v value, low, high int) (int, error) {
	n, err := v.whole()
	if err != nil {
		return 0, err
	}
	if n < low || n > high {
		return 0, fmt.Errorf("must be %d to %d, not %d", low, high, n)
	}
	return n, nil
}

// maxCount bounds every number that has no bound of its own, so that no duration
// made of it overflows: a million minutes are two years.
const maxCount = 1_000_000

// atLeast reads a whole number from low to maxCount.
func atLeast(v value, low int) (int, error) {
	n, err := v.whole()
	switch {
	case err != nil:
		return 0, err
	case n < low:
		return 0, fmt.Errorf("must be %d or more, not %d", low, n)
	case n > maxCount:
		return 0, fmt.Errorf("must be at most %d, not %d", maxCount, n)
	}
	return n, nil
}

// shown quotes a text of the caller's for an error, cut where it is long.
func shown(s string) string { return strconv.Quote(abbreviated(s)) }

// abbreviated cuts a long text of the caller's.
func abbreviated(s string) string {
	const enough = 64
	if len(s) <= enough {
		return s
	}
	cut := enough
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
