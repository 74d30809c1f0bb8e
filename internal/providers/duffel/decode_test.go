package duffel

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

var update = flag.Bool("update", false, "write the golden files anew")

func decodeText(t testing.TB, text string) providers.Answer {
	t.Helper()
	d := newDecoder(zones)
	if _, err := d.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return d.answer
}

// The golden files hold every field of every offer; read their diff as one reads
// code.
func TestDecodeGolden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"oneway", "return", "multicity", "mixed"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := json.MarshalIndent(decodeText(t, fixture(t, name+".json")), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := "testdata/" + name + ".golden.json"
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(fixture(t, name+".golden.json"), string(got)+"\n"); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// One aircraft under two numbers is one journey (Travelport tutorial#128), and
// each offer keeps its own number.
func TestDecodeCodeshare(t *testing.T) {
	t.Parallel()
	offers := decodeText(t, fixture(t, "oneway.json")).Offers
	own, shared := offers[0].Itinerary, offers[1].Itinerary
	if own.Key() != shared.Key() {
		t.Errorf("%q and %q are one journey", own.Key(), shared.Key())
	}
	numbers := []string{own.Slices[0].Segments[0].FlightNumber, shared.Slices[0].Segments[0].FlightNumber}
	if diff := cmp.Diff([]string{"178", "6143"}, numbers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A train under a flight number is shown as a train (lxndrblz/Airports#771).
func TestDecodeRail(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(fixture(t, "multicity.json"), `"iata_code": "77W"`, `"iata_code": "ICE"`)
	for _, slice := range decodeText(t, text).Offers[0].Itinerary.Slices {
		if got := slice.Segments[0].Mode; got != flight.ModeRail {
			t.Errorf("%s-%s is by %s", slice.Origin(), slice.Destination(), got)
		}
	}
}

// A flight number that touches down on the way has a stop, with its times.
func TestDecodeTouchDown(t *testing.T) {
	t.Parallel()
	slice := decodeText(t, fixture(t, "oneway.json")).Offers[3].Itinerary.Slices[0]
	stop := slice.Segments[0].Stops[0]
	got := []string{stop.Airport, stop.Arrival.String(), stop.Departure.String(), stop.Duration.String()}
	want := []string{"BOS", "2026-12-15T10:10:00-05:00", "2026-12-15T11:00:00-05:00", "50m0s"}
	if diff := cmp.Diff(want, got); diff != "" || slice.Stops() != 1 {
		t.Errorf("%d stops (-want +got):\n%s", slice.Stops(), diff)
	}
}

func TestDecodeCountsContradictions(t *testing.T) {
	t.Parallel()
	answer := decodeText(t, fixture(t, "oneway.json"))
	if answer.Mismatches != 2 {
		t.Errorf("%d mismatches, want the segment and the slice of ZZ 100", answer.Mismatches)
	}
	if got := minutes(answer.Offers[4].Itinerary.Duration()); got != 463 {
		t.Errorf("%d minutes, want the provider's 463", got)
	}
}

// Our table of airports wins over the zone in the answer; where it does not know
// the airport the answer's own is taken, and where neither does, the durations
// stand (lxndrblz/Airports#829).
func TestDecodeZones(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		known     string
		timeZone  string
		departure string
	}{
		{"ours first", "America/Chicago", "America/New_York", "2026-12-15T18:30:00-06:00"},
		{"the answer's", "", "America/New_York", "2026-12-15T18:30:00-05:00"},
		{"neither", "", "", "2026-12-15T18:30:00"},
		{"no such zone", "", "Mars/Olympus", "2026-12-15T18:30:00"},
		{"this machine's zone", "", "Local", "2026-12-15T18:30:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := strings.ReplaceAll(fixture(t, "multicity.json"), `"time_zone": "America/New_York"`, `"time_zone": "`+tt.timeZone+`"`)
			d := newDecoder(func(iata string) *time.Location {
				if iata != "JFK" {
					return nil
				}
				return loadZone(tt.known)
			})
			if _, err := d.read(strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			slice := d.answer.Offers[0].Itinerary.Slices[0]
			if got := slice.Departure().String(); got != tt.departure || minutes(slice.Duration) != 415 {
				t.Errorf("leaves %s for %v, want %s for 6h55m", got, slice.Duration, tt.departure)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(fixture(f, "empty.json"))
	for _, text := range []string{
		`{"data":[{"id":"off_1","total_amount":"412.30","total_currency":"USD","owner":{"name":"A"},"slices":[{"duration":"PT1H",` +
			`"segments":[{"origin":{"iata_code":"JFK"},"destination":{"iata_code":"LHR"},"departing_at":"2026-12-15T18:30:00",` +
			`"arriving_at":"2026-12-16T06:25:00","marketing_carrier":{"iata_code":"BA"}}]}]}],"meta":{"after":"c"}}`,
		"", "{}", "null", `{"data": []}`, `{"data": [{}], "meta": {"after": 7}}`, `{"data": {"id": "orq"}}`, `{"errors": [{}]}`,
		`{"data": {"offers": null, "id": 5}}`, `{"data": {"offers": {}}}`, `{"data": []}x`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := newDecoder(zones)
		p, err := d.read(strings.NewReader(text))
		if err == nil && !json.Valid([]byte(text)) {
			t.Errorf("read what is not JSON: %q", text)
		}
		if err == nil && !p.listed && p.requestID == "" && len(p.failures) == 0 {
			t.Errorf("nothing came of %q, and no error", text)
		}
		for _, offer := range d.answer.Offers {
			if offer.Ref == "" || offer.Price.IsZero() || len(offer.Itinerary.Slices) == 0 || offer.Itinerary.Slices[0].Origin() == "" {
				t.Errorf("offer without what everybody relies on: %+v", offer)
			}
		}
	})
}

func TestDecodeEndsEarly(t *testing.T) {
	t.Parallel()
	whole := fixture(t, "multicity.json")
	for _, length := range []int{0, 1, 9, 100, len(whole) / 2, len(whole) - 3} {
		if _, err := newDecoder(zones).read(strings.NewReader(whole[:length])); err == nil {
			t.Errorf("the first %d bytes pass for a whole answer", length)
		}
	}
	if _, err := newDecoder(zones).read(strings.NewReader(whole + "{}")); !errors.Is(err, errTrailing) {
		t.Errorf("an answer after the answer: %v", err)
	}
}

// Each offer is bounded, so that no more than one of them is ever buffered;
// their sum is not.
func TestDecodeBoundsEachOffer(t *testing.T) {
	t.Parallel()
	offer := func(size int) string { return `{"id": "` + strings.Repeat("x", size) + `"}` }
	large := offer(maxPart * 3 / 4)
	d := newDecoder(zones)
	if _, err := d.read(strings.NewReader(`{"data": [` + large + "," + large + "," + large + `]}`)); err != nil || d.answer.Rejects[providers.RejectCurrency] != 3 {
		t.Errorf("three large offers: %v, %v", d.answer.Rejects, err)
	}
	if _, err := newDecoder(zones).read(strings.NewReader(`{"data": [` + offer(maxPart) + `]}`)); err == nil {
		t.Error("an offer beyond the bound was read")
	}
}

// manyOffers is an answer of n offers like the vendor's, compact as it sends it.
func manyOffers(tb testing.TB, n int) []byte {
	tb.Helper()
	var answer struct {
		Data struct{ Offers []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(fixture(tb, "oneway.json")), &answer); err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString(`{"data":{"id":"orq_1","offers":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := json.Compact(&b, answer.Data.Offers[i%len(answer.Data.Offers)]); err != nil {
			tb.Fatal(err)
		}
	}
	b.WriteString(`]}}`)
	return b.Bytes()
}

func BenchmarkDecode(b *testing.B) {
	const offers = 500
	text := manyOffers(b, offers)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d := newDecoder(zones)
		if _, err := d.read(bytes.NewReader(text)); err != nil || len(d.answer.Offers) != offers {
			b.Fatal(len(d.answer.Offers), err)
		}
	}
}

// BenchmarkDecodeStandard is the measure for BenchmarkDecode: encoding/json into
// the same structs, without a single offer made of them.
func BenchmarkDecodeStandard(b *testing.B) {
	text := manyOffers(b, 500)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var answer struct{ Data struct{ Offers []wireOffer } }
		if err := json.Unmarshal(text, &answer); err != nil {
			b.Fatal(err)
		}
	}
}
