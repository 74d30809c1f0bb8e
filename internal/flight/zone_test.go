package flight_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestIn(t *testing.T) {
	tests := map[string]struct{ zone, wall, want string }{
		"New York in winter":                 {"America/New_York", "2026-12-15T18:30", "2026-12-15T18:30:00-05:00"},
		"New York in summer":                 {"America/New_York", "2026-07-15T18:30", "2026-07-15T18:30:00-04:00"},
		"a zone of half an hour":             {"Asia/Kolkata", "2026-03-29T03:30", "2026-03-29T03:30:00+05:30"},
		"a zone of three quarters":           {"Asia/Kathmandu", "2026-03-29T03:30", "2026-03-29T03:30:00+05:45"},
		"last minute before spring":          {"America/New_York", "2026-03-08T01:59", "2026-03-08T01:59:00-05:00"},
		"skipped in spring":                  {"America/New_York", "2026-03-08T02:30", "2026-03-08T02:30:00-05:00"},
		"first minute of spring":             {"America/New_York", "2026-03-08T03:00", "2026-03-08T03:00:00-04:00"},
		"last minute before autumn":          {"America/New_York", "2026-11-01T00:59", "2026-11-01T00:59:00-04:00"},
		"repeated in autumn":                 {"America/New_York", "2026-11-01T01:30", "2026-11-01T01:30:00-04:00"},
		"first minute after autumn":          {"America/New_York", "2026-11-01T02:00", "2026-11-01T02:00:00-05:00"},
		"skipped east of Greenwich":          {"Europe/Berlin", "2026-03-29T02:30", "2026-03-29T02:30:00+01:00"},
		"repeated east of Greenwich":         {"Europe/Berlin", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00"},
		"Lord Howe skips half an hour":       {"Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:15:00+10:30"},
		"Lord Howe after the skip":           {"Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-04T02:30:00+11:00"},
		"Lord Howe repeats half an hour":     {"Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-05T01:45:00+11:00"},
		"Lord Howe before the repetition":    {"Australia/Lord_Howe", "2026-04-05T01:29", "2026-04-05T01:29:00+11:00"},
		"Lord Howe after the repetition":     {"Australia/Lord_Howe", "2026-04-05T02:00", "2026-04-05T02:00:00+10:30"},
		"Samoa the evening before":           {"Pacific/Apia", "2011-12-29T23:59", "2011-12-29T23:59:00-10:00"},
		"Samoa on the day it left out":       {"Pacific/Apia", "2011-12-30T12:00", "2011-12-30T12:00:00-10:00"},
		"Samoa the morning after":            {"Pacific/Apia", "2011-12-31T00:00", "2011-12-31T00:00:00+14:00"},
		"midnight that Cairo skips":          {"Africa/Cairo", "2026-04-24T00:30", "2026-04-24T00:30:00+02:00"},
		"Casablanca repeats for Ramadan":     {"Africa/Casablanca", "2026-02-15T02:30", "2026-02-15T02:30:00+01:00"},
		"Casablanca in Ramadan":              {"Africa/Casablanca", "2026-03-01T02:30", "2026-03-01T02:30:00+00:00"},
		"Troll moves by two hours, skipped":  {"Antarctica/Troll", "2026-03-29T02:30", "2026-03-29T02:30:00+00:00"},
		"Troll moves by two hours, repeated": {"Antarctica/Troll", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00"},
		"furthest east":                      {"Pacific/Kiritimati", "2026-01-01T00:00", "2026-01-01T00:00:00+14:00"},
		"furthest west":                      {"Etc/GMT+12", "2026-01-01T00:00", "2026-01-01T00:00:00-12:00"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := wall(t, test.wall).In(zone(t, test.zone)).String(); got != test.want {
				t.Errorf("%s in %s is %s, want %s", test.wall, test.zone, got, test.want)
			}
		})
	}
}

func TestInWithoutZoneOrTime(t *testing.T) {
	if got, want := wall(t, "2026-12-15T18:30").In(nil), wall(t, "2026-12-15T18:30"); got != want {
		t.Errorf("without a zone the time is %v, want %v", got, want)
	}
	if got := (flight.LocalTime{}).In(zone(t, "Asia/Tokyo")); got != (flight.LocalTime{}) {
		t.Errorf("no time in Tokyo is %#v, want none", got)
	}
}

// Whatever instant a clock shows, placing its reading gives that instant back or,
// where the clock shows it twice, the earlier one.
func TestInUndoesAt(t *testing.T) {
	names := []string{
		"America/New_York", "Europe/London", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca",
		"Antarctica/Troll", "America/Sao_Paulo", "Asia/Tehran", "Pacific/Chatham", "America/St_Johns", "Africa/Cairo", "Asia/Pyongyang",
	}
	rapid.Check(t, func(t *rapid.T) {
		loc, err := time.LoadLocation(rapid.SampledFrom(names).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		shown := time.Unix(rapid.Int64Range(315532800, 4102444800).Draw(t, "instant"), 0)
		if rapid.Bool().Draw(t, "near a change") {
			if _, change := shown.In(loc).ZoneBounds(); !change.IsZero() {
				shown = change.Add(time.Duration(rapid.IntRange(-7200, 7200).Draw(t, "seconds")) * time.Second)
			}
		}
		placed := flight.Wall(shown.In(loc)).In(loc)
		got, _ := placed.Instant()
		if got.After(shown) || flight.At(got, loc) != placed {
			t.Fatalf("%v was placed at %v", shown.In(loc), placed)
		}
	})
}

// Durations that public bug reports on other projects got wrong, and the classes
// beside them.
func TestElapsedTime(t *testing.T) {
	tests := map[string]struct {
		from, departure, to, arrival string
		want                         time.Duration
	}{
		"America on summer time, Europe not yet (AirTrail#55)": {"Europe/Berlin", "2026-03-20T12:20", "America/Chicago", "2026-03-20T17:20", 660 * time.Minute},
		"nine zones west (AirTrail#554)":                       {"Europe/Berlin", "2026-04-16T10:40", "America/Los_Angeles", "2026-04-16T13:10", 690 * time.Minute},
		"a zone of half an hour (AirTrail#70)":                 {"Asia/Kolkata", "2026-05-01T03:30", "Asia/Dubai", "2026-05-01T06:20", 260 * time.Minute},
		"lands before it leaves (airheartdev/duffel#11)":       {"Asia/Tokyo", "2024-09-07T16:25", "America/Los_Angeles", "2024-09-07T10:05", 580 * time.Minute},
		"Sydney to Los Angeles, over the date line":            {"Australia/Sydney", "2026-12-15T11:30", "America/Los_Angeles", "2026-12-15T06:20", 830 * time.Minute},
		"Los Angeles to Sydney, two days on":                   {"America/Los_Angeles", "2026-12-15T22:30", "Australia/Sydney", "2026-12-17T08:45", 915 * time.Minute},
		"during the night that skips an hour":                  {"America/New_York", "2026-03-07T22:00", "America/Chicago", "2026-03-08T04:00", 6 * time.Hour},
		"during the night that repeats an hour":                {"America/New_York", "2026-10-31T22:00", "America/Chicago", "2026-11-01T02:30", 6*time.Hour + 30*time.Minute},
		"one zone has changed, the other has no summer time":   {"America/Phoenix", "2026-07-01T09:00", "America/Denver", "2026-07-01T11:40", 100 * time.Minute},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			leaves, lands := wall(t, test.departure).In(zone(t, test.from)), wall(t, test.arrival).In(zone(t, test.to))
			if got, ok := lands.Sub(leaves); !ok || got != test.want {
				t.Errorf("from %v to %v are %v, %v; want %v", leaves, lands, got, ok, test.want)
			}
		})
	}
}

func TestOffsetsOfTokyoAndSanFrancisco(t *testing.T) {
	if got, want := wall(t, "2024-09-07T16:25").In(zone(t, "Asia/Tokyo")).String(), "2024-09-07T16:25:00+09:00"; got != want {
		t.Errorf("departure is %s, want %s", got, want)
	}
	if got, want := wall(t, "2024-09-07T10:05").In(zone(t, "America/Los_Angeles")).String(), "2024-09-07T10:05:00-07:00"; got != want {
		t.Errorf("arrival is %s, want %s", got, want)
	}
}

func TestBetween(t *testing.T) {
	tests := map[string]struct {
		from, departure, to, arrival string
		duration                     time.Duration
		left, landed                 string
		agrees                       bool
	}{
		"an ordinary day": {
			"America/New_York", "2026-12-15T18:30", "Europe/London", "2026-12-16T06:25", 415 * time.Minute,
			"2026-12-15T18:30:00-05:00", "2026-12-16T06:25:00+00:00", true,
		},
		"repeated departure, first time": {
			"America/New_York", "2026-11-01T01:30", "America/Chicago", "2026-11-01T03:00", 3*time.Hour + 30*time.Minute,
			"2026-11-01T01:30:00-04:00", "2026-11-01T03:00:00-06:00", true,
		},
		"repeated departure, second time": {
			"America/New_York", "2026-11-01T01:30", "America/Chicago", "2026-11-01T03:00", 2*time.Hour + 30*time.Minute,
			"2026-11-01T01:30:00-05:00", "2026-11-01T03:00:00-06:00", true,
		},
		"repeated arrival, first time": {
			"Europe/London", "2026-10-24T23:00", "Europe/Berlin", "2026-10-25T02:30", 2*time.Hour + 30*time.Minute,
			"2026-10-24T23:00:00+01:00", "2026-10-25T02:30:00+02:00", true,
		},
		"repeated arrival, second time": {
			"Europe/London", "2026-10-24T23:00", "Europe/Berlin", "2026-10-25T02:30", 3*time.Hour + 30*time.Minute,
			"2026-10-24T23:00:00+01:00", "2026-10-25T02:30:00+01:00", true,
		},
		"both repeated": {
			"America/New_York", "2026-11-01T01:10", "America/New_York", "2026-11-01T01:50", 100 * time.Minute,
			"2026-11-01T01:10:00-04:00", "2026-11-01T01:50:00-05:00", true,
		},
		"half an hour repeated on Lord Howe": {
			"Australia/Lord_Howe", "2026-04-05T01:45", "Australia/Brisbane", "2026-04-05T03:00", 105 * time.Minute,
			"2026-04-05T01:45:00+10:30", "2026-04-05T03:00:00+10:00", true,
		},
		"a skipped time, meant before the change": {
			"America/New_York", "2026-03-08T02:30", "America/New_York", "2026-03-08T05:00", 90 * time.Minute,
			"2026-03-08T02:30:00-05:00", "2026-03-08T05:00:00-04:00", true,
		},
		"a skipped time, meant after the change": {
			"America/New_York", "2026-03-08T02:30", "America/New_York", "2026-03-08T05:00", 150 * time.Minute,
			"2026-03-08T02:30:00-04:00", "2026-03-08T05:00:00-04:00", true,
		},
		"repeated, and the provider's duration fits neither": {
			"America/New_York", "2026-11-01T01:30", "America/Chicago", "2026-11-01T03:00", 5 * time.Hour,
			"2026-11-01T01:30:00-04:00", "2026-11-01T03:00:00-06:00", false,
		},
		"an hour before the repetition, only one reading": {
			"America/New_York", "2026-11-01T00:30", "America/Chicago", "2026-11-01T03:00", 210 * time.Minute,
			"2026-11-01T00:30:00-04:00", "2026-11-01T03:00:00-06:00", false,
		},
		"an hour after the repetition, only one reading": {
			"America/New_York", "2026-11-01T02:30", "America/Chicago", "2026-11-01T03:00", 150 * time.Minute,
			"2026-11-01T02:30:00-05:00", "2026-11-01T03:00:00-06:00", false,
		},
		"a test carrier's clock is an hour off": {
			"Europe/London", "2026-12-15T23:00", "Europe/Berlin", "2026-12-16T00:43", 103 * time.Minute,
			"2026-12-15T23:00:00+00:00", "2026-12-16T00:43:00+01:00", false,
		},
		"no duration known": {
			"America/New_York", "2026-11-01T01:30", "America/Chicago", "2026-11-01T03:00", 0,
			"2026-11-01T01:30:00-04:00", "2026-11-01T03:00:00-06:00", true,
		},
		"departure zone unknown": {
			"", "2026-12-15T18:30", "Europe/London", "2026-12-16T06:25", 415 * time.Minute,
			"2026-12-15T18:30:00", "2026-12-16T06:25:00+00:00", true,
		},
		"arrival zone unknown": {
			"America/New_York", "2026-12-15T18:30", "", "2026-12-16T06:25", 415 * time.Minute,
			"2026-12-15T18:30:00-05:00", "2026-12-16T06:25:00", true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var from, to *time.Location
			if test.from != "" {
				from = zone(t, test.from)
			}
			if test.to != "" {
				to = zone(t, test.to)
			}
			left, landed, agrees := flight.Between(wall(t, test.departure), wall(t, test.arrival), from, to, test.duration)
			if left.String() != test.left || landed.String() != test.landed || agrees != test.agrees {
				t.Errorf("Between = %v, %v, %v; want %v, %v, %v", left, landed, agrees, test.left, test.landed, test.agrees)
			}
		})
	}
}

func TestBetweenWithoutTimes(t *testing.T) {
	loc, at := zone(t, "Asia/Tokyo"), wall(t, "2026-12-15T18:30")
	left, landed, agrees := flight.Between(flight.LocalTime{}, at, loc, loc, time.Hour)
	if !left.IsZero() || left.Zoned() || landed != at.In(loc) || !agrees {
		t.Errorf("without a departure: %#v, %v, %v", left, landed, agrees)
	}
	left, landed, agrees = flight.Between(at, flight.LocalTime{}, loc, loc, time.Hour)
	if left != at.In(loc) || !landed.IsZero() || landed.Zoned() || !agrees {
		t.Errorf("without an arrival: %v, %#v, %v", left, landed, agrees)
	}
}

// A flight that really took place is always found again from what the clocks of
// its two airports showed and how long it took.
func TestBetweenFindsEveryFlight(t *testing.T) {
	names := []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "Africa/Casablanca", "Pacific/Chatham"}
	rapid.Check(t, func(t *rapid.T) {
		from, err := time.LoadLocation(rapid.SampledFrom(names).Draw(t, "from"))
		if err != nil {
			t.Fatal(err)
		}
		to, err := time.LoadLocation(rapid.SampledFrom(names).Draw(t, "to"))
		if err != nil {
			t.Fatal(err)
		}
		departure := time.Unix(rapid.Int64Range(1262304000, 2524608000).Draw(t, "departure"), 0)
		if _, change := departure.In(from).ZoneBounds(); !change.IsZero() {
			departure = change.Add(time.Duration(rapid.IntRange(-180, 180).Draw(t, "minutes")) * time.Minute)
		}
		duration := time.Duration(rapid.IntRange(30, 19*60).Draw(t, "duration")) * time.Minute
		arrival := departure.Add(duration)
		left, landed, agrees := flight.Between(flight.Wall(departure.In(from)), flight.Wall(arrival.In(to)), from, to, duration)
		elapsed, _ := landed.Sub(left)
		if !agrees || elapsed != duration {
			t.Fatalf("%v to %v: Between = %v, %v, %v", departure.In(from), arrival.In(to), left, landed, agrees)
		}
	})
}
