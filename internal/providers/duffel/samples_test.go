package duffel

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/providers/providertest"
)

// samples are genuine answers that the vendor's own libraries are tested with;
// they are not part of this repository.
const samples = "../../../../shared/samples/duffel"

func sample(t *testing.T, name string) string {
	t.Helper()
	if _, err := os.Stat(samples); errors.Is(err, fs.ErrNotExist) {
		t.Skip("no samples beside this repository")
	}
	text, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// decodeSample knows no airport, so that zones come from the answer.
func decodeSample(t *testing.T, text string) providers.Answer {
	t.Helper()
	d := newDecoder(func(string) *time.Location { return nil })
	if _, err := d.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if len(d.answer.Rejects) != 0 {
		t.Errorf("rejects %v", d.answer.Rejects)
	}
	return d.answer
}

// decodeOne is for a sample that is a single offer, bare or as data.
func decodeOne(t *testing.T, text string) flight.Offer {
	t.Helper()
	var wrapped struct{ Data json.RawMessage }
	if err := json.Unmarshal([]byte(text), &wrapped); err != nil {
		t.Fatal(err)
	}
	if wrapped.Data == nil {
		wrapped.Data = json.RawMessage(text)
	}
	answer := decodeSample(t, `{"data": [`+string(wrapped.Data)+`]}`)
	if answer.Mismatches != 0 {
		t.Errorf("%d mismatches", answer.Mismatches)
	}
	if len(answer.Offers) != 1 {
		t.Fatalf("%d offers, want 1", len(answer.Offers))
	}
	return answer.Offers[0]
}

func journeys(offers []flight.Offer) int {
	keys := map[string]bool{}
	for _, offer := range offers {
		keys[offer.Itinerary.Key()] = true
	}
	return len(keys)
}

func cheapest(offers []flight.Offer) string {
	return slices.MinFunc(offers, func(a, b flight.Offer) int { return int(a.Price.Minor - b.Price.Minor) }).Price.String()
}

func daysOn(s flight.Slice) int { return s.Departure().Date().DaysUntil(s.Arrival().Date()) }

func minutes(d time.Duration) int { return int(d / time.Minute) }

func TestSampleFiftyOffers(t *testing.T) {
	t.Parallel()
	answer := decodeSample(t, sample(t, "ah_200-offers-orq_0000AGqEDX9VCvWmHLBywi.json"))
	nextDay, codeshares := 0, 0
	for _, offer := range answer.Offers {
		slice := offer.Itinerary.Slices[0]
		nextDay += daysOn(slice)
		for _, segment := range slice.Segments {
			if segment.Operating != segment.Marketing {
				codeshares++
			}
		}
		if offer.CheckedBags != nil || offer.Refundable != nil {
			t.Errorf("offer %s invents bags or conditions", offer.Ref)
		}
	}
	if len(answer.Offers) != 50 || journeys(answer.Offers) != 27 || cheapest(answer.Offers) != "228.60 USD" {
		t.Errorf("%d offers of %d itineraries from %s; want 50 of 27 from 228.60 USD",
			len(answer.Offers), journeys(answer.Offers), cheapest(answer.Offers))
	}
	if nextDay != 18 || codeshares != 2 {
		t.Errorf("%d arrive the next day, %d codeshares; want 18, 2", nextDay, codeshares)
	}
}

func TestSampleOfferRequest(t *testing.T) {
	t.Parallel()
	answer := decodeSample(t, sample(t, "java_offer_request.json"))
	if len(answer.Offers) != 11 || journeys(answer.Offers) != 6 || cheapest(answer.Offers) != "80.99 GBP" {
		t.Errorf("%d offers of %d itineraries from %s; want 11 of 6 from 80.99 GBP",
			len(answer.Offers), journeys(answer.Offers), cheapest(answer.Offers))
	}
	// The vendor's test airline sells one flight whose wall times are 43 minutes
	// apart and whose duration is an hour more: segment and slice each count.
	odd := slices.IndexFunc(answer.Offers, func(o flight.Offer) bool { return o.ValidatingCarrier == "ZZ" })
	if got := minutes(answer.Offers[odd].Itinerary.Duration()); got != 103 || answer.Mismatches != 2 {
		t.Errorf("%d minutes, %d mismatches; want 103, 2", got, answer.Mismatches)
	}
}

func TestSampleReturnAcrossTheDateLine(t *testing.T) {
	t.Parallel()
	offer := decodeOne(t, sample(t, "dc_off_0000AguUNlT6zsvmL0UBKn.json"))
	if len(offer.Itinerary.Slices) != 2 || offer.Price.String() != "1233.46 USD" {
		t.Fatalf("%d slices for %s", len(offer.Itinerary.Slices), offer.Price)
	}
	type shape struct {
		Route    string
		Minutes  int
		Days     int
		Layovers []int
	}
	var got []shape
	var shared []string
	for _, s := range offer.Itinerary.Slices {
		one := shape{Route: s.Origin() + "-" + s.Destination(), Minutes: minutes(s.Duration), Days: daysOn(s)}
		for _, layover := range s.Layovers() {
			one.Layovers = append(one.Layovers, minutes(layover))
		}
		for _, segment := range s.Segments {
			if segment.Operating.Code != segment.Marketing.Code {
				shared = append(shared, segment.Marketing.Code+segment.FlightNumber+" by "+segment.Operating.Code)
			}
		}
		got = append(got, one)
	}
	want := []shape{
		{"SFO-BLR", 2790, 2, []int{1170, 290}},
		{"BLR-SFO", 2375, 1, []int{565, 580}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("slices (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"JL5193 by UK", "JL5180 by UK"}, shared); diff != "" {
		t.Errorf("codeshares (-want +got):\n%s", diff)
	}
	if *offer.CheckedBags != 2 || *offer.CarryOnBags != 1 {
		t.Errorf("%d checked, %d carry-on; want 2, 1", *offer.CheckedBags, *offer.CarryOnBags)
	}
}

// Haneda to San Francisco lands before it leaves, on the same date
// (airheartdev/duffel#11).
func TestSampleLandsBeforeItLeaves(t *testing.T) {
	t.Parallel()
	offer := decodeOne(t, sample(t, "dc_off_0000AguUNlT6zsvmL0UBKn.json"))
	back := offer.Itinerary.Slices[1].Segments
	last := back[len(back)-1]
	got := []string{last.Departure.String(), last.Arrival.String(), last.Duration.String()}
	if diff := cmp.Diff([]string{"2024-09-07T16:25:00+09:00", "2024-09-07T10:05:00-07:00", "9h40m0s"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSampleFamily(t *testing.T) {
	t.Parallel()
	offer := decodeOne(t, sample(t, "dn_offer_response_ow_3pass_ber_lhr.json"))
	segments := offer.Itinerary.Slices[0].Segments
	route := segments[0].Origin
	for _, segment := range segments {
		route += "-" + segment.Destination
	}
	if route != "BKK-VIE-LHR" || offer.Price.String() != "4724.10 GBP" {
		t.Errorf("%s for %s", route, offer.Price)
	}
	if *offer.CheckedBags != 2 || *offer.CarryOnBags != 2 {
		t.Errorf("%d checked, %d carry-on; the infant's one bag does not count", *offer.CheckedBags, *offer.CarryOnBags)
	}
}

func TestSampleAirlineWithoutCode(t *testing.T) {
	t.Parallel()
	var wrapped struct{ Data wireAirline }
	if err := json.Unmarshal([]byte(sample(t, "py_get-airline-without-iata-code.json")), &wrapped); err != nil {
		t.Fatal(err)
	}
	if got := wrapped.Data.carrier(); got != (flight.Carrier{Name: "Duffel Airways"}) {
		t.Errorf("got %+v", got)
	}
}

// No bag is quantity 0, not an empty list; and conditions are known.
func TestSampleTestAirline(t *testing.T) {
	t.Parallel()
	answer := decodeSample(t, `{"data": `+sample(t, "dc_orq_0000Ab7taNqbK8y5YqW6Zk.json")+`}`)
	bags := map[int]int{}
	for _, offer := range answer.Offers {
		bags[*offer.CheckedBags]++
		if *offer.Refundable || len(offer.Brands) != 2 {
			t.Errorf("refundable %t, brands %q", *offer.Refundable, offer.Brands)
		}
	}
	if diff := cmp.Diff(map[int]int{0: 1, 1: 2}, bags); diff != "" {
		t.Errorf("offers by checked bags (-want +got):\n%s", diff)
	}
}

func TestSampleFailures(t *testing.T) {
	t.Parallel()
	html := http.Header{"Content-Type": {"text/html;charset=utf-8"}}
	reset := http.Header{"Date": {"Fri, 20 Nov 2026 10:00:00 GMT"}, "Ratelimit-Reset": {"Fri, 20 Nov 2026 10:00:30 GMT"}}
	tests := []struct {
		file string
		providertest.Reply
		want providers.Error
	}{
		{"java_422_validation_error.json", providertest.Reply{Status: 422}, providers.Error{
			Kind: providers.KindRejected, Code: "validation_required",
			Detail: "Field 'slices' can't be blank; Field 'passengers' can't be blank",
		}},
		{"java_500_airline_internal.json", providertest.Reply{Status: 500}, providers.Error{
			Kind: providers.KindFailed, Code: "airline_internal",
			Detail: "The airline responded with an internal_error error. Please contact us. (british_airways)",
		}},
		{"java_429_rate_limit.json", providertest.Reply{Status: 429, Header: reset}, providers.Error{
			Kind: providers.KindRateLimited, Code: "rate_limit_exceeded", RetryAfter: 30 * time.Second,
			Detail: "Too many requests hit the API too quickly. Please retry your request after the time specified in the `ratelimit-reset` header.",
		}},
		{"java_401_authorization.json", providertest.Reply{Status: 401}, providers.Error{
			Kind: providers.KindUnauthorized, Code: "missing_authorization_header",
			Detail: "The 'Authorization' header needs to be set and contain a valid API token.",
		}},
		{"ah_400-bad-request.json", providertest.Reply{Status: 400}, providers.Error{
			Kind: providers.KindFailed, Code: "airline_unknown",
			Detail: "The airline responded with an unexpected error, please contact support",
		}},
		{"ah_502-bad-gateway.html", providertest.Reply{Status: 502, Header: html}, providers.Error{
			Kind: providers.KindFailed, Detail: "Bad Gateway",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			tt.Body = sample(t, tt.file)
			tt.want.Status = tt.Status
			_, err := newClient(providertest.NewServer(t, tt.Reply)).Search(t.Context(), oneWay())
			var got *providers.Error
			if !errors.As(err, &got) {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
