package wire

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func drawQuery(t *rapid.T) flight.Query {
	q := flight.Query{Cabin: rapid.SampledFrom(cabins[:]).Draw(t, "cabin")}
	place := rapid.StringMatching(`[A-Z]{3}`)
	for range rapid.IntRange(1, flight.MaxSlices).Draw(t, "slices") {
		q.Slices = append(q.Slices, flight.SliceQuery{
			Origin: place.Draw(t, "origin"), Destination: place.Draw(t, "destination"),
			Departure: dayZero.AddDays(rapid.IntRange(0, 40_000).Draw(t, "date")),
		})
	}
	q.Passengers.Adults = rapid.IntRange(1, 9).Draw(t, "adults")
	q.Passengers.Infants = rapid.IntRange(0, 9).Draw(t, "infants")
	q.Passengers.ChildAges = rapid.SliceOfN(rapid.IntRange(2, 17), 0, 8).Draw(t, "ages")
	if len(q.Passengers.ChildAges) == 0 {
		q.Passengers.ChildAges = nil
	}
	return q
}

func TestTokensCarryTheQuestion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		token := Pack(q)
		got, err := Unpack(token)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(q, got); diff != "" {
			t.Fatal(diff)
		}
		if _, err := Unpack(token[:rapid.IntRange(0, len(token)-1).Draw(t, "cut")]); err == nil {
			t.Fatal("a part of the token is taken for a token")
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add(Pack(flight.Query{Slices: []flight.SliceQuery{{Origin: "JFK", Destination: "LHR", Departure: dayZero}}, Passengers: flight.Passengers{Adults: 1}, Cabin: flight.CabinEconomy}))
	f.Add("")
	f.Add("0000AGqEDmRmLG3liMrI12")
	f.Fuzz(func(t *testing.T, token string) {
		if q, err := Unpack(token); err == nil && Pack(q) != token {
			t.Errorf("%q is %+v, which packs as %q", token, q, Pack(q))
		}
	})
}

func TestStamps(t *testing.T) {
	stamp := Stamp{Made: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Nonce: 0xfedcba98}
	packed := stamp.Pack()
	if len(packed) != StampLength {
		t.Errorf("%q has %d letters, not %d", packed, len(packed), StampLength)
	}
	got, err := UnpackStamp(packed)
	if err != nil || got != stamp {
		t.Errorf("%+v comes back as %+v, %v", stamp, got, err)
	}
	if _, err := UnpackStamp("no stamp"); err == nil {
		t.Error("anything is a stamp")
	}
}
