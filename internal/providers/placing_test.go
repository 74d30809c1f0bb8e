package providers

import (
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	if name == "" {
		return nil
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return location
}

func wall(t *testing.T, text string) flight.LocalTime {
	t.Helper()
	local, err := flight.ParseWall(text)
	if err != nil {
		t.Fatal(err)
	}
	return local
}

func TestPlaceSegment(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, departure, from, arrival, to string
		given                              int
		wantDeparture, wantArrival         string
		want                               int
		agrees                             bool
	}{
		{
			"lands before it leaves (airheartdev/duffel#11)", "2024-09-07T16:25", "Asia/Tokyo", "2024-09-07T10:05", "America/Los_Angeles",
			0, "2024-09-07T16:25:00+09:00", "2024-09-07T10:05:00-07:00", 580, true,
		},
		{
			"the provider's duration agrees", "2024-09-07T16:25", "Asia/Tokyo", "2024-09-07T10:05", "America/Los_Angeles",
			580, "2024-09-07T16:25:00+09:00", "2024-09-07T10:05:00-07:00", 580, true,
		},
		{
			"the provider's duration wins", "2022-06-01T23:00", "Europe/London", "2022-06-02T00:43", "Europe/Berlin",
			103, "2022-06-01T23:00:00+01:00", "2022-06-02T00:43:00+02:00", 103, false,
		},
		{
			"a zone is unknown", "2026-06-01T10:00", "", "2026-06-01T12:00", "Europe/Berlin",
			90, "2026-06-01T10:00:00", "2026-06-01T12:00:00+02:00", 90, true,
		},
		{
			"zone and duration are unknown", "2026-06-01T10:00", "", "2026-06-01T12:00", "Europe/Berlin",
			0, "2026-06-01T10:00:00", "2026-06-01T12:00:00+02:00", 0, true,
		},
		{
			"backwards in time", "2026-06-01T10:00", "Europe/Berlin", "2026-06-01T09:00", "Europe/Berlin",
			0, "2026-06-01T10:00:00+02:00", "2026-06-01T09:00:00+02:00", 0, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			segment := flight.Segment{
				Departure: wall(t, tt.departure), Arrival: wall(t, tt.arrival), Duration: time.Duration(tt.given) * time.Minute,
			}
			agrees := PlaceSegment(&segment, zone(t, tt.from), zone(t, tt.to))
			if segment.Departure.String() != tt.wantDeparture || segment.Arrival.String() != tt.wantArrival {
				t.Errorf("placed at %v and %v, want %s and %s", segment.Departure, segment.Arrival, tt.wantDeparture, tt.wantArrival)
			}
			if segment.Duration != time.Duration(tt.want)*time.Minute || agrees != tt.agrees {
				t.Errorf("takes %v, agrees %t; want %d minutes, %t", segment.Duration, agrees, tt.want, tt.agrees)
			}
		})
	}
}

func TestPlaceSlice(t *testing.T) {
	t.Parallel()
	segment := func(from, departure, arrival string, length time.Duration) flight.Segment {
		s := flight.Segment{Departure: wall(t, departure), Arrival: wall(t, arrival), Duration: length}
		PlaceSegment(&s, zone(t, from), zone(t, from))
		return s
	}
	first := segment("Europe/Berlin", "2026-06-01T10:00", "2026-06-01T11:00", time.Hour)
	second := segment("Europe/Berlin", "2026-06-01T13:00", "2026-06-01T14:30", 90*time.Minute)
	odd := segment("Europe/Berlin", "2026-06-01T10:00", "2026-06-01T11:00", 2*time.Hour)
	nowhere := segment("", "2026-06-01T13:00", "2026-06-01T14:30", 90*time.Minute)
	tests := []struct {
		name     string
		segments []flight.Segment
		given    time.Duration
		want     time.Duration
		agrees   bool
	}{
		{"by the zones", []flight.Segment{first, second}, 0, 270 * time.Minute, true},
		{"the provider agrees", []flight.Segment{first, second}, 270 * time.Minute, 270 * time.Minute, true},
		{"the provider wins", []flight.Segment{first, second}, time.Hour, time.Hour, false},
		{"one segment's own duration", []flight.Segment{odd}, 0, 2 * time.Hour, true},
		{"unknown zones", []flight.Segment{first, nowhere}, 0, 0, true},
		{"unknown zones, known duration", []flight.Segment{first, nowhere}, 5 * time.Hour, 5 * time.Hour, true},
		{"backwards in time", []flight.Segment{second, first}, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			slice := flight.Slice{Segments: tt.segments, Duration: tt.given}
			if agrees := PlaceSlice(&slice); slice.Duration != tt.want || agrees != tt.agrees {
				t.Errorf("takes %v, agrees %t; want %v, %t", slice.Duration, agrees, tt.want, tt.agrees)
			}
		})
	}
}

func TestModeOf(t *testing.T) {
	t.Parallel()
	for equipment, want := range map[string]flight.Mode{
		"77W": flight.ModeFlight, "": flight.ModeFlight, "???": flight.ModeFlight,
		"TRN": flight.ModeRail, "TRS": flight.ModeRail, "ICE": flight.ModeRail, "BUS": flight.ModeBus,
	} {
		if got := ModeOf(equipment); got != want {
			t.Errorf("%q is a %s, want %s", equipment, got, want)
		}
	}
}
