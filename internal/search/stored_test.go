package search

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

func storedExample(tb testing.TB) providers.Answer {
	tb.Helper()
	basic := offer("a", usd(400_00), ba178(tb))
	basic.CheckedBags, basic.Brands, basic.ExpiresAt = new(0), []string{"Basic"}, noon
	plus := offer("b", usd(450_00), ba178(tb))
	plus.CheckedBags, plus.Refundable = new(1), new(true)
	business := offer("c", usd(1900_00), ba178(tb))
	business.Itinerary.Slices[0].Segments[0].Cabin = flight.CabinBusiness
	other := offer("d", usd(300_00), viaDublin(tb))
	other.FetchedAt = noon.Add(-time.Minute)
	return providers.Answer{
		Offers: []flight.Offer{basic, plus, business, other}, Rejects: map[providers.Reject]int{providers.RejectPrice: 2},
		Mismatches: 1, Cut: true, Warnings: []string{"list was cut"},
	}
}

func TestAnAnswerIsKeptWhole(t *testing.T) {
	want := storedExample(t)
	kept, err := encodeAnswer(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeAnswer(kept)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(flight.LocalTime{})); diff != "" {
		t.Error(diff)
	}
	if n := bytes.Count(kept, []byte(`"flight_number":"178"`)); n != 2 {
		t.Errorf("flight 178 is written %d times, want once for each cabin", n)
	}
}

func TestEntriesThatCannotBeUsedAreRefused(t *testing.T) {
	for _, wrong := range []string{
		``, `{`, `[]`, `{"offers":[{"at":0}]}`, `{"itineraries":[{"slices":[]}],"offers":[{"at":0}]}`,
		`{"itineraries":[{"slices":[{"segments":[]}]}],"offers":[{"at":0}]}`, `{"itineraries":[7],"offers":[]}`,
		`{"itineraries":[{"slices":[{"segments":[{}]}]}],"offers":[{"at":-1}]}`,
	} {
		if _, err := decodeAnswer([]byte(wrong)); err == nil {
			t.Errorf("%q was taken for an answer", wrong)
		}
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	kept, err := encodeAnswer(storedExample(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept)
	f.Add([]byte(`{"itineraries":[{"slices":[{"segments":[{}]}]}],"offers":[{"at":0}]}`))
	f.Fuzz(func(_ *testing.T, b []byte) {
		answer, err := decodeAnswer(b)
		if err != nil {
			return
		}
		for _, o := range answer.Offers {
			o.Itinerary.ID()
			o.Itinerary.Stops()
		}
	})
}

func BenchmarkDecodeAnswer(b *testing.B) {
	var answer providers.Answer
	for range 100 {
		answer.Offers = append(answer.Offers, storedExample(b).Offers...)
	}
	kept, err := encodeAnswer(answer)
	if err != nil {
		b.Fatal(err)
	}
	plain, err := json.Marshal(answer)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("shared itineraries", func(b *testing.B) {
		b.ReportMetric(float64(len(kept)), "bytes")
		for b.Loop() {
			if _, err := decodeAnswer(kept); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		b.ReportMetric(float64(len(plain)), "bytes")
		for b.Loop() {
			var a providers.Answer
			if err := json.Unmarshal(plain, &a); err != nil {
				b.Fatal(err)
			}
		}
	})
}
