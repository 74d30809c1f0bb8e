package httpapi

import (
	"slices"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

// utcMillis is how the contract writes moments.
const utcMillis = "2006-01-02T15:04:05.000Z"

// offer is one offer of a journey that is described as shown.
func offer(o search.Offer, shown flight.Itinerary) api.Offer {
	return api.Offer{
		ID:                o.ID,
		Provider:          o.Provider,
		Seller:            known(o.Seller),
		Price:             price(o.Converted),
		OriginalPrice:     money(o.Price),
		PriceConverted:    o.Converted != nil && o.Converted.Currency != o.Price.Currency,
		Taxes:             price(o.ConvertedTaxes),
		ValidatingCarrier: known(o.ValidatingCarrier),
		FareBrand:         fareBrand(o.Brands),
		FareBrands:        fareBrands(o.Brands),
		CheckedBags:       o.CheckedBags,
		CheckedBagKg:      o.CheckedKg,
		CarryOnBags:       o.CarryOnBags,
		Refundable:        o.Refundable,
		Changeable:        o.Changeable,
		SeatsLeft:         o.SeatsLeft,
		SelfTransfer:      o.SelfTransfer,
		EmissionsKg:       o.EmissionsKg,
		DeepLink:          known(o.DeepLink),
		ExpiresAt:         moment(o.ExpiresAt),
		FetchedAt:         o.FetchedAt.UTC().Format(utcMillis),
		Stale:             o.Stale,
		Sandbox:           o.Sandbox,
		Segments:          ownSegments(o.Itinerary, shown),
	}
}

// moment is nil where the time is not known.
func moment(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(utcMillis))
}

// fareBrand joins the different brands of the slices in their order.
func fareBrand(brands []string) *string {
	var different []string
	for _, brand := range brands {
		if brand != "" && !slices.Contains(different, brand) {
			different = append(different, brand)
		}
	}
	return known(strings.Join(different, " / "))
}

func fareBrands(brands []string) []*string {
	shown := make([]*string, 0, len(brands))
	for _, brand := range brands {
		shown = append(shown, known(brand))
	}
	return shown
}

// ownSegments are the numbers and cabins that the offer sells, nil where they
// are those of the journey as it is shown. Both have the same segments, since
// they are one physical journey.
func ownSegments(own, shown flight.Itinerary) []api.OfferSegment {
	if slices.EqualFunc(own.Slices, shown.Slices, sameSale) {
		return nil
	}
	var sold []api.OfferSegment
	for _, s := range own.Slices {
		for _, seg := range s.Segments {
			sold = append(sold, api.OfferSegment{
				MarketingCarrier: carrierCode(seg.Marketing),
				FlightNumber:     known(seg.FlightNumber),
				Cabin:            known(api.Cabin(seg.Cabin)),
			})
		}
	}
	return sold
}

// sameSale reports that two descriptions of one slice sell the same numbers and
// cabins. How a carrier's name is spelt does not count where it has a code.
func sameSale(a, b flight.Slice) bool {
	return slices.EqualFunc(a.Segments, b.Segments, func(x, y flight.Segment) bool {
		return codeOrName(x.Marketing) == codeOrName(y.Marketing) && x.FlightNumber == y.FlightNumber && x.Cabin == y.Cabin
	})
}
