package flight_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// local reads a time as LocalTime writes it, with or without an offset.
func local(tb testing.TB, text string) flight.LocalTime {
	tb.Helper()
	var t flight.LocalTime
	if err := t.UnmarshalText([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	return t
}

// drawLocalTime draws any time that a timetable can have, zoned or not, or none.
func drawLocalTime(t *rapid.T) flight.LocalTime {
	if rapid.Bool().Draw(t, "missing") {
		return flight.LocalTime{}
	}
	instant := time.Unix(rapid.Int64Range(0, 253402300799-86400).Draw(t, "instant"), 0).UTC()
	if rapid.Bool().Draw(t, "bare") {
		return flight.Wall(instant)
	}
	minutes := rapid.IntRange(-12*60, 14*60).Draw(t, "offset")
	return flight.At(instant, time.FixedZone("", minutes*60))
}

func TestParseWall(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"seconds":            {"2026-12-15T18:30:05", "2026-12-15T18:30:05"},
		"minutes":            {"2026-12-15T18:30", "2026-12-15T18:30:00"},
		"midnight":           {"2026-12-15T00:00", "2026-12-15T00:00:00"},
		"fraction dropped":   {"2026-12-15T18:30:05.999", "2026-12-15T18:30:05"},
		"leap day":           {"2028-02-29T12:00", "2028-02-29T12:00:00"},
		"30 February":        {"2026-02-30T12:00:00", ""},
		"24 o'clock":         {"2026-12-15T24:00:00", ""},
		"minute 60":          {"2026-12-15T18:60:00", ""},
		"leap second":        {"2026-12-15T23:59:60", ""},
		"a date":             {"2026-12-15", ""},
		"hours alone":        {"2026-12-15T18", ""},
		"a blank for the T":  {"2026-12-15 18:30:00", ""},
		"Z":                  {"2026-12-15T18:30:00Z", ""},
		"an offset":          {"2026-12-15T18:30:00-05:00", ""},
		"an offset, minutes": {"2026-12-15T18:30-05:00", ""},
		"empty":              {"", ""},
		"text":               {"half past six", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := flight.ParseWall(test.text)
			if (err == nil) != (test.want != "") {
				t.Fatalf("ParseWall(%q) = %v, %v; want %q", test.text, got, err, test.want)
			}
			if err != nil && !strings.Contains(err.Error(), "2026-12-15T18:30:00") {
				t.Errorf("error %q does not show how to write a time", err)
			}
			if got.String() != test.want || got.Zoned() {
				t.Errorf("ParseWall(%q) = %q, want %q without offset", test.text, got, test.want)
			}
		})
	}
}

func TestLocalTimeText(t *testing.T) {
	at := time.Date(2026, time.December, 15, 23, 30, 0, 999, time.UTC)
	tests := map[string]struct {
		time flight.LocalTime
		want string
	}{
		"New York":         {flight.At(at, zone(t, "America/New_York")), "2026-12-15T18:30:00-05:00"},
		"London in winter": {flight.At(at, zone(t, "Europe/London")), "2026-12-15T23:30:00+00:00"},
		"Kathmandu":        {flight.At(at, zone(t, "Asia/Kathmandu")), "2026-12-16T05:15:00+05:45"},
		"St John's":        {flight.At(at, zone(t, "America/St_Johns")), "2026-12-15T20:00:00-03:30"},
		"Kiritimati":       {flight.At(at, zone(t, "Pacific/Kiritimati")), "2026-12-16T13:30:00+14:00"},
		"unknown zone":     {flight.Wall(at.In(zone(t, "Asia/Tokyo"))), "2026-12-16T08:30:00"},
		"none":             {flight.LocalTime{}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.time.String(); got != test.want {
				t.Errorf("String() = %q, want %q", got, test.want)
			}
			if got := local(t, test.want); got != test.time {
				t.Errorf("%q reads as %#v, want %#v", test.want, got, test.time)
			}
		})
	}
}

func TestLocalTimeReadsZAsAnOffset(t *testing.T) {
	if got, want := local(t, "2026-12-15T18:30:00Z"), local(t, "2026-12-15T18:30:00+00:00"); got != want {
		t.Errorf("Z reads as %v, want %v", got, want)
	}
}

func TestLocalTimeRefuses(t *testing.T) {
	for _, text := range []string{
		"2026-12-15", "18:30", "2026-02-30T18:30:00-05:00", "2026-12-15T18:30:00+24:00", "2026-12-15T18:30:00-24:00",
		"2026-12-15T18:30:00+23:60", "2026-12-15T18:30:00 -05:00", "2026-12-15T18:30:00-05:00 ", "null",
	} {
		got := local(t, "2026-12-15T18:30:00")
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
		if want := local(t, "2026-12-15T18:30:00"); got != want {
			t.Errorf("%q was refused, yet changed the value to %v", text, got)
		}
	}
}

func TestLocalTimeTextRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawLocalTime(t)
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := flight.Wall(time.Unix(1, 0))
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Fatalf("%s reads as %v, %v; want %v", text, got, err, want)
		}
	})
}

func TestLocalTimeParts(t *testing.T) {
	type parts struct {
		Date   flight.Date
		Minute int
		Wall   string
		Zoned  bool
		IsZero bool
	}
	tests := map[string]struct {
		time flight.LocalTime
		want parts
	}{
		"zoned": {local(t, "2026-12-15T18:30:00-05:00"), parts{date(t, "2026-12-15"), 18*60 + 30, "2026-12-15T18:30:00", true, false}},
		"bare":  {local(t, "2026-12-15T23:59:59"), parts{date(t, "2026-12-15"), 1439, "2026-12-15T23:59:59", false, false}},
		"epoch": {local(t, "1970-01-01T00:00:00"), parts{date(t, "1970-01-01"), 0, "1970-01-01T00:00:00", false, false}},
		"none":  {flight.LocalTime{}, parts{IsZero: true}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := parts{test.time.Date(), test.time.MinuteOfDay(), test.time.Wall(), test.time.Zoned(), test.time.IsZero()}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestInstant(t *testing.T) {
	got, ok := local(t, "2026-12-15T18:30:00-05:00").Instant()
	if want := time.Date(2026, time.December, 15, 23, 30, 0, 0, time.UTC); !ok || got != want {
		t.Errorf("Instant() = %v, %v; want %v in UTC", got, ok, want)
	}
	for _, unknown := range []flight.LocalTime{{}, local(t, "2026-12-15T18:30:00")} {
		if got, ok := unknown.Instant(); ok || !got.IsZero() {
			t.Errorf("%q is the instant %v, %v; want none", unknown, got, ok)
		}
	}
}

func TestSubNeedsBothOffsets(t *testing.T) {
	zoned, bare := local(t, "2026-12-15T18:30:00-05:00"), local(t, "2026-12-15T12:30:00")
	for name, pair := range map[string][2]flight.LocalTime{
		"arrival unknown": {bare, zoned}, "departure unknown": {zoned, bare}, "both unknown": {bare, bare}, "none": {zoned, {}},
	} {
		if got, ok := pair[0].Sub(pair[1]); ok || got != 0 {
			t.Errorf("%s: Sub = %v, %v; want none", name, got, ok)
		}
	}
}

func TestSubIsTheDifferenceOfInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawLocalTime(t), drawLocalTime(t)
		from, zonedA := a.Instant()
		to, zonedB := b.Instant()
		got, ok := b.Sub(a)
		if ok != (zonedA && zonedB) || ok && got != time.Duration(to.Unix()-from.Unix())*time.Second {
			t.Fatalf("%v.Sub(%v) = %v, %v", b, a, got, ok)
		}
	})
}

func FuzzParseWall(f *testing.F) {
	for _, seed := range []string{
		"2026-12-15T18:30:00", "2026-12-15T18:30", "2026-12-15T18:30:00Z", "2026-12-15T18:30-05:00", "2026-02-30T00:00", "", "0000-01-01T00:00", "2026-12-15T9:30",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := flight.ParseWall(text)
		switch {
		case err != nil && got != flight.LocalTime{}:
			t.Fatalf("ParseWall(%q) = %v beside the error %v", text, got, err)
		case err == nil && (got.IsZero() || got.Zoned()):
			t.Fatalf("ParseWall(%q) = %#v", text, got)
		case err == nil:
			if again, err := flight.ParseWall(got.Wall()); err != nil || again != got {
				t.Fatalf("ParseWall(%q) = %v, %v; want %v", got.Wall(), again, err, got)
			}
		}
	})
}

func FuzzLocalTimeUnmarshalText(f *testing.F) {
	for _, seed := range []string{
		"2026-12-15T18:30:00-05:00", "2026-12-15T18:30:00", "2026-12-15T18:30:00Z", "2026-12-15T18:30:00+24:60", "0000-01-01T00:00:00+14:00",
		"9999-12-31T23:59:59-12:00", "", "2026-12-15T9:30:00,5+00:30",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got, again flight.LocalTime
		if err := got.UnmarshalText([]byte(text)); err != nil {
			return
		}
		if err := again.UnmarshalText([]byte(got.String())); err != nil || again != got {
			t.Fatalf("%q reads as %v, that as %v, %v", text, got, again, err)
		}
	})
}
