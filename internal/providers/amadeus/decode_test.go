package amadeus

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

var update = flag.Bool("update", false, "write the golden files anew")

// zones is a table of airports, as the reference data has one.
func zones(iata string) *time.Location { return zoneTable[iata] }

var zoneTable = loadZones(map[string]string{
	"JFK": "America/New_York", "BOS": "America/New_York", "LHR": "Europe/London", "DUB": "Europe/Dublin",
	"MAD": "Europe/Madrid", "GIG": "America/Sao_Paulo", "GRU": "America/Sao_Paulo",
	"SYD": "Australia/Sydney", "MNL": "Asia/Manila", "BKK": "Asia/Bangkok",
	"HND": "Asia/Tokyo", "SFO": "America/Los_Angeles",
})

func loadZones(names map[string]string) map[string]*time.Location {
	table := make(map[string]*time.Location, len(names))
	for airport, name := range names {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		table[airport] = zone
	}
	return table
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func mustDecode(t *testing.T, body []byte, slices int) providers.Answer {
	t.Helper()
	answer, err := decode(body, zones, slices)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestDecodeGolden(t *testing.T) {
	for name, slices := range map[string]int{"one_way": 1, "return_family": 2} {
		t.Run(name, func(t *testing.T) {
			answer := mustDecode(t, fixture(t, name+".json"), slices)
			got, err := json.MarshalIndent(answer, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".golden.json")
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
				t.Errorf("decoded answer (-want +got); -update accepts it:\n%s", diff)
			}
		})
	}
}

// oneOffer is the smallest answer that is good, for tests that spoil one thing.
const oneOffer = `{"data": [{"id": "1", "itineraries": [{"duration": "PT6H55M", "segments": [{
	"departure": {"iataCode": "JFK", "at": "2026-12-15T18:30:00"}, "arrival": {"iataCode": "LHR", "at": "2026-12-16T06:25:00"},
	"carrierCode": "BA", "number": "178", "duration": "PT6H55M"}]}],
	"price": {"currency": "USD", "total": "100.00", "grandTotal": "110.00"}}]}`

func TestDecodeDropsWhatCannotBeUsed(t *testing.T) {
	for _, tc := range []struct {
		name, old, new string
		want           providers.Reject
	}{
		{"currency missing", `"USD"`, `""`, providers.RejectCurrency},
		{"currency unknown", `"USD"`, `"XXQ"`, providers.RejectCurrency},
		{"currency mistyped", `"USD"`, `7`, providers.RejectCurrency},
		{"amount missing", `"total": "100.00", "grandTotal": "110.00"`, `"base": "1.00"`, providers.RejectPrice},
		{"amount not decimal", `"110.00"`, `"1e3"`, providers.RejectPrice},
		{"amount of nothing", `"110.00"`, `"0.00"`, providers.RejectPrice},
		{"amount negative", `"110.00"`, `"-110.00"`, providers.RejectPrice},
		{"more digits than the currency has", `"110.00"`, `"110.005"`, providers.RejectPrice},
		{"departure missing", `"at": "2026-12-15T18:30:00"`, `"on": ""`, providers.RejectTimes},
		{"arrival is no day", `2026-12-16T`, `2026-02-30T`, providers.RejectTimes},
		{"origin missing", `"iataCode": "JFK", `, ``, providers.RejectPlaces},
		{"destination is no code", `"LHR"`, `"London"`, providers.RejectPlaces},
		{"carrier missing", `"carrierCode": "BA", `, ``, providers.RejectCarrier},
		{"segments missing", `"segments"`, `"legs"`, providers.RejectItinerary},
		{"more directions than asked", `"itineraries": [`, `"itineraries": [{"segments": []}, `, providers.RejectItinerary},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spoilt := strings.Replace(oneOffer, tc.old, tc.new, 1)
			if spoilt == oneOffer {
				t.Fatalf("%q is not in the offer", tc.old)
			}
			// The good offer beside it must survive, in either order.
			good := strings.TrimSuffix(strings.TrimPrefix(oneOffer, `{"data": [`), `]}`)
			both := strings.TrimSuffix(spoilt, `]}`) + "," + good + `]}`
			answer := mustDecode(t, []byte(both), 1)
			if len(answer.Offers) != 1 || answer.Offers[0].Price.String() != "110.00 USD" {
				t.Errorf("offers = %v, want the good one alone", answer.Offers)
			}
			if diff := cmp.Diff(map[providers.Reject]int{tc.want: 1}, answer.Rejects); diff != "" {
				t.Errorf("rejects (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeShapelessElements(t *testing.T) {
	answer := mustDecode(t, []byte(strings.Replace(oneOffer, `[{"id"`, `[null, 5, "offer", [], {}, {"price": {}}, {"id"`, 1)), 1)
	if got := answer.Rejects[providers.RejectShape]; got != 6 || len(answer.Offers) != 1 {
		t.Errorf("%d shapeless and %d good, want 6 and 1", got, len(answer.Offers))
	}
}

func TestDecodeAnswers(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		kind       providers.Kind
	}{
		{"empty list", `{"meta": {"count": 0}, "data": []}`, ""},
		{"no list", `{"meta": {"count": 0}}`, providers.KindMalformed},
		{"null list", `{"data": null}`, providers.KindMalformed},
		{"not an object", `[]`, providers.KindMalformed},
		{"cut short", `{"data": [`, providers.KindMalformed},
		{"no body", ``, providers.KindMalformed},
		{"errors with status 200", `{"errors": [{"code": 38194, "status": 429, "title": "Too many requests"}]}`, providers.KindRateLimited},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answer, err := decode([]byte(tc.body), zones, 1)
			var failure *providers.Error
			errors.As(err, &failure)
			if got := kindOf(failure); got != tc.kind || len(answer.Offers) != 0 {
				t.Errorf("kind %q and %d offers, want %q and none", got, len(answer.Offers), tc.kind)
			}
		})
	}
}

func kindOf(failure *providers.Error) providers.Kind {
	if failure == nil {
		return ""
	}
	return failure.Kind
}

func TestDecodeCut(t *testing.T) {
	many := `{"data": [` + strings.Repeat("{},", maxOffers-1) + `{}]}`
	for _, tc := range []struct {
		name, body string
		cut        bool
		warnings   int
	}{
		{"all there", oneOffer, false, 0},
		{"the vendor's maximum", many, true, 1},
		{"more counted than sent", strings.Replace(oneOffer, `{"data"`, `{"meta": {"count": 2}, "data"`, 1), true, 1},
		{"says so", strings.Replace(oneOffer, `{"data"`, `{"warnings": [{"title": "The list was cut"}], "data"`, 1), true, 1},
		{"another remark", strings.Replace(oneOffer, `{"data"`, `{"warnings": [{"title": "x", "detail": "Currency conversion executed"}], "data"`, 1), false, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answer := mustDecode(t, []byte(tc.body), 1)
			if answer.Cut != tc.cut || len(answer.Warnings) != tc.warnings {
				t.Errorf("cut %t with warnings %q, want %t with %d", answer.Cut, answer.Warnings, tc.cut, tc.warnings)
			}
		})
	}
}

func TestDecodeTimes(t *testing.T) {
	// airheartdev/duffel#11: it lands at an earlier hour of the same day.
	body := strings.NewReplacer(
		"JFK", "HND", "LHR", "SFO", "PT6H55M", "PT9H40M",
		"2026-12-15T18:30:00", "2024-09-07T16:25:00", "2026-12-16T06:25:00", "2024-09-07T10:05:00",
	).Replace(oneOffer)
	for name, body := range map[string]string{
		"duration given": body,
		"duration left":  strings.ReplaceAll(body, `"PT9H40M"`, `""`),
	} {
		t.Run(name, func(t *testing.T) {
			answer := mustDecode(t, []byte(body), 1)
			slice := answer.Offers[0].Itinerary.Slices[0]
			segment := slice.Segments[0]
			got := []string{segment.Departure.String(), segment.Arrival.String(), segment.Duration.String(), slice.Duration.String()}
			want := []string{"2024-09-07T16:25:00+09:00", "2024-09-07T10:05:00-07:00", "9h40m0s", "9h40m0s"}
			if diff := cmp.Diff(want, got); diff != "" || answer.Mismatches != 0 {
				t.Errorf("%d mismatches, times (-want +got):\n%s", answer.Mismatches, diff)
			}
		})
	}
}

func TestDecodeKeepsTheVendorsDuration(t *testing.T) {
	answer := mustDecode(t, []byte(strings.ReplaceAll(oneOffer, "PT6H55M", "PT40H30M")), 1)
	slice := answer.Offers[0].Itinerary.Slices[0]
	if slice.Duration != 2430*time.Minute || slice.Segments[0].Duration != 2430*time.Minute || answer.Mismatches != 2 {
		t.Errorf("slice %v, segment %v, %d mismatches; want 2430 minutes twice and 2",
			slice.Duration, slice.Segments[0].Duration, answer.Mismatches)
	}
}

func TestDecodeMoney(t *testing.T) {
	for _, tc := range []struct{ name, price, want string }{
		{"yen with zeros", `{"currency": "JPY", "total": "12345.00"}`, "12345 JPY"},
		{"dinar with one digit", `{"currency": "KWD", "total": "45.1"}`, "45.100 KWD"},
		{"a number", `{"currency": "USD", "grandTotal": 932.70}`, "932.70 USD"},
		{"grandTotal wins", `{"currency": "USD", "total": "1.00", "grandTotal": "2.00"}`, "2.00 USD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := strings.Replace(oneOffer, `{"currency": "USD", "total": "100.00", "grandTotal": "110.00"}`, tc.price, 1)
			answer := mustDecode(t, []byte(body), 1)
			if len(answer.Offers) != 1 || answer.Offers[0].Price.String() != tc.want {
				t.Errorf("offers %v rejects %v, want %s", answer.Offers, answer.Rejects, tc.want)
			}
		})
	}
}

func TestDecodeUnknownStaysUnknown(t *testing.T) {
	offer := mustDecode(t, []byte(oneOffer), 1).Offers[0]
	segment := offer.Itinerary.Slices[0].Segments[0]
	if segment.Operating.Known() {
		t.Errorf("operating carrier %v, want none", segment.Operating)
	}
	offer.Itinerary = flight.Itinerary{}
	want := flight.Offer{Ref: "1", Price: flight.Money{Minor: 11000, Currency: "USD"}}
	if diff := cmp.Diff(want, offer); diff != "" {
		t.Errorf("offer (-want +got):\n%s", diff)
	}
}

func TestDecodeMistypedCounts(t *testing.T) {
	body := strings.Replace(oneOffer, `"id": "1"`, `"id": "1", "numberOfBookableSeats": "many", "travelerPricings": [{"fareDetailsBySegment": [
		{"includedCheckedBags": {"quantity": [2]}, "includedCabinBags": {"quantity": "1"}}]}]`, 1)
	offer := mustDecode(t, []byte(body), 1).Offers[0]
	if offer.SeatsLeft != nil || offer.CheckedBags != nil {
		t.Errorf("seats %v, checked bags %v; want both unknown", offer.SeatsLeft, offer.CheckedBags)
	}
	if offer.CarryOnBags == nil || *offer.CarryOnBags != 1 {
		t.Errorf("carry-on bags %v, want 1", offer.CarryOnBags)
	}
}

func TestDecodeAllowances(t *testing.T) {
	const adult, infant = `{"travelerType": "ADULT", "fareDetailsBySegment": [%s]}`, `{"travelerType": "HELD_INFANT"}`
	for _, tc := range []struct {
		name, travelers string
		pieces, kg      int // -1: unknown.
	}{
		{"least of two", fmt.Sprintf(adult+","+adult, `{"includedCheckedBags": {"quantity": 2}}`, `{"includedCheckedBags": {"quantity": 1}}`), 1, -1},
		{"unknown for one", fmt.Sprintf(adult+","+adult, `{"includedCheckedBags": {"quantity": 2}}`, `{}`), -1, -1},
		{"nobody has less than none", fmt.Sprintf(adult+","+adult, `{}`, `{"includedCheckedBags": {"quantity": 0}}`), 0, -1},
		{"kilograms", fmt.Sprintf(adult, `{"includedCheckedBags": {"weight": 23, "weightUnit": "KG"}}`), -1, 23},
		{"pounds", fmt.Sprintf(adult, `{"includedCheckedBags": {"weight": 50, "weightUnit": "LB"}}`), -1, -1},
		{"on the lap", fmt.Sprintf(adult+","+infant, `{"includedCheckedBags": {"quantity": 1}}`), 1, -1},
		{"no details", `{"travelerType": "ADULT"}`, -1, -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := strings.Replace(oneOffer, `"id": "1"`, `"id": "1", "travelerPricings": [`+tc.travelers+`]`, 1)
			offer := mustDecode(t, []byte(body), 1).Offers[0]
			got := []int{known(offer.CheckedBags), known(offer.CheckedKg)}
			if diff := cmp.Diff([]int{tc.pieces, tc.kg}, got); diff != "" {
				t.Errorf("pieces and kilograms (-want +got):\n%s", diff)
			}
		})
	}
}

func known(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

func TestDecodeCountsTheDirections(t *testing.T) {
	if answer := mustDecode(t, []byte(oneOffer), 2); answer.Rejects[providers.RejectItinerary] != 1 {
		t.Errorf("offers %v of one direction for two asked", answer.Offers)
	}
}

func TestDecodeCountedStops(t *testing.T) {
	body := strings.Replace(oneOffer, `"number": "178"`, `"number": "178", "numberOfStops": 1`, 1)
	if got := mustDecode(t, []byte(body), 1).Offers[0].Itinerary.Stops(); got != 1 {
		t.Errorf("%d stops, want the one that is counted without being described", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(oneOffer), 1)
	f.Add([]byte(`{"data": [{"itineraries": [{"segments": [{}]}]}]}`), 1)
	f.Fuzz(func(t *testing.T, body []byte, slices int) {
		answer, err := decode(body, zones, slices)
		if err != nil {
			return
		}
		for _, offer := range answer.Offers {
			if offer.Price.Minor <= 0 || len(offer.Itinerary.Slices) != slices || offer.Itinerary.ID() == "" {
				t.Errorf("unusable offer let through: %+v", offer)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	offer := strings.TrimSuffix(strings.TrimPrefix(oneOffer, `{"data": [`), `]}`)
	body := []byte(`{"data": [` + strings.Repeat(offer+",", 249) + offer + `]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(body, zones, 1); err != nil {
			b.Fatal(err)
		}
	}
}
