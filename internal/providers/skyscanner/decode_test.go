package skyscanner

import (
	"encoding/json"
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

// resultsOf takes the results out of an answer.
func resultsOf(t testing.TB, answer string) *results {
	t.Helper()
	var wire searchAnswer
	if err := json.Unmarshal([]byte(answer), &wire); err != nil {
		t.Fatal(err)
	}
	return &wire.Content.Results
}

func mustDecode(t testing.TB, answer string, slices int) providers.Answer {
	t.Helper()
	decoded, err := decode(resultsOf(t, answer), zones, slices)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

func TestDecodeGolden(t *testing.T) {
	for name, slices := range map[string]int{"one_way": 1, "return": 2} {
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

func TestDecodeDropsWhatCannotBeUsed(t *testing.T) {
	whole := offering("t", "COMPLETE", 500).Body
	for _, tc := range []struct {
		name, old, new string
		want           providers.Reject
	}{
		{"amount empty", `"amount": "500"`, `"amount": ""`, providers.RejectPrice},
		{"amount of nothing", `"amount": "500"`, `"amount": "0"`, providers.RejectPrice},
		{"amount negative", `"amount": "500"`, `"amount": "-500"`, providers.RejectPrice},
		{"amount not an amount", `"amount": "500"`, `"amount": {"value": 500}`, providers.RejectPrice},
		{"unit unspecified", `PRICE_UNIT_WHOLE`, `PRICE_UNIT_UNSPECIFIED`, providers.RejectPrice},
		{"finer than the currency", `"amount": "500", "unit": "PRICE_UNIT_WHOLE"`, `"amount": "500001", "unit": "PRICE_UNIT_MILLI"`, providers.RejectPrice},
		{"nobody sells it", `"pricingOptions": [`, `"pricingOptions": [], "former": [`, providers.RejectPrice},
		{"option without any name", `"id": "o", "agentIds": ["a"], `, ``, providers.RejectShape},
		{"option is no object", `"pricingOptions": [`, `"pricingOptions": [5], "former": [`, providers.RejectShape},
		{"leg unknown", `"legIds": ["leg"]`, `"legIds": ["other"]`, providers.RejectItinerary},
		{"more legs than asked", `"legIds": ["leg"]`, `"legIds": ["leg", "leg"]`, providers.RejectItinerary},
		{"segment unknown", `"segmentIds": ["sg"]`, `"segmentIds": ["other"]`, providers.RejectItinerary},
		{"no segments", `"segmentIds": ["sg"]`, `"segmentIds": []`, providers.RejectItinerary},
		{"airport unknown", `"originPlaceId": "1"`, `"originPlaceId": "3"`, providers.RejectPlaces},
		{"airport without code", `"iata": "LHR"`, `"iata": ""`, providers.RejectPlaces},
		{"no departure", `"departureDateTime"`, `"departure"`, providers.RejectTimes},
		{"arrival outside the calendar", `"day": 16`, `"day": 32`, providers.RejectTimes},
		{"departure outside the day", `"hour": 18`, `"hour": 24`, providers.RejectTimes},
		{"carrier unknown", `"marketingCarrierId": "c"`, `"marketingCarrierId": "d"`, providers.RejectCarrier},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spoilt := strings.Replace(whole, tc.old, tc.new, 1)
			if spoilt == whole {
				t.Fatalf("%q is not in the answer", tc.old)
			}
			answer := mustDecode(t, spoilt, 1)
			if diff := cmp.Diff(map[providers.Reject]int{tc.want: 1}, answer.Rejects); diff != "" || len(answer.Offers) != 0 {
				t.Errorf("%d offers, rejects (-want +got):\n%s", len(answer.Offers), diff)
			}
		})
	}
}

// One odd entry of a map costs only the offers that need it.
func TestDecodeKeepsTheRest(t *testing.T) {
	whole := offering("t", "COMPLETE", 500).Body
	for name, odd := range map[string]string{
		"itineraries": `5`, "legs": `"leg"`, "segments": `[]`, "places": `null`, "carriers": `{"iata": 7}`, "agents": `true`,
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.Replace(whole, `"`+name+`": {`, `"`+name+`": {"odd": `+odd+`, `, 1)
			if body == whole {
				t.Fatalf("no %s in the answer", name)
			}
			if answer := mustDecode(t, body, 1); len(answer.Offers) != 1 {
				t.Errorf("%d offers, rejects %v; want the good one", len(answer.Offers), answer.Rejects)
			}
		})
	}
}

// Options that share an id, or have none and share a seller, are still two.
func TestDecodeTellsOptionsApart(t *testing.T) {
	whole := offering("t", "COMPLETE", 500).Body
	for name, tc := range map[string]struct{ option, want string }{
		"same id":     {`{"id": "o", "price": {"amount": "400", "unit": "PRICE_UNIT_WHOLE"}}`, "it/o#2"},
		"same seller": {`{"agentIds": ["o"], "price": {"amount": "400", "unit": "PRICE_UNIT_WHOLE"}}`, "it/o#2"},
		"another":     {`{"agentIds": ["a", "b"], "price": {"amount": "400", "unit": "PRICE_UNIT_WHOLE"}}`, "it/a+b"},
	} {
		t.Run(name, func(t *testing.T) {
			offers := mustDecode(t, strings.Replace(whole, `"items": [{"deepLink": "https://a.example/"}]}`, `"items": []}, `+tc.option, 1), 1).Offers
			if len(offers) != 2 || offers[0].Ref != "it/o" || offers[1].Ref != tc.want {
				t.Errorf("offers %v, want it/o and %s", offers, tc.want)
			}
		})
	}
}

func TestDecodeWithoutItineraries(t *testing.T) {
	if _, err := decode(&results{}, zones, 1); err == nil {
		t.Error("an answer without itineraries passes for one that found nothing")
	}
}

func TestPriceAmount(t *testing.T) {
	for _, tc := range []struct{ amount, unit, currency, want string }{
		{"36400", "PRICE_UNIT_MILLI", "GBP", "36.40 GBP"},
		{"189400000", "PRICE_UNIT_MILLI", "KRW", "189400 KRW"},
		{"12345", "PRICE_UNIT_WHOLE", "JPY", "12345 JPY"},
		{"45100", "PRICE_UNIT_MILLI", "KWD", "45.100 KWD"},
		{"9999", "PRICE_UNIT_CENTI", "USD", "99.99 USD"},
		{"412300000", "PRICE_UNIT_MICRO", "USD", "412.30 USD"},
		{"50", "PRICE_UNIT_MILLI", "USD", "0.05 USD"},
		{"12345500", "PRICE_UNIT_MILLI", "JPY", "price"},
		{"36400", "", "GBP", "price"},
		{"", "PRICE_UNIT_MILLI", "GBP", "price"},
		{"1e3", "PRICE_UNIT_MILLI", "GBP", "price"},
		{"36400", "PRICE_UNIT_MILLI", "XXQ", "currency"},
	} {
		t.Run(tc.amount+" "+tc.unit+" "+tc.currency, func(t *testing.T) {
			money, reject := price{Amount: scalar(tc.amount), Unit: tc.unit}.amount(tc.currency)
			got := money.String()
			if reject != "" {
				got = string(reject)
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestDecodeTimes(t *testing.T) {
	// airheartdev/duffel#11: it lands at an earlier hour of the same day.
	body := strings.NewReplacer(
		`"JFK"`, `"HND"`, `"LHR"`, `"SFO"`, `"durationInMinutes": 415`, `"durationInMinutes": 580`,
		`"year": 2026, "month": 12, "day": 15, "hour": 18, "minute": 30`, `"year": 2024, "month": 9, "day": 7, "hour": 16, "minute": 25`,
		`"year": 2026, "month": 12, "day": 16, "hour": 6, "minute": 25`, `"year": 2024, "month": 9, "day": 7, "hour": 10, "minute": 5`,
	).Replace(offering("t", "COMPLETE", 500).Body)
	for name, body := range map[string]string{
		"duration given":   body,
		"duration left":    strings.ReplaceAll(body, `"durationInMinutes": 580`, `"durationInMinutes": 0`),
		"duration a joke":  strings.ReplaceAll(body, `"durationInMinutes": 580`, `"durationInMinutes": -5`),
		"duration in text": strings.ReplaceAll(body, `"durationInMinutes": 580`, `"durationInMinutes": "long"`),
	} {
		t.Run(name, func(t *testing.T) {
			answer := mustDecode(t, body, 1)
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

// A contradiction is counted once for each leg, and the vendor's word kept.
func TestDecodeKeepsTheVendorsDuration(t *testing.T) {
	answer := mustDecode(t, strings.NewReplacer(
		`"durationInMinutes": 415`, `"durationInMinutes": 420`,
		`"itineraries": {`, `"itineraries": {"same": {"legIds": ["leg"], "pricingOptions": [{"id": "p", "price": {"amount": "9", "unit": "PRICE_UNIT_WHOLE"}}]}, `,
	).Replace(offering("t", "COMPLETE", 500).Body), 1)
	if len(answer.Offers) != 2 {
		t.Fatalf("%d offers, want 2", len(answer.Offers))
	}
	slice := answer.Offers[0].Itinerary.Slices[0]
	if slice.Duration != 420*time.Minute || slice.Segments[0].Duration != 420*time.Minute || answer.Mismatches != 2 {
		t.Errorf("slice %v, segment %v, %d mismatches; want 420 minutes twice and 2", slice.Duration, slice.Segments[0].Duration, answer.Mismatches)
	}
}

// lxndrblz/Airports#829: an airport that nobody knows.
func TestDecodeUnknownAirport(t *testing.T) {
	answer := mustDecode(t, strings.Replace(offering("t", "COMPLETE", 500).Body, `"LHR"`, `"XQZ"`, 1), 1)
	segment := answer.Offers[0].Itinerary.Slices[0].Segments[0]
	if segment.Destination != "XQZ" || segment.Arrival.Zoned() || segment.Duration != 415*time.Minute {
		t.Errorf("to %s at %v in %v, want XQZ, no offset and 415 minutes", segment.Destination, segment.Arrival, segment.Duration)
	}
}

func TestDecodeUnknownStaysUnknown(t *testing.T) {
	offer := mustDecode(t, offering("t", "COMPLETE", 500).Body, 1).Offers[0]
	if operating := offer.Itinerary.Slices[0].Segments[0].Operating; operating.Known() {
		t.Errorf("operating carrier %v, want none", operating)
	}
	offer.Itinerary = flight.Itinerary{}
	want := flight.Offer{Ref: "it/o", Seller: "Agency", Price: flight.Money{Minor: 50000, Currency: "USD"}, DeepLink: "https://a.example/"}
	if diff := cmp.Diff(want, offer); diff != "" {
		t.Errorf("offer (-want +got):\n%s", diff)
	}
}

func TestSelfTransfer(t *testing.T) {
	yes, no := true, false
	for _, tc := range []struct {
		transfer string
		items    int
		want     *bool
	}{
		{"TRANSFER_TYPE_MANAGED", 1, &no},
		{"TRANSFER_TYPE_MANAGED", 2, &no},
		{"TRANSFER_TYPE_SELF_TRANSFER", 1, &yes},
		{"TRANSFER_TYPE_PROTECTED_SELF_TRANSFER", 1, &yes},
		{"TRANSFER_TYPE_UNSPECIFIED", 1, nil},
		{"TRANSFER_TYPE_UNSPECIFIED", 2, &yes},
		{"", 1, nil},
	} {
		t.Run(fmt.Sprint(tc.transfer, tc.items), func(t *testing.T) {
			option := pricingOption{TransferType: tc.transfer, Items: make([]item, tc.items)}
			if diff := cmp.Diff(tc.want, option.selfTransfer()); diff != "" {
				t.Errorf("self transfer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIncludedBaggage(t *testing.T) {
	for _, tc := range []struct {
		assessment, pieces string
		want               int // -1: unknown.
	}{
		{"BAGGAGE_ASSESSMENT_INCLUDED", "2", 2},
		{"INCLUDED", "1", 1},
		{"", "1", 1},
		{"BAGGAGE_ASSESSMENT_NOT_INCLUDED", "1", 0},
		{"BAGGAGE_ASSESSMENT_NOT_INCLUDED", "", 0},
		{"BAGGAGE_ASSESSMENT_UNKNOWN", "1", -1},
		{"BAGGAGE_ASSESSMENT_INCLUDED", "", -1},
		{"BAGGAGE_ASSESSMENT_INCLUDED", "-1", -1},
	} {
		t.Run(tc.assessment+" "+tc.pieces, func(t *testing.T) {
			got := -1
			if pieces := (baggage{Assessment: tc.assessment, Pieces: scalar(tc.pieces)}).included(); pieces != nil {
				got = *pieces
			}
			if got != tc.want {
				t.Errorf("%d pieces, want %d", got, tc.want)
			}
		})
	}
}

func TestBrands(t *testing.T) {
	legs := []string{"out", "back"}
	for name, tc := range map[string]struct {
		fare optionFare
		want []string
	}{
		"none":           {optionFare{}, nil},
		"one for all":    {optionFare{BrandNames: []string{"Basic"}}, []string{"Basic", "Basic"}},
		"one for each":   {optionFare{BrandNames: []string{"Basic", "Flex"}}, []string{"Basic", "Flex"}},
		"tied to legs":   {optionFare{LegDetails: map[string]legFare{"back": {[]string{"Flex"}}}}, []string{"", "Flex"}},
		"tied to no leg": {optionFare{BrandNames: []string{"a", "b", "c"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.fare.brands(legs)); diff != "" {
				t.Errorf("brands (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeepLink(t *testing.T) {
	for link, want := range map[string]string{
		"https://a.example/?x=1": "https://a.example/?x=1",
		"http://a.example/":      "",
		"javascript:alert(1)":    "",
		"https:///nowhere":       "",
		"https://a.example/\x7f": "",
		"":                       "",
	} {
		t.Run(link, func(t *testing.T) {
			option := pricingOption{Items: []item{{DeepLink: link}}}
			if got := option.deepLink(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(offering("t", "COMPLETE", 500).Body))
	f.Add([]byte(emptyList))
	f.Add([]byte(fixture(f, "one_way.json")))
	f.Fuzz(func(t *testing.T, body []byte) {
		s := session{client: &Client{}}
		if s.take(body) != nil || s.results == nil {
			return
		}
		answer, err := decode(s.results, zones, 1)
		if err != nil {
			return
		}
		for _, offer := range answer.Offers {
			if offer.Price.Minor <= 0 || len(offer.Itinerary.Slices) != 1 || offer.Itinerary.ID() == "" || offer.Ref == "" {
				t.Errorf("unusable offer let through: %+v", offer)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	var itineraries []string
	for i := range 500 {
		itineraries = append(itineraries, fmt.Sprintf(`"it-%d": {"legIds": ["leg-direct"], "pricingOptions": [
			{"id": "o", "agentIds": ["trip"], "price": {"amount": "412300", "unit": "PRICE_UNIT_MILLI"}, "transferType": "TRANSFER_TYPE_MANAGED"}]}`, i))
	}
	body := strings.Replace(fixture(b, "one_way.json"), `"itineraries": {`, `"itineraries": {`+strings.Join(itineraries, ",")+",", 1)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		mustDecode(b, body, 1)
	}
}
