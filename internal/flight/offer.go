package flight

import "time"

// Offer is one provider's priced way to buy one itinerary. Pointers are nil, and
// texts empty, where the provider did not say.
type Offer struct {
	// Ref is the provider's own reference, opaque to all but its adapter.
	Ref      string `json:"ref"`
	Provider string `json:"provider"`
	// Seller is who takes the money: an airline or an agency.
	Seller string `json:"seller,omitempty"`
	// Itinerary is the journey as this provider describes it, with the flight
	// numbers that it sells.
	Itinerary Itinerary `json:"itinerary,omitzero"`
	// Price is the total for all passengers, taxes and mandatory fees included.
	Price Money  `json:"price"`
	Taxes *Money `json:"taxes,omitempty"`
	// ValidatingCarrier is the IATA code of the airline that issues the ticket.
	ValidatingCarrier string `json:"validating_carrier,omitempty"`
	// Brands has the fare brand of each slice, empty where unknown. It is part
	// of what distinguishes two offers of one itinerary.
	Brands []string `json:"brands,omitempty"`
	// CheckedBags and CarryOnBags count the pieces included for every seated
	// passenger on every segment: the least over both.
	CheckedBags *int `json:"checked_bags,omitempty"`
	CarryOnBags *int `json:"carry_on_bags,omitempty"`
	// CheckedKg is the allowance in kilograms where the fare counts weight
	// instead of pieces.
	CheckedKg *int `json:"checked_kg,omitempty"`
	// Refundable and Changeable hold before departure, at a fee or not.
	Refundable *bool `json:"refundable,omitempty"`
	Changeable *bool `json:"changeable,omitempty"`
	SeatsLeft  *int  `json:"seats_left,omitempty"`
	// SelfTransfer: the passenger carries bags and risk between two bookings.
	SelfTransfer *bool `json:"self_transfer,omitempty"`
	// EmissionsKg is CO2 for all passengers and the whole itinerary.
	EmissionsKg *int `json:"emissions_kg,omitempty"`
	// DeepLink is an https address of the seller, for display alone.
	DeepLink string `json:"deep_link,omitempty"`
	// ExpiresAt is when the provider no longer stands by the price; zero where
	// it did not say.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// FetchedAt is when the provider call began, UTC.
	FetchedAt time.Time `json:"fetched_at"`
	// Sandbox: invented by the sandbox, cannot be bought.
	Sandbox bool `json:"sandbox,omitempty"`
}

// Expired reports that the provider no longer stands by the price at now.
func (o Offer) Expired(now time.Time) bool {
	return !o.ExpiresAt.IsZero() && !now.Before(o.ExpiresAt)
}

// IncludesCheckedBag reports that at least one checked bag is known to be in the
// price.
func (o Offer) IncludesCheckedBag() bool {
	return o.CheckedBags != nil && *o.CheckedBags > 0 || o.CheckedKg != nil && *o.CheckedKg > 0
}
