package flight_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// asked is a return trip for a family; change makes another question of it.
func asked(tb testing.TB, change func(*flight.Query)) flight.Query {
	tb.Helper()
	q := flight.Query{
		Slices: []flight.SliceQuery{
			{Origin: "JFK", Destination: "LHR", Departure: date(tb, "2026-12-15")},
			{Origin: "LHR", Destination: "JFK", Departure: date(tb, "2026-12-22")},
		},
		Passengers: flight.Passengers{Adults: 2, ChildAges: []int{5, 11}, Infants: 1},
		Cabin:      flight.CabinEconomy,
	}
	if change != nil {
		change(&q)
	}
	return q
}

func TestQueryKeyIsReadable(t *testing.T) {
	tests := map[string]struct {
		query flight.Query
		want  string
	}{
		"return for a family": {asked(t, nil), "JFK-LHR@2026-12-15/LHR-JFK@2026-12-22/a2,c5.11,i1/economy"},
		"one way for one": {
			flight.Query{
				Slices:     []flight.SliceQuery{{Origin: "JFK", Destination: "LON", Departure: date(t, "2026-12-15")}},
				Passengers: flight.Passengers{Adults: 1}, Cabin: flight.CabinFirst,
			},
			"JFK-LON@2026-12-15/a1,c,i0/first",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.query.Key()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestQueryKeyTellsQuestionsApart(t *testing.T) {
	tests := map[string]struct {
		change func(*flight.Query)
		same   bool
	}{
		"children in another order":                  {func(q *flight.Query) { q.Passengers.ChildAges = []int{11, 5} }, true},
		"small letters and blanks (amree/teecket#4)": {func(q *flight.Query) { q.Slices[1].Origin = " lhr " }, true},
		"another origin":                             {func(q *flight.Query) { q.Slices[0].Origin = "EWR" }, false},
		"another destination":                        {func(q *flight.Query) { q.Slices[1].Destination = "EWR" }, false},
		"another day":                                {func(q *flight.Query) { q.Slices[1].Departure = date(t, "2026-12-23") }, false},
		"one way":                                    {func(q *flight.Query) { q.Slices = q.Slices[:1] }, false},
		"a third adult":                              {func(q *flight.Query) { q.Passengers.Adults = 3 }, false},
		"one child":                                  {func(q *flight.Query) { q.Passengers.ChildAges = []int{5} }, false},
		"no children":                                {func(q *flight.Query) { q.Passengers.ChildAges = nil }, false},
		"a child of another age":                     {func(q *flight.Query) { q.Passengers.ChildAges = []int{5, 12} }, false},
		"no infant":                                  {func(q *flight.Query) { q.Passengers.Infants = 0 }, false},
		"business":                                   {func(q *flight.Query) { q.Cabin = flight.CabinBusiness }, false},
	}
	first := asked(t, nil)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			q := asked(t, test.change)
			if got := q.Key() == first.Key(); got != test.same {
				t.Errorf("same question: %v, want %v\n%s\n%s", got, test.same, first.Key(), q.Key())
			}
			if got := cmp.Equal(q.Normalised(), first.Normalised()); got != test.same {
				t.Errorf("equal when normalised: %v, want %v\n%+v", got, test.same, q.Normalised())
			}
		})
	}
}

func TestNormalisedLeavesTheQuestionAlone(t *testing.T) {
	untidy := func(q *flight.Query) { q.Passengers.ChildAges, q.Slices[0].Origin = []int{11, 5}, " jfk" }
	q := asked(t, untidy)
	_, _ = q.Normalised(), q.Key()
	if diff := cmp.Diff(asked(t, untidy), q); diff != "" {
		t.Errorf("the question was changed (-want +got):\n%s", diff)
	}
}

func TestNormalisedTakesNoChildrenForNone(t *testing.T) {
	q := asked(t, func(q *flight.Query) { q.Passengers.ChildAges = []int{} }).Normalised()
	if q.Passengers.ChildAges != nil {
		t.Errorf("ages = %#v, want nil", q.Passengers.ChildAges)
	}
}

func TestIsReturn(t *testing.T) {
	tests := map[string]struct {
		change func(*flight.Query)
		want   bool
	}{
		"out and back":         {nil, true},
		"one way":              {func(q *flight.Query) { q.Slices = q.Slices[:1] }, false},
		"back from elsewhere":  {func(q *flight.Query) { q.Slices[1].Origin = "LGW" }, false},
		"back to elsewhere":    {func(q *flight.Query) { q.Slices[1].Destination = "EWR" }, false},
		"three slices":         {func(q *flight.Query) { q.Slices = append(q.Slices, q.Slices[0]) }, false},
		"twice the same slice": {func(q *flight.Query) { q.Slices[1] = q.Slices[0] }, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := asked(t, test.change).IsReturn(); got != test.want {
				t.Errorf("IsReturn() = %v, want %v", got, test.want)
			}
		})
	}
}

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]string{
		"LHR": "LHR", " lhr ": "LHR", "Lon": "LON", "\tnyc\n": "NYC",
		"": "", "LH": "", "LHRX": "", "L1R": "", "L R": "", "LHÄ": "", "ÄÖ": "", "ſtn": "", "EGLL": "",
	} {
		got, err := flight.ParsePlace(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("ParsePlace(%q) = %q, %v; want %q", text, got, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "three letters") {
			t.Errorf("ParsePlace(%q): %q does not say what a code is", text, err)
		}
	}
}

func TestParseCabin(t *testing.T) {
	for _, want := range []flight.Cabin{flight.CabinEconomy, flight.CabinPremiumEconomy, flight.CabinBusiness, flight.CabinFirst} {
		if got, err := flight.ParseCabin(string(want)); got != want || err != nil {
			t.Errorf("ParseCabin(%q) = %q, %v", want, got, err)
		}
	}
	for _, text := range []string{"", "Economy", "coach", "premium economy"} {
		got, err := flight.ParseCabin(text)
		if got != flight.CabinUnknown || err == nil || !strings.Contains(err.Error(), "premium_economy") {
			t.Errorf("ParseCabin(%q) = %q, %v; want an error that lists the cabins", text, got, err)
		}
	}
}

func TestPartySize(t *testing.T) {
	party := flight.Passengers{Adults: 2, ChildAges: []int{7}, Infants: 1}
	if got := []int{party.Seats(), party.Total()}; !cmp.Equal(got, []int{3, 4}) {
		t.Errorf("seats and travellers = %v, want 3 and 4", got)
	}
}

func december(day int) flight.Date {
	return flight.Date{Year: 2026, Month: time.December, Day: day}
}

// drawQuery draws from so few places, days and ages that equal questions are
// frequent.
func drawQuery(t *rapid.T) flight.Query {
	slice := rapid.Custom(func(t *rapid.T) flight.SliceQuery {
		place := rapid.SampledFrom([]string{"JFK", "LHR"})
		return flight.SliceQuery{
			Origin: place.Draw(t, "origin"), Destination: place.Draw(t, "destination"),
			Departure: december(rapid.SampledFrom([]int{15, 22}).Draw(t, "day")),
		}
	})
	return flight.Query{
		Slices: rapid.SliceOfN(slice, 1, 2).Draw(t, "slices"),
		Passengers: flight.Passengers{
			Adults:    rapid.IntRange(1, 12).Draw(t, "adults"),
			ChildAges: rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 11, 12}), 0, 3).Draw(t, "ages"),
			Infants:   rapid.IntRange(0, 2).Draw(t, "infants"),
		},
		Cabin: rapid.SampledFrom([]flight.Cabin{flight.CabinEconomy, flight.CabinFirst}).Draw(t, "cabin"),
	}
}

func TestQueryKeyIsEqualExactlyForEqualQuestions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawQuery(t), drawQuery(t)
		if rapid.Bool().Draw(t, "nearly the same") {
			b.Slices, b.Passengers.Adults, b.Cabin = a.Slices, a.Passengers.Adults, a.Cabin
		}
		same := slices.Equal(a.Slices, b.Slices) && a.Cabin == b.Cabin &&
			a.Passengers.Adults == b.Passengers.Adults && a.Passengers.Infants == b.Passengers.Infants &&
			slices.Equal(slices.Sorted(slices.Values(a.Passengers.ChildAges)), slices.Sorted(slices.Values(b.Passengers.ChildAges)))
		if (a.Key() == b.Key()) != same || cmp.Equal(a.Normalised(), b.Normalised()) != same {
			t.Fatalf("same question: %v, keys\n%s\n%s", same, a.Key(), b.Key())
		}
	})
}

func TestQueryKeyIgnoresCaseBlanksAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		key := q.Key()
		q.Slices = slices.Clone(q.Slices)
		for i := range q.Slices {
			q.Slices[i].Origin = " " + strings.ToLower(q.Slices[i].Origin)
			q.Slices[i].Destination = strings.ToLower(q.Slices[i].Destination) + "\t"
		}
		q.Passengers.ChildAges = rapid.Permutation(q.Passengers.ChildAges).Draw(t, "ages in another order")
		if q.Key() != key {
			t.Fatalf("became another question:\n%s\n%s", key, q.Key())
		}
	})
}
