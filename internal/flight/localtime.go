package flight

import (
	"fmt"
	"time"
)

const wallLayout = "2006-01-02T15:04:05"

// LocalTime is what a clock at an airport shows, together with that clock's
// offset from UTC where the airport's zone is known. It keeps both apart from
// any *time.Location, so that a wall time that a zone skips or repeats stays as
// the provider sent it. Values are comparable with ==. The zero LocalTime means
// that no time was given.
type LocalTime struct {
	wall   int64 // Seconds since 1970 as if the wall clock ran on UTC.
	offset int32 // Seconds east of UTC.
	zoned  bool
	set    bool
}

// ParseWall reads a local wall time without a zone ("2026-12-15T18:30:00",
// seconds optional), as providers send it.
func ParseWall(s string) (LocalTime, error) {
	for _, layout := range []string{wallLayout, "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return Wall(t), nil
		}
	}
	return LocalTime{}, fmt.Errorf("%q is not a local time of the form 2026-12-15T18:30:00", s)
}

// Wall takes the clock reading of t and forgets t's zone.
func Wall(t time.Time) LocalTime {
	y, mo, d := t.Date()
	h, mi, s := t.Clock()
	return LocalTime{wall: time.Date(y, mo, d, h, mi, s, 0, time.UTC).Unix(), set: true}
}

// At is the clock reading and offset that loc shows at the instant t.
func At(t time.Time, loc *time.Location) LocalTime {
	_, offset := t.In(loc).Zone()
	local := Wall(t.In(loc))
	return local.withOffset(offset)
}

// In gives the wall time the offset of loc. A wall time that loc repeats takes
// the earlier instant, one that it skips the offset before the change; Between
// decides better where the flight's duration is known. A nil loc leaves the
// offset unknown.
func (t LocalTime) In(loc *time.Location) LocalTime {
	if loc == nil || !t.set {
		return t
	}
	return t.withOffset(t.offsets(loc)[0])
}

// offsets lists those that loc may have at the wall time t, the earlier instant
// first: two where the wall time is repeated, else one.
func (t LocalTime) offsets(loc *time.Location) []int {
	_, before := time.Unix(t.wall, 0).Add(-24 * time.Hour).In(loc).Zone()
	_, after := time.Unix(t.wall, 0).Add(24 * time.Hour).In(loc).Zone()
	var fits []int
	for _, offset := range []int{before, after} {
		_, actual := time.Unix(t.wall-int64(offset), 0).In(loc).Zone()
		if actual == offset && (len(fits) == 0 || fits[0] != offset) {
			fits = append(fits, offset)
		}
	}
	if len(fits) == 0 {
		return []int{before}
	}
	return fits
}

func (t LocalTime) withOffset(seconds int) LocalTime {
	t.offset, t.zoned = int32(seconds), true
	return t
}

// IsZero reports that no time was given.
func (t LocalTime) IsZero() bool { return !t.set }

// Zoned reports that the offset from UTC is known.
func (t LocalTime) Zoned() bool { return t.zoned }

// Instant is the moment in UTC; false where the offset is unknown.
func (t LocalTime) Instant() (time.Time, bool) {
	return time.Unix(t.wall-int64(t.offset), 0).UTC(), t.zoned
}

// Date is the calendar day that the airport's clock shows.
func (t LocalTime) Date() Date { return DateOf(time.Unix(t.wall, 0).UTC()) }

// MinuteOfDay counts the minutes since local midnight, 0 to 1439.
func (t LocalTime) MinuteOfDay() int {
	h, m, _ := time.Unix(t.wall, 0).UTC().Clock()
	return h*60 + m
}

// Wall renders the clock reading alone: 2026-12-15T18:30:00.
func (t LocalTime) Wall() string { return time.Unix(t.wall, 0).UTC().Format(wallLayout) }

// String renders RFC 3339 with the numeric offset (+00:00 rather than Z, since
// it is a place's clock), the bare wall time where the offset is unknown, and
// nothing for the zero LocalTime.
func (t LocalTime) String() string {
	switch {
	case !t.set:
		return ""
	case !t.zoned:
		return t.Wall()
	}
	return t.Wall() + time.Unix(0, 0).In(time.FixedZone("", int(t.offset))).Format("-07:00")
}

// Sub is the time from u to t. Where either offset is unknown it is false, for
// the difference of two wall times says nothing.
func (t LocalTime) Sub(u LocalTime) (time.Duration, bool) {
	if !t.zoned || !u.zoned {
		return 0, false
	}
	return time.Duration(t.wall-int64(t.offset)-u.wall+int64(u.offset)) * time.Second, true
}

// MarshalText makes a LocalTime a string in JSON.
func (t LocalTime) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what String wrote.
func (t *LocalTime) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*t = LocalTime{}
		return nil
	}
	if zoned, err := time.Parse(time.RFC3339, string(text)); err == nil {
		*t = At(zoned, zoned.Location())
		return nil
	}
	wall, err := ParseWall(string(text))
	if err != nil {
		return err
	}
	*t = wall
	return nil
}

// Between places a departure and an arrival, given as wall times, in their
// zones. A zone that is nil leaves that end without offset. Where a clock
// change makes a wall time ambiguous, the reading whose difference equals the
// provider's duration is taken; a duration of zero means that none is known.
// It reports false where both zones and a duration are known and no reading
// agrees with the duration.
func Between(departure, arrival LocalTime, from, to *time.Location, duration time.Duration) (LocalTime, LocalTime, bool) {
	first, last := departure.In(from), arrival.In(to)
	if from == nil || to == nil || duration == 0 {
		return first, last, true
	}
	for _, left := range departure.offsets(from) {
		for _, landed := range arrival.offsets(to) {
			d, a := departure.withOffset(left), arrival.withOffset(landed)
			if elapsed, _ := a.Sub(d); elapsed == duration {
				return d, a, true
			}
		}
	}
	return first, last, false
}
