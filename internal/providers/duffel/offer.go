package duffel

import (
	"errors"
	"strconv"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// offer puts one of Duffel's offers into our words, or says why it is no use.
func (d *decoder) offer(wire wireOffer) (flight.Offer, providers.Reject) {
	if wire.ID == "" {
		return flight.Offer{}, providers.RejectShape
	}
	price, reject := priceOf(wire)
	if reject != "" {
		return flight.Offer{}, reject
	}
	itinerary, reject := d.itinerary(wire.Slices)
	if reject != "" {
		return flight.Offer{}, reject
	}
	checked, carryOn := bags(wire)
	return flight.Offer{
		Ref:               wire.ID,
		Seller:            wire.Owner.Name,
		Itinerary:         itinerary,
		Price:             price,
		Taxes:             taxesOf(wire),
		ValidatingCarrier: wire.Owner.IATACode,
		Brands:            brands(wire.Slices),
		CheckedBags:       checked,
		CarryOnBags:       carryOn,
		Refundable:        wire.Conditions.Refund.allowed(),
		Changeable:        wire.Conditions.Change.allowed(),
		SelfTransfer:      selfTransfer(wire.Type),
		EmissionsKg:       wire.EmissionsKg.integer(),
		ExpiresAt:         expiry(wire.ExpiresAt),
	}, ""
}

// priceOf is the total for all passengers. Nobody flies for nothing: an amount
// of zero is a fault of the airline's feed, and would head every list.
func priceOf(wire wireOffer) (flight.Money, providers.Reject) {
	price, err := flight.ParseMoney(string(wire.TotalAmount), wire.TotalCurrency)
	switch {
	case errors.Is(err, flight.ErrNoCurrency):
		return flight.Money{}, providers.RejectCurrency
	case err != nil || price.Minor <= 0:
		return flight.Money{}, providers.RejectPrice
	}
	return price, ""
}

func taxesOf(wire wireOffer) *flight.Money {
	taxes, err := flight.ParseMoney(string(wire.TaxAmount), wire.TaxCurrency)
	if err != nil {
		return nil
	}
	return &taxes
}

// brands has one entry for each slice, or none at all where no slice is branded.
func brands(slices []wireSlice) []string {
	names := make([]string, len(slices))
	branded := false
	for i, s := range slices {
		names[i] = s.FareBrand
		branded = branded || s.FareBrand != ""
	}
	if !branded {
		return nil
	}
	return names
}

// allowed is nil where Duffel gives no condition: the airline did not say.
func (c *wireCondition) allowed() *bool {
	if c == nil {
		return nil
	}
	return c.Allowed
}

// selfTransfer reads the type that offers have where split tickets were asked
// for (https://duffel.com/docs/api/v2/offer-requests).
func selfTransfer(kind string) *bool {
	switch kind {
	case "single_ticket", "split_ticket":
		split := kind == "split_ticket"
		return &split
	default:
		return nil
	}
}

func expiry(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// integer is nil for anything but a whole number of at least zero.
func (s scalar) integer() *int {
	n, err := strconv.Atoi(string(s))
	if err != nil || n < 0 {
		return nil
	}
	return &n
}
