package duffel

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBags(t *testing.T) {
	t.Parallel()
	list := func(pairs ...any) []wireBaggage {
		var all []wireBaggage
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, wireBaggage{Type: pairs[i].(string), Quantity: scalar(fmt.Sprint(pairs[i+1]))})
		}
		return all
	}
	none, one, two := 0, 1, 2
	tests := []struct {
		name string
		// bags of the adult and the infant on the first and the second segment.
		first, second, infant []wireBaggage
		checked               *int
	}{
		{"the same everywhere", list("checked", 1), list("checked", 1), nil, &one},
		{"the least counts", list("checked", 2), list("checked", 1), nil, &one},
		{"none on one segment", list("checked", 2), list("checked", 0), nil, &none},
		{"an infant has less", list("checked", 1), list("checked", 1), list("checked", 0), &one},
		{"unknown on one segment", list("checked", 2), list(), nil, nil},
		{"none beats unknown", list("checked", 0), list(), nil, &none},
		{"other bags", list("carry_on", 1), list("carry_on", 1), nil, nil},
		{"no number", list("checked", "many"), list("checked", "many"), nil, nil},
		{"two entries add up", list("checked", 1, "checked", 1), list("checked", 3), nil, &two},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wire := wireOffer{
				Passengers: []wireTraveller{{ID: "a", Type: "adult"}, {ID: "i", Age: &one}},
				Slices: []wireSlice{{Segments: []wireSegment{
					{Passengers: []wirePassenger{{ID: "a", Baggages: tt.first}, {ID: "i", Baggages: tt.infant}}},
					{Passengers: []wirePassenger{{ID: "a", Baggages: tt.second}}},
				}}},
			}
			if checked, _ := bags(wire); !cmp.Equal(tt.checked, checked) {
				t.Errorf("got %s, want %s", cmp.Diff(nil, checked), cmp.Diff(nil, tt.checked))
			}
		})
	}
}

func TestBagsOfNobody(t *testing.T) {
	t.Parallel()
	one := scalar("1")
	adult := []wirePassenger{{ID: "a", Baggages: []wireBaggage{{Type: "checked", Quantity: one}, {Type: "carry_on", Quantity: one}}}}
	wire := wireOffer{Slices: []wireSlice{{Segments: []wireSegment{{Passengers: adult}, {}}}}}
	if checked, carryOn := bags(wire); checked != nil || carryOn != nil {
		t.Errorf("%v checked and %v carry-on where a segment tells of nobody", *checked, *carryOn)
	}
}

// The airline's own type counts before the age that was asked with: it may seat
// an infant.
func TestOnLap(t *testing.T) {
	t.Parallel()
	one, seven := 1, 7
	party := []wireTraveller{
		{ID: "lap", Type: "infant_without_seat"},
		{ID: "young", Age: &one},
		{ID: "seated", Type: "child", Age: &one},
		{ID: "child", Age: &seven},
		{ID: "adult", Type: "adult"},
		{ID: "untold"},
	}
	var got []string
	for _, traveller := range party {
		if onLap(party, traveller.ID) {
			got = append(got, traveller.ID)
		}
	}
	if diff := cmp.Diff([]string{"lap", "young"}, got); diff != "" || onLap(party, "stranger") {
		t.Errorf("on a lap (-want +got):\n%s", diff)
	}
}

func TestSelfTransfer(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for kind, want := range map[string]*bool{"split_ticket": &yes, "single_ticket": &no, "": nil, "half_ticket": nil} {
		if got := selfTransfer(kind); !cmp.Equal(want, got) {
			t.Errorf("%q: %s", kind, cmp.Diff(want, got))
		}
	}
}

func TestScalar(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]scalar{
		`"178"`: "178", `178`: "178", `-1.50`: "-1.50", `" 5 "`: "5", `"\u0035"`: "5", `null`: "", `{"a": 1}`: "", `[1]`: "", `true`: "",
	} {
		got := scalar("before")
		if err := json.Unmarshal([]byte(text), &got); err != nil || text != "null" && got != want {
			t.Errorf("%s is %q, %v; want %q", text, got, err, want)
		}
	}
}
