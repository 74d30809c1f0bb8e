package providers

import (
	"net/http"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Answer is what one provider said to one query. "Found nothing" is an Answer
// without offers, never an error.
type Answer struct {
	// Offers have Ref, Itinerary, Price and all that the provider said of them.
	// Provider, FetchedAt and Sandbox are the caller's to fill.
	Offers []flight.Offer `json:"offers"`
	// Rejects counts offers that were dropped, by Reject reason.
	Rejects map[Reject]int `json:"rejects,omitempty"`
	// Mismatches counts segments and slices whose own duration contradicts the
	// zones; the provider's duration was kept.
	Mismatches int `json:"mismatches,omitempty"`
	// Cut reports that the provider had more and left it off.
	Cut bool `json:"cut,omitempty"`
	// Warnings are the provider's own remarks on a good answer.
	Warnings []string `json:"warnings,omitempty"`
}

// Reject says why an offer could not be used. The set is small and fixed, for it
// labels a metric.
type Reject string

// Reasons to drop an offer and keep the rest.
const (
	RejectPrice     Reject = "price"     // No amount, or one that its currency cannot express.
	RejectCurrency  Reject = "currency"  // No currency, or none of ISO 4217.
	RejectTimes     Reject = "times"     // A departure or arrival is missing or unreadable.
	RejectPlaces    Reject = "places"    // An airport is missing.
	RejectCarrier   Reject = "carrier"   // Nobody is named who sells the seat.
	RejectItinerary Reject = "itinerary" // No slices or segments, or references to nowhere.
	RejectShape     Reject = "shape"     // Not even the form of an offer.
)

// Zones finds the time zone of an airport by its IATA code, nil where unknown.
// It must be safe for concurrent use.
type Zones func(iata string) *time.Location

// Class says how a call may be hedged. It belongs to a credential at a vendor:
// a call that is billed or limited is hedged late and little, or never.
type Class string

// The hedging classes.
const (
	ClassFree    Class = "free"
	ClassMetered Class = "metered"
	ClassNever   Class = "never"
)

// Clients are the HTTP clients of one provider, one for each class. They hedge,
// choose replicas and keep rate limits; an adapter only picks one by the class
// of its call and asks the logical address that it was given. They follow no
// redirects: net/http would carry a vendor's own key header to any host.
type Clients struct {
	Free, Metered, Never *http.Client
}

// For is the client of a class; an unknown class is never hedged.
func (c Clients) For(class Class) *http.Client {
	switch class {
	case ClassFree:
		return c.Free
	case ClassMetered:
		return c.Metered
	default:
		return c.Never
	}
}
