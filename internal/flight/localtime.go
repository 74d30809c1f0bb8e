package flight

import (
	"fmt"
	"time"
)

// LocalTime is what a clock at an airport shows, together with that clock's
// offset from UTC where the airport's zone is known. It keeps both apart from
// any *time.Location, so that a wall time that a zone skips or repeats stays as
// the provider sent it. Its resolution is one second. Values are comparable
// with ==. The zero LocalTime means that no time was given.
type LocalTime struct {
	wall   int64 // Seconds since 1970 as if the wall clock ran on UTC.
	offset int32 // Seconds east of UTC.
	zoned  bool
	set    bool
}

// ParseWall reads a local wall time without a zone ("2026-12-15T18:30:00",
// seconds optional), as providers send it. A time that names an offset or Z is
// refused, since it is not known whether its wall time is meant; a fraction of a
// second is dropped, for timetables have none.
func ParseWall(s string) (LocalTime, error) {
	for _, rest := range []string{"Z", ":00Z"} {
		// Only RFC 3339 has a fast path in package time.
		if t, err := time.Parse(time.RFC3339, s+rest); err == nil {
			return Wall(t), nil
		}
	}
	return LocalTime{}, fmt.Errorf("%q is not a local time; write it as 2026-12-15T18:30:00, without an offset", s)
}

// Wall takes the clock reading of t and forgets t's zone.
func Wall(t time.Time) LocalTime {
	_, offset := t.Zone()
	return LocalTime{wall: t.Unix() + int64(offset), set: true}
}

// At is the clock reading and offset that loc shows at the instant t.
func At(t time.Time, loc *time.Location) LocalTime {
	local := t.In(loc)
	_, offset := local.Zone()
	return Wall(local).withOffset(offset)
}

func (t LocalTime) withOffset(seconds int) LocalTime {
	t.offset, t.zoned = int32(seconds), true
	return t
}

// IsZero reports that no time was given.
func (t LocalTime) IsZero() bool { return !t.set }

// Zoned reports that the offset from UTC is known.
func (t LocalTime) Zoned() bool { return t.zoned }

// Instant is the moment in UTC; false, and the zero time, where the offset is
// unknown.
func (t LocalTime) Instant() (time.Time, bool) {
	if !t.zoned {
		return time.Time{}, false
	}
	return time.Unix(t.wall-int64(t.offset), 0).UTC(), true
}

// Sub is the time from u to t. Where either offset is unknown it is false, for
// the difference of two wall times says nothing.
func (t LocalTime) Sub(u LocalTime) (time.Duration, bool) {
	if !t.zoned || !u.zoned {
		return 0, false
	}
	return time.Duration(t.wall-int64(t.offset)-u.wall+int64(u.offset)) * time.Second, true
}

// Date is the calendar day that the airport's clock shows, the zero Date where
// no time was given.
func (t LocalTime) Date() Date {
	if !t.set {
		return Date{}
	}
	return DateOf(t.reading())
}

// MinuteOfDay counts the minutes since local midnight, 0 to 1439; 0 also where
// no time was given.
func (t LocalTime) MinuteOfDay() int {
	h, m, _ := t.reading().Clock()
	return h*60 + m
}

// Wall renders the clock reading alone, 2026-12-15T18:30:00, and nothing where
// no time was given.
func (t LocalTime) Wall() string { return string(t.appendWall(make([]byte, 0, maxText))) }

// String renders RFC 3339 with the numeric offset (+00:00 rather than Z, since
// it is a place's clock), the bare wall time where the offset is unknown, and
// nothing for the zero LocalTime. RFC 3339 has no seconds in an offset; no clock
// on Earth has had them since 1972.
func (t LocalTime) String() string { return string(t.append(make([]byte, 0, maxText))) }

const maxText = len("2006-01-02T15:04:05-07:00")

func (t LocalTime) append(b []byte) []byte {
	b = t.appendWall(b)
	if !t.zoned {
		return b
	}
	sign, minutes := byte('+'), t.offset/60
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	b = appendPadded(append(b, sign), uint64(minutes/60), 2)
	return appendPadded(append(b, ':'), uint64(minutes%60), 2)
}

func (t LocalTime) appendWall(b []byte) []byte {
	if !t.set {
		return b
	}
	b = t.reading().AppendFormat(b, time.RFC3339)
	return b[:len(b)-len("Z")]
}

// reading is the wall time dressed as UTC, for the calendar's arithmetic.
func (t LocalTime) reading() time.Time { return time.Unix(t.wall, 0).UTC() }

// MarshalText makes a LocalTime a string in JSON.
func (t LocalTime) MarshalText() ([]byte, error) { return t.append(make([]byte, 0, maxText)), nil }

// UnmarshalText reads what String wrote; Z counts as +00:00.
func (t *LocalTime) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*t = LocalTime{}
		return nil
	}
	if zoned, err := time.Parse(time.RFC3339, string(text)); err == nil {
		return t.setZoned(zoned)
	}
	wall, err := ParseWall(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a local time such as 2026-12-15T18:30:00-05:00, with or without an offset", text)
	}
	*t = wall
	return nil
}

// setZoned refuses offsets that package time reads and RFC 3339 does not have.
func (t *LocalTime) setZoned(zoned time.Time) error {
	const day = 24 * 60 * 60
	if _, offset := zoned.Zone(); offset <= -day || offset >= day {
		return fmt.Errorf("offset of %d hours is impossible; clocks are less than a day from UTC", offset/3600)
	}
	*t = At(zoned, zoned.Location())
	return nil
}
