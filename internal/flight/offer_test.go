package flight_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/flight"
)

func TestOfferExpired(t *testing.T) {
	now := time.Date(2026, time.July, 6, 12, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		expires time.Time
		want    bool
	}{
		"not said":        {time.Time{}, false},
		"in a moment":     {now.Add(time.Nanosecond), false},
		"now":             {now, true},
		"a moment ago":    {now.Add(-time.Nanosecond), true},
		"in another zone": {now.Add(time.Hour).In(time.FixedZone("", -5*3600)), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := (flight.Offer{ExpiresAt: test.expires}).Expired(now); got != test.want {
				t.Errorf("Expired = %v, want %v", got, test.want)
			}
		})
	}
}

func TestIncludesCheckedBag(t *testing.T) {
	tests := map[string]struct {
		offer flight.Offer
		want  bool
	}{
		"not said":            {flight.Offer{}, false},
		"none":                {flight.Offer{CheckedBags: new(0)}, false},
		"one":                 {flight.Offer{CheckedBags: new(1)}, true},
		"23 kilograms":        {flight.Offer{CheckedKg: new(23)}, true},
		"no kilograms":        {flight.Offer{CheckedKg: new(0)}, false},
		"no pieces, 23 kg":    {flight.Offer{CheckedBags: new(0), CheckedKg: new(23)}, true},
		"a cabin bag, others": {flight.Offer{CarryOnBags: new(1)}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.offer.IncludesCheckedBag(); got != test.want {
				t.Errorf("IncludesCheckedBag = %v, want %v", got, test.want)
			}
		})
	}
}

// In the cache an unknown fact stays unknown, and is not the same as none.
func TestOfferJSONRoundTrips(t *testing.T) {
	full := flight.Offer{
		Ref: "off_1", Provider: "duffel", Seller: "British Airways", Itinerary: journey(t),
		Price: flight.Money{Minor: 41230, Currency: "USD"}, Taxes: &flight.Money{Minor: 1, Currency: "USD"},
		ValidatingCarrier: "BA", Brands: []string{"Light", ""},
		CheckedBags: new(0), CarryOnBags: new(1), CheckedKg: new(23), Refundable: new(false), Changeable: new(true),
		SeatsLeft: new(4), SelfTransfer: new(false), EmissionsKg: new(312), DeepLink: "https://example.com/1",
		ExpiresAt: time.Date(2026, time.July, 6, 12, 30, 0, 0, time.UTC),
		FetchedAt: time.Date(2026, time.July, 6, 12, 0, 0, 341e6, time.UTC),
		Sandbox:   true,
	}
	for name, want := range map[string]flight.Offer{"all known": full, "nothing known": {}} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			var got flight.Offer
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b flight.LocalTime) bool { return a == b })); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
