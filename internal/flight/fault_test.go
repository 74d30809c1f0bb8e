package flight_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestFaults(t *testing.T) {
	whole := func(field, detail string) flight.Fault {
		return flight.Fault{Field: field, Slice: flight.NoSlice, Detail: detail}
	}
	tests := map[string]struct {
		change func(*flight.Query)
		want   []flight.Fault
	}{
		"nothing wrong":          {nil, nil},
		"as many as can be":      {func(q *flight.Query) { q.Passengers = flight.Passengers{Adults: 9, Infants: 9} }, nil},
		"one adult, 8 children":  {func(q *flight.Query) { q.Passengers = flight.Passengers{Adults: 1, ChildAges: ages(8, 2)} }, nil},
		"a child of 17":          {func(q *flight.Query) { q.Passengers.ChildAges = []int{17} }, nil},
		"back on the same day":   {func(q *flight.Query) { q.Slices[1].Departure = q.Slices[0].Departure }, nil},
		"six slices":             {func(q *flight.Query) { q.Slices = there(t, 6) }, nil},
		"small letters, blanks":  {func(q *flight.Query) { q.Slices[0].Origin = " jfk " }, nil},
		"open jaw, other places": {func(q *flight.Query) { q.Slices[1].Origin = "CDG" }, nil},

		"more infants than laps (fli#194)": {
			func(q *flight.Query) { q.Passengers = flight.Passengers{Adults: 1, Infants: 2} },
			[]flight.Fault{whole(flight.FieldInfants, "must be 0 to 1, not 2: each sits on the lap of an adult of its own")},
		},
		"ten seats (fli#194)": {
			func(q *flight.Query) { q.Passengers = flight.Passengers{Adults: 9, ChildAges: ages(1, 8)} },
			[]flight.Fault{whole(flight.FieldChildren, "must be at most 0, not 1: adults and children together can book 9 seats at once")},
		},
		"a child alone (fli#194)": {
			func(q *flight.Query) { q.Passengers = flight.Passengers{ChildAges: ages(1, 8)} },
			[]flight.Fault{whole(flight.FieldAdults, "must be 1 to 9, not 0; children travel with an adult")},
		},
		"an infant alone is one fault": {
			func(q *flight.Query) { q.Passengers = flight.Passengers{Infants: 1} },
			[]flight.Fault{whole(flight.FieldAdults, "must be 1 to 9, not 0; children travel with an adult")},
		},
		"nine children alone are two": {
			func(q *flight.Query) { q.Passengers = flight.Passengers{ChildAges: ages(9, 8)} },
			[]flight.Fault{
				whole(flight.FieldAdults, "must be 1 to 9, not 0; children travel with an adult"),
				whole(flight.FieldChildren, "must be at most 8, not 9: adults and children together can book 9 seats at once"),
			},
		},
		"89 adults and a child are one fault (amadeus-python#187)": {
			func(q *flight.Query) { q.Passengers = flight.Passengers{Adults: 89, ChildAges: ages(1, 8), Infants: 9} },
			[]flight.Fault{whole(flight.FieldAdults, "must be 1 to 9, not 89; children travel with an adult")},
		},
		"negative numbers": {
			func(q *flight.Query) { q.Passengers = flight.Passengers{Adults: -1, Infants: -1} },
			[]flight.Fault{
				whole(flight.FieldAdults, "must be 1 to 9, not -1; children travel with an adult"),
				whole(flight.FieldInfants, "must be 0 to 1, not -1: each sits on the lap of an adult of its own"),
			},
		},
		"ages, each once": {
			func(q *flight.Query) { q.Passengers.ChildAges = []int{1, 18, 7, 1, -3} },
			[]flight.Fault{whole(flight.FieldChildAges, "must be 2 to 17, not 1, 18, -3; count a child under 2 in infants and a person over 17 in adults")},
		},
		"there and there (LHR to LHR)": {
			func(q *flight.Query) { q.Slices = []flight.SliceQuery{{"LHR", " lhr", date(t, "2026-12-15")}} },
			[]flight.Fault{{flight.FieldDestination, 0, "is the same place as the origin, LHR; choose another"}},
		},
		"no places, no date": {
			func(q *flight.Query) { q.Slices = []flight.SliceQuery{{Destination: " "}} },
			[]flight.Fault{
				{flight.FieldOrigin, 0, "is missing; write an IATA airport or city code, for example JFK or LON"},
				{flight.FieldDestination, 0, "is missing; write an IATA airport or city code, for example JFK or LON"},
				{flight.FieldDeparture, 0, "is missing; write it as YYYY-MM-DD"},
			},
		},
		"the same nonsense twice is not the same place": {
			func(q *flight.Query) { q.Slices = []flight.SliceQuery{{"L0N", "L0N", date(t, "2026-12-15")}} },
			[]flight.Fault{
				{flight.FieldOrigin, 0, `"L0N" is not an IATA airport or city code; write three letters, for example JFK or LON`},
				{flight.FieldDestination, 0, `"L0N" is not an IATA airport or city code; write three letters, for example JFK or LON`},
			},
		},
		"back the day before (va.gov-team#130323)": {
			func(q *flight.Query) { q.Slices[1].Departure = date(t, "2026-12-14") },
			[]flight.Fault{{flight.FieldDeparture, 1, "2026-12-14 is before the departure ahead of it, 2026-12-15; choose that day or a later one"}},
		},
		"a day too early behind one without a date": {
			func(q *flight.Query) {
				q.Slices = there(t, 3)
				q.Slices[1].Departure, q.Slices[2].Departure = flight.Date{}, date(t, "2026-12-14")
			},
			[]flight.Fault{
				{flight.FieldDeparture, 1, "is missing; write it as YYYY-MM-DD"},
				{flight.FieldDeparture, 2, "2026-12-14 is before the departure ahead of it, 2026-12-15; choose that day or a later one"},
			},
		},
		"no slices": {
			func(q *flight.Query) { q.Slices = nil },
			[]flight.Fault{whole(flight.FieldSlices, "must be 1 to 6, one for each direction of travel, not 0")},
		},
		"seven slices, one of them wrong": {
			func(q *flight.Query) { q.Slices = there(t, 7); q.Slices[2].Origin = "X" },
			[]flight.Fault{
				whole(flight.FieldSlices, "must be 1 to 6, one for each direction of travel, not 7"),
				{flight.FieldOrigin, 2, `"X" is not an IATA airport or city code; write three letters, for example JFK or LON`},
			},
		},
		"no cabin": {
			func(q *flight.Query) { q.Cabin = flight.CabinUnknown },
			[]flight.Fault{whole(flight.FieldCabin, `"" is not a cabin; use economy, premium_economy, business or first`)},
		},
		"everything at once": {
			func(q *flight.Query) {
				q.Slices[0].Origin, q.Slices[1].Destination, q.Cabin = "", "J", "coach"
				q.Passengers = flight.Passengers{Adults: 10, Infants: 11, ChildAges: []int{1}}
			},
			[]flight.Fault{
				{flight.FieldOrigin, 0, "is missing; write an IATA airport or city code, for example JFK or LON"},
				{flight.FieldDestination, 1, `"J" is not an IATA airport or city code; write three letters, for example JFK or LON`},
				whole(flight.FieldAdults, "must be 1 to 9, not 10; children travel with an adult"),
				whole(flight.FieldChildAges, "must be 2 to 17, not 1; count a child under 2 in infants and a person over 17 in adults"),
				whole(flight.FieldInfants, "must be 0 to 9, not 11: each sits on the lap of an adult of its own"),
				whole(flight.FieldCabin, `"coach" is not a cabin; use economy, premium_economy, business or first`),
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, asked(t, test.change).Faults()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// ages is a party of children.
func ages(n, age int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = age
	}
	return all
}

// there is a journey of n slices on consecutive days.
func there(tb testing.TB, n int) []flight.SliceQuery {
	tb.Helper()
	all := make([]flight.SliceQuery, n)
	for i := range all {
		all[i] = flight.SliceQuery{Origin: "JFK", Destination: "LHR", Departure: date(tb, "2026-12-15").AddDays(i)}
	}
	return all
}

// However large and however wrong the request, its list of faults is short and
// names no slice that the question cannot have.
func TestFaultsAreBounded(t *testing.T) {
	q := flight.Query{Slices: make([]flight.SliceQuery, 10_000), Passengers: flight.Passengers{Infants: 10_000}}
	for age := range 10_000 {
		q.Passengers.ChildAges = append(q.Passengers.ChildAges, 18+age)
	}
	faults := q.Faults()
	if n := len(faults); n > 1+3*flight.MaxSlices+5 {
		t.Errorf("%d faults", n)
	}
	for _, f := range faults {
		if f.Slice >= flight.MaxSlices || len(f.Detail) > 300 {
			t.Errorf("fault %+v", f)
		}
	}
}

// Nothing is said twice of one field.
func TestFaultsAreEachSaidOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := flight.Query{
			Slices: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) flight.SliceQuery {
				place := rapid.SampledFrom([]string{"JFK", "lhr", "", "X"})
				day := rapid.SampledFrom([]flight.Date{{}, december(15), december(16)})
				return flight.SliceQuery{Origin: place.Draw(t, "origin"), Destination: place.Draw(t, "destination"), Departure: day.Draw(t, "day")}
			}), 0, 8).Draw(t, "slices"),
			Passengers: flight.Passengers{
				Adults:    rapid.IntRange(-1, 11).Draw(t, "adults"),
				ChildAges: rapid.SliceOfN(rapid.IntRange(0, 19), 0, 10).Draw(t, "ages"),
				Infants:   rapid.IntRange(-1, 11).Draw(t, "infants"),
			},
			Cabin: rapid.SampledFrom([]flight.Cabin{"", "economy", "coach"}).Draw(t, "cabin"),
		}
		type place struct {
			field string
			slice int
		}
		seen := map[place]bool{}
		for _, f := range q.Faults() {
			at := place{f.Field, f.Slice}
			if seen[at] {
				t.Fatalf("two faults of %v: %+v", at, q.Faults())
			}
			seen[at] = true
			if strings.TrimSpace(f.Detail) == "" || strings.Contains(f.Detail, "%!") {
				t.Fatalf("fault %+v says nothing", f)
			}
		}
	})
}
