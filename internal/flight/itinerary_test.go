package flight_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// leg is a segment of which only the way and the times matter.
func leg(tb testing.TB, from, departure, to, arrival string) flight.Segment {
	tb.Helper()
	return flight.Segment{Origin: from, Departure: local(tb, departure), Destination: to, Arrival: local(tb, arrival)}
}

func TestSliceEnds(t *testing.T) {
	s := flight.Slice{Segments: []flight.Segment{
		leg(t, "SFO", "2026-12-15T14:35:00-08:00", "FRA", "2026-12-16T10:25:00+01:00"),
		leg(t, "FRA", "2026-12-16T11:45:00+01:00", "BER", "2026-12-16T12:55:00+01:00"),
	}}
	type ends struct{ Origin, Departure, Destination, Arrival string }
	got := ends{s.Origin(), s.Departure().String(), s.Destination(), s.Arrival().String()}
	want := ends{"SFO", "2026-12-15T14:35:00-08:00", "BER", "2026-12-16T12:55:00+01:00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A touch-down under one flight number is a stop (travelport-uapi-tutorial-php#63),
// and stops are counted for each slice by itself (IATA ONE-Record#164).
func TestStops(t *testing.T) {
	direct := flight.Slice{Segments: make([]flight.Segment, 1)}
	connecting := flight.Slice{Segments: make([]flight.Segment, 2)}
	touching := flight.Slice{Segments: []flight.Segment{{Stops: []flight.Stop{{Airport: "AMS"}}}}}
	both := flight.Slice{Segments: []flight.Segment{{Stops: []flight.Stop{{Airport: "AMS"}, {Airport: "CDG"}}}, {}}}
	tests := map[string]struct {
		slices []flight.Slice
		each   []int
		sum    int
	}{
		"non-stop":                        {[]flight.Slice{direct}, []int{0}, 0},
		"one connection":                  {[]flight.Slice{connecting}, []int{1}, 1},
		"one flight number, touches down": {[]flight.Slice{touching}, []int{1}, 1},
		"touches down twice and connects": {[]flight.Slice{both}, []int{3}, 3},
		"connects out, none back":         {[]flight.Slice{connecting, direct}, []int{1, 0}, 1},
		"none out, connects back":         {[]flight.Slice{direct, connecting}, []int{0, 1}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var each []int
			for _, s := range test.slices {
				each = append(each, s.Stops())
			}
			if diff := cmp.Diff(test.each, each); diff != "" {
				t.Errorf("stops of the slices (-want +got):\n%s", diff)
			}
			if got := (flight.Itinerary{Slices: test.slices}).Stops(); got != test.sum {
				t.Errorf("stops of the itinerary = %d, want %d", got, test.sum)
			}
		})
	}
}

// One price and two slices (trvl#339); a slice of two segments arrives when the
// last of them does (gotry#527).
func TestReturnTrip(t *testing.T) {
	it := journey(t)
	if got := it.Slices[0].Arrival().Wall(); got != "2026-12-16T12:55:00" {
		t.Errorf("outbound arrives %s, want the last segment's arrival", got)
	}
	if got := []int{len(it.Slices), it.Slices[0].Stops(), it.Slices[1].Stops()}; !cmp.Equal(got, []int{2, 1, 1}) {
		t.Errorf("slices and their stops = %v, want 2, 1, 1", got)
	}
}

func TestItineraryDuration(t *testing.T) {
	tests := map[string]struct {
		slices []time.Duration
		want   time.Duration
	}{
		"one way":              {[]time.Duration{415 * time.Minute}, 415 * time.Minute},
		"return":               {[]time.Duration{415 * time.Minute, 480 * time.Minute}, 895 * time.Minute},
		"one slice is unknown": {[]time.Duration{415 * time.Minute, 0}, 0},
		"none":                 {nil, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var it flight.Itinerary
			for _, d := range test.slices {
				it.Slices = append(it.Slices, flight.Slice{Duration: d})
			}
			if got := it.Duration(); got != test.want {
				t.Errorf("Duration() = %v, want %v", got, test.want)
			}
		})
	}
}

func TestLayovers(t *testing.T) {
	tests := map[string]struct {
		segments []flight.Segment
		want     []time.Duration
	}{
		"non-stop": {
			[]flight.Segment{leg(t, "JFK", "2026-12-15T18:30:00-05:00", "LHR", "2026-12-16T06:25:00+00:00")},
			[]time.Duration{},
		},
		"over night (duffel-components#270)": {
			[]flight.Segment{
				leg(t, "SIN", "2026-09-02T07:00:00+08:00", "HND", "2026-09-02T15:10:00+09:00"),
				leg(t, "HND", "2026-09-03T10:40:00+09:00", "SFO", "2026-09-03T04:20:00-07:00"),
			},
			[]time.Duration{1170 * time.Minute},
		},
		"while the clocks go back": {
			[]flight.Segment{
				leg(t, "LHR", "2026-10-24T21:00:00+01:00", "FRA", "2026-10-24T23:30:00+02:00"),
				leg(t, "FRA", "2026-10-25T06:00:00+01:00", "BER", "2026-10-25T07:10:00+01:00"),
			},
			[]time.Duration{450 * time.Minute},
		},
		"the second of two is unknown": {
			[]flight.Segment{
				leg(t, "JFK", "2026-12-15T18:30:00-05:00", "LHR", "2026-12-16T06:25:00+00:00"),
				leg(t, "LHR", "2026-12-16T07:25:00+00:00", "QQQ", "2026-12-16T09:00:00"),
				leg(t, "QQQ", "2026-12-16T10:00:00", "BER", "2026-12-16T12:00:00+01:00"),
			},
			[]time.Duration{time.Hour, 0},
		},
		"leaves before the other lands": {
			[]flight.Segment{
				leg(t, "JFK", "2026-12-15T18:30:00-05:00", "LHR", "2026-12-16T06:25:00+00:00"),
				leg(t, "LHR", "2026-12-16T06:05:00+00:00", "BER", "2026-12-16T09:00:00+01:00"),
			},
			[]time.Duration{0},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, flight.Slice{Segments: test.segments}.Layovers()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAirportChange(t *testing.T) {
	tests := map[string]struct {
		way  [][2]string
		want bool
	}{
		"non-stop":               {[][2]string{{"JFK", "LHR"}}, false},
		"connects at Heathrow":   {[][2]string{{"JFK", "LHR"}, {"LHR", "BER"}}, false},
		"connects twice":         {[][2]string{{"SFO", "JFK"}, {"JFK", "LHR"}, {"LHR", "BER"}}, false},
		"from Heathrow to City":  {[][2]string{{"JFK", "LHR"}, {"LCY", "BER"}}, true},
		"at the last connection": {[][2]string{{"SFO", "JFK"}, {"JFK", "LHR"}, {"LCY", "BER"}}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var s flight.Slice
			for _, w := range test.way {
				s.Segments = append(s.Segments, flight.Segment{Origin: w[0], Destination: w[1]})
			}
			if got := s.AirportChange(); got != test.want {
				t.Errorf("AirportChange() = %v, want %v", got, test.want)
			}
		})
	}
}

func TestCarrierKnown(t *testing.T) {
	for carrier, want := range map[flight.Carrier]bool{
		{}: false, {Code: "BA"}: true, {Name: "easyJet"}: true, {Code: "BA", Name: "British Airways"}: true,
	} {
		if got := carrier.Known(); got != want {
			t.Errorf("%+v.Known() = %v, want %v", carrier, got, want)
		}
	}
}

// What is cached is read back as it was, unknown facts included.
func TestItineraryJSONRoundTrips(t *testing.T) {
	want := journey(t)
	first := &want.Slices[0].Segments[0]
	first.Departure = local(t, "2026-12-15T14:35:00-08:00")
	first.Stops = []flight.Stop{{Airport: "YYZ", Arrival: local(t, "2026-12-15T20:00:00"), Duration: time.Hour}, {Airport: "KEF"}}
	first.Operating = flight.Carrier{}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got flight.Itinerary
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b flight.LocalTime) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
