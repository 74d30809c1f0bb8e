package flight

import "time"

// In gives the wall time the offset of loc. A wall time that loc repeats takes
// the earlier instant, one that it skips the offset before the change; Between
// decides better where the flight's duration is known. A nil loc leaves the
// offset as it is.
func (t LocalTime) In(loc *time.Location) LocalTime {
	if loc == nil || !t.set {
		return t
	}
	before, _ := t.offsets(loc)
	return t.withOffset(before)
}

// Between places a departure and an arrival, given as wall times, in their
// zones. A zone that is nil leaves that end without offset. Where a clock
// change repeats or skips a wall time, the reading whose difference equals the
// provider's duration is taken; a duration of zero means that none is known.
// It reports false where both times, zones and a duration are known and no
// reading agrees with the duration; the times are then those of In.
func Between(departure, arrival LocalTime, from, to *time.Location, duration time.Duration) (LocalTime, LocalTime, bool) {
	first, last := departure.In(from), arrival.In(to)
	if !departure.set || !arrival.set || from == nil || to == nil || duration == 0 {
		return first, last, true
	}
	for _, left := range departure.readings(from) {
		for _, landed := range arrival.readings(to) {
			if elapsed, _ := landed.Sub(left); elapsed == duration {
				return left, landed, true
			}
		}
	}
	return first, last, false
}

// readings are the two ways to understand t in loc, the same twice where there
// is only one.
func (t LocalTime) readings(loc *time.Location) [2]LocalTime {
	before, after := t.offsets(loc)
	return [2]LocalTime{t.withOffset(before), t.withOffset(after)}
}

// offsets are those that loc may have at the wall time t: before and after a
// clock change that repeats or skips t, else the only one, twice.
//
// A day away on either side is beyond the change itself, however far loc is from
// UTC, and nearer than any second change.
func (t LocalTime) offsets(loc *time.Location) (before, after int) {
	const day = 24 * 60 * 60
	before, after = offsetAt(loc, t.wall-day), offsetAt(loc, t.wall+day)
	if before == after {
		return before, after
	}
	holdsBefore := offsetAt(loc, t.wall-int64(before)) == before
	holdsAfter := offsetAt(loc, t.wall-int64(after)) == after
	switch {
	case holdsBefore && !holdsAfter:
		return before, before
	case holdsAfter && !holdsBefore:
		return after, after
	default:
		return before, after
	}
}

func offsetAt(loc *time.Location, unix int64) int {
	_, offset := time.Unix(unix, 0).In(loc).Zone()
	return offset
}
