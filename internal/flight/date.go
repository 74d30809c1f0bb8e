package flight

import (
	"fmt"
	"time"
)

// Date is a civil date, local to the place it is used for; it has no zone. The
// zero Date means that none was given. Years are 0 to 9999.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads YYYY-MM-DD, the only form accepted, and refuses days that the
// calendar does not have (2026-02-30).
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date of the calendar; write it as YYYY-MM-DD, for example 2026-12-15", s)
	}
	return DateOf(t), nil
}

// DateOf is the date that t shows in its own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{Year: y, Month: m, Day: d}
}

// String renders YYYY-MM-DD, and nothing for the zero Date.
func (d Date) String() string { return string(d.append(make([]byte, 0, len(time.DateOnly)))) }

func (d Date) append(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	b = appendPadded(b, uint64(d.Year), 4)
	b = appendPadded(append(b, '-'), uint64(d.Month), 2)
	return appendPadded(append(b, '-'), uint64(d.Day), 2)
}

// IsZero reports that no date was given.
func (d Date) IsZero() bool { return d == Date{} }

// Before reports that d lies before other in the calendar.
func (d Date) Before(other Date) bool { return d.midnight().Before(other.midnight()) }

// AddDays moves d by n days, backwards where n is negative.
func (d Date) AddDays(n int) Date { return DateOf(d.midnight().AddDate(0, 0, n)) }

// DaysUntil counts the days from d to other, negative where other lies before.
func (d Date) DaysUntil(other Date) int {
	const day = 24 * 60 * 60
	return int((other.midnight().Unix() - d.midnight().Unix()) / day)
}

// MarshalText makes a Date a string in JSON and a key in maps.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := ParseDate(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

func (d Date) midnight() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }
