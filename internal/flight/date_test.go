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

func date(tb testing.TB, text string) flight.Date {
	tb.Helper()
	d, err := flight.ParseDate(text)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// drawDate draws from every year that a Date can have.
func drawDate(t *rapid.T, label string) flight.Date {
	first := flight.Date{Year: 0, Month: time.January, Day: 1}
	return first.AddDays(rapid.IntRange(0, first.DaysUntil(flight.Date{Year: 9999, Month: time.December, Day: 31})).Draw(t, label))
}

func TestParseDate(t *testing.T) {
	tests := map[string]struct {
		text string
		want flight.Date
		ok   bool
	}{
		"a day":                     {"2026-12-15", flight.Date{Year: 2026, Month: time.December, Day: 15}, true},
		"leap day":                  {"2028-02-29", flight.Date{Year: 2028, Month: time.February, Day: 29}, true},
		"leap day of a common year": {"2026-02-29", flight.Date{}, false},
		"30 February":               {"2026-02-30", flight.Date{}, false},
		"no leap year in 1900":      {"1900-02-29", flight.Date{}, false},
		"digits left off":           {"2023-7-8", flight.Date{}, false},
		"day and month only":        {"12-15", flight.Date{}, false},
		"month 13":                  {"2026-13-01", flight.Date{}, false},
		"month 0":                   {"2026-00-01", flight.Date{}, false},
		"American":                  {"12/15/2026", flight.Date{}, false},
		"compact":                   {"20261215", flight.Date{}, false},
		"with a time":               {"2026-12-15T00:00:00", flight.Date{}, false},
		"blank in front":            {" 2026-12-15", flight.Date{}, false},
		"blank behind":              {"2026-12-15 ", flight.Date{}, false},
		"year of five digits":       {"12026-12-15", flight.Date{}, false},
		"negative year":             {"-026-12-15", flight.Date{}, false},
		"empty":                     {"", flight.Date{}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := flight.ParseDate(test.text)
			if (err == nil) != test.ok {
				t.Fatalf("ParseDate(%q) error = %v, want ok = %v", test.text, err, test.ok)
			}
			if err != nil && !strings.Contains(err.Error(), "YYYY-MM-DD") {
				t.Errorf("error %q does not say how to write a date", err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ParseDate(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestDateOfShowsTheLocalDay(t *testing.T) {
	instant := time.Date(2025, time.March, 20, 1, 12, 0, 0, time.UTC)
	if got, want := flight.DateOf(instant.In(zone(t, "America/Los_Angeles"))), date(t, "2025-03-19"); got != want {
		t.Errorf("in Los Angeles it is %v, want %v", got, want)
	}
	if got, want := flight.DateOf(instant), date(t, "2025-03-20"); got != want {
		t.Errorf("in UTC it is %v, want %v", got, want)
	}
}

func TestDateArithmetic(t *testing.T) {
	tests := map[string]struct {
		from string
		days int
		want string
	}{
		"same day":                       {"2026-12-15", 0, "2026-12-15"},
		"into the next year":             {"2026-12-31", 1, "2027-01-01"},
		"over a leap day":                {"2028-02-28", 2, "2028-03-01"},
		"backwards":                      {"2026-03-01", -1, "2026-02-28"},
		"over a clock change in Germany": {"2026-03-28", 2, "2026-03-30"},
		"the booking horizon":            {"2026-07-01", 361, "2027-06-27"},
		"the whole calendar":             {"0000-01-01", 3652424, "9999-12-31"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			from, want := date(t, test.from), date(t, test.want)
			if got := from.AddDays(test.days); got != want {
				t.Errorf("%v and %d days is %v, want %v", from, test.days, got, want)
			}
			if got := from.DaysUntil(want); got != test.days {
				t.Errorf("from %v to %v are %d days, want %d", from, want, got, test.days)
			}
			if got := from.Before(want); got != (test.days > 0) {
				t.Errorf("%v before %v: %v", from, want, got)
			}
		})
	}
}

func TestDateTextRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawDate(t, "date")
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := flight.Date{Year: 1, Month: 1, Day: 1}
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Fatalf("%s reads as %v, %v; want %v", text, got, err, want)
		}
	})
}

func TestZeroDate(t *testing.T) {
	text, err := json.Marshal(flight.Date{})
	if err != nil || string(text) != `""` {
		t.Fatalf("no date is written %s, %v; want an empty text", text, err)
	}
	got := date(t, "2026-12-15")
	if err := json.Unmarshal(text, &got); err != nil || !got.IsZero() {
		t.Errorf("an empty text reads as %v, %v; want no date", got, err)
	}
	if err := json.Unmarshal([]byte(`"2026-02-30"`), &got); err == nil {
		t.Error("30 February was read")
	}
}

func TestDateIsAKeyOfMaps(t *testing.T) {
	text, err := json.Marshal(map[flight.Date]int{date(t, "2026-12-15"): 1})
	if err != nil || string(text) != `{"2026-12-15":1}` {
		t.Errorf("map is written %s, %v", text, err)
	}
}

func FuzzParseDate(f *testing.F) {
	for _, seed := range []string{"2026-12-15", "2026-02-30", "2023-7-8", "0000-01-01", "9999-12-31", "", "2026-12-15T00:00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := flight.ParseDate(text)
		switch {
		case err != nil && got != flight.Date{}:
			t.Fatalf("ParseDate(%q) = %v beside the error %v", text, got, err)
		case err == nil && got.String() != text:
			t.Fatalf("ParseDate(%q) = %v, another text", text, got)
		case err == nil && got.AddDays(0) != got:
			t.Fatalf("ParseDate(%q) = %#v, no day of the calendar", text, got)
		}
	})
}
