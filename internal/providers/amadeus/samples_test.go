package amadeus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// samples are genuine answers, kept beside the repository.
const samples = "../../../../shared/samples/amadeus"

func sample(t *testing.T, name string) []byte {
	t.Helper()
	if _, err := os.Stat(samples); err != nil {
		t.Skip("the genuine samples are not here")
	}
	body, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// The total of two travelers is given once, to the cent.
func TestSampleReturnOfAdultAndChild(t *testing.T) {
	answer := mustDecode(t, sample(t, "ce_flight_offers_search_v2_post.json"), 2)
	if len(answer.Offers) != 2 || len(answer.Rejects) != 0 {
		t.Fatalf("%d offers, rejects %v; want 2 and none", len(answer.Offers), answer.Rejects)
	}
	adult, _ := flight.ParseMoney("2178.55", "USD")
	child, _ := flight.ParseMoney("1663.55", "USD")
	var unoperated []string
	for _, offer := range answer.Offers {
		if offer.Price.String() != "3842.10 USD" || offer.Price.Minor != adult.Minor+child.Minor {
			t.Errorf("price %s, want 3842.10 USD, the sum of both travelers", offer.Price)
		}
		if got := offer.Taxes.String(); got != "181.10 USD" {
			t.Errorf("taxes %s, want 181.10 USD", got)
		}
		if len(offer.Itinerary.Slices) != 2 {
			t.Fatalf("%d slices, want 2", len(offer.Itinerary.Slices))
		}
		for _, slice := range offer.Itinerary.Slices {
			for _, segment := range slice.Segments {
				if !segment.Operating.Known() {
					unoperated = append(unoperated, segment.Marketing.Code+segment.FlightNumber)
				}
			}
		}
	}
	if diff := cmp.Diff([]string{"LA4508", "LA4537"}, unoperated); diff != "" {
		t.Errorf("segments without operating carrier (-want +got):\n%s", diff)
	}
	first := answer.Offers[0].Itinerary
	if out, back := first.Slices[0].Duration.Minutes(), first.Slices[1].Duration.Minutes(); out != 955 || back != 815 || answer.Mismatches != 0 {
		t.Errorf("%v and %v minutes with %d mismatches, want 955, 815 and none", out, back, answer.Mismatches)
	}
	if answer.Offers[0].CheckedBags != nil {
		t.Error("checked bags are known, but the child's are not told")
	}
	if diff := cmp.Diff([]string{"BUSINESS", "BAGSEAT"}, answer.Offers[0].Brands); diff != "" {
		t.Errorf("brands (-want +got):\n%s", diff)
	}
}

func TestSampleOneWay(t *testing.T) {
	answer := mustDecode(t, sample(t, "php_flight_offers_get_response_ok.json"), 1)
	if len(answer.Offers) != 2 || answer.Mismatches != 0 {
		t.Fatalf("%d offers, %d mismatches; want 2 and none", len(answer.Offers), answer.Mismatches)
	}
	for i, minutes := range []float64{855, 995} {
		offer := answer.Offers[i]
		slice := offer.Itinerary.Slices[0]
		if offer.Price.String() != "355.34 EUR" || len(slice.Segments) != 2 || slice.Duration.Minutes() != minutes {
			t.Errorf("offer %d: %s, %d segments, %v", i, offer.Price, len(slice.Segments), slice.Duration)
		}
		if offer.CheckedKg == nil || *offer.CheckedKg != 25 || offer.CheckedBags != nil {
			t.Errorf("offer %d: %v kg and %v pieces, want 25 kg alone", i, offer.CheckedKg, offer.CheckedBags)
		}
		if got := slice.Segments[0].Marketing; got != (flight.Carrier{Code: "PR", Name: "PHILIPPINE AIRLINES"}) {
			t.Errorf("offer %d: carrier %v", i, got)
		}
	}
}

func TestSampleReturnOfTwoAdults(t *testing.T) {
	answer := mustDecode(t, sample(t, "ce_flight_offers_search_v2_get.json"), 2)
	if len(answer.Offers) != 1 || answer.Offers[0].Price.String() != "1590.78 EUR" {
		t.Fatalf("offers %v, want one of 1590.78 EUR for both", answer.Offers)
	}
}

func TestSampleErrors(t *testing.T) {
	for name, want := range map[string]providers.Error{
		"400-bad-request-invalid-format.json":        {Kind: providers.KindRejected, Code: "477"},
		"401-unauthorized-access-token-expired.json": {Kind: providers.KindUnauthorized, Code: "38192", Detail: "The access token is expired"},
		"403-forbidden.json":                         {Kind: providers.KindUnauthorized, Code: "38197", Detail: "Access forbidden"},
		"429-too-many-requests.json": {
			Kind: providers.KindRateLimited, Code: "38194", Detail: "The network rate limit is exceeded, please try again later",
		},
		"500-internal-error.json": {
			Kind: providers.KindFailed, Code: "38189", Detail: "An internal error occured, please contact your administrator", //nolint:misspell // The vendor's words.
		},
	} {
		t.Run(name, func(t *testing.T) {
			failure := refused(t, int(name[0]-'0')*100, string(sample(t, "errors/"+name)))
			if want.Detail == "" {
				failure.Detail = ""
			}
			failure.Status = 0
			if diff := cmp.Diff(&want, failure); diff != "" {
				t.Errorf("failure (-want +got):\n%s", diff)
			}
		})
	}
}
