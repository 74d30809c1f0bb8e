package amadeus

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// searchRequest is the body of POST /v2/shopping/flight-offers.
type searchRequest struct {
	CurrencyCode       string              `json:"currencyCode"`
	OriginDestinations []originDestination `json:"originDestinations"`
	Travelers          []traveler          `json:"travelers"`
	Sources            []string            `json:"sources"`
	SearchCriteria     searchCriteria      `json:"searchCriteria"`
}

type originDestination struct {
	ID                      string        `json:"id"`
	OriginLocationCode      string        `json:"originLocationCode"`
	DestinationLocationCode string        `json:"destinationLocationCode"`
	DepartureDateTimeRange  dateTimeRange `json:"departureDateTimeRange"`
}

type dateTimeRange struct {
	Date string `json:"date"`
}

type traveler struct {
	ID                string `json:"id"`
	TravelerType      string `json:"travelerType"`
	AssociatedAdultID string `json:"associatedAdultId,omitempty"`
}

type searchCriteria struct {
	MaxFlightOffers int           `json:"maxFlightOffers"`
	FlightFilters   flightFilters `json:"flightFilters"`
}

type flightFilters struct {
	CabinRestrictions []cabinRestriction `json:"cabinRestrictions"`
}

type cabinRestriction struct {
	Cabin                string   `json:"cabin"`
	Coverage             string   `json:"coverage"`
	OriginDestinationIDs []string `json:"originDestinationIds"`
}

// searchAnswer is a good answer. Data is nil only where it was not sent.
type searchAnswer struct {
	Meta struct {
		Count int `json:"count"`
	} `json:"meta"`
	Data         []flightOffer `json:"data"`
	Dictionaries struct {
		Carriers map[string]string `json:"carriers"`
	} `json:"dictionaries"`
	Warnings []issue `json:"warnings"`
	Errors   []issue `json:"errors"`
}

type flightOffer struct {
	ID                     text              `json:"id"`
	NumberOfBookableSeats  text              `json:"numberOfBookableSeats"`
	Itineraries            []itinerary       `json:"itineraries"`
	Price                  price             `json:"price"`
	PricingOptions         pricingOptions    `json:"pricingOptions"`
	ValidatingAirlineCodes []string          `json:"validatingAirlineCodes"`
	TravelerPricings       []travelerPricing `json:"travelerPricings"`
}

type itinerary struct {
	Duration string    `json:"duration"`
	Segments []segment `json:"segments"`
}

type segment struct {
	ID            text      `json:"id"`
	Departure     endpoint  `json:"departure"`
	Arrival       endpoint  `json:"arrival"`
	CarrierCode   string    `json:"carrierCode"`
	Number        text      `json:"number"`
	Aircraft      equipment `json:"aircraft"`
	Operating     operating `json:"operating"`
	Duration      string    `json:"duration"`
	NumberOfStops text      `json:"numberOfStops"`
	Stops         []stop    `json:"stops"`
}

type endpoint struct {
	IATACode string `json:"iataCode"`
	Terminal text   `json:"terminal"`
	At       string `json:"at"`
}

type equipment struct {
	Code text `json:"code"`
}

// operating is left out of some genuine answers.
type operating struct {
	CarrierCode string `json:"carrierCode"`
}

type stop struct {
	IATACode    string `json:"iataCode"`
	Duration    string `json:"duration"`
	ArrivalAt   string `json:"arrivalAt"`
	DepartureAt string `json:"departureAt"`
}

// price is of all travelers together; base is without taxes, grandTotal adds
// the fees of the services that are part of the offer to total.
type price struct {
	Currency   string `json:"currency"`
	Total      text   `json:"total"`
	GrandTotal text   `json:"grandTotal"`
	Base       text   `json:"base"`
	Fees       []fee  `json:"fees"`
}

type fee struct {
	Amount text `json:"amount"`
}

type pricingOptions struct {
	RefundableFare bool `json:"refundableFare"`
}

// travelerPricing has a price of its own too, which is never read: it is for
// one traveler of several.
type travelerPricing struct {
	TravelerType         string        `json:"travelerType"`
	FareDetailsBySegment []fareDetails `json:"fareDetailsBySegment"`
}

type fareDetails struct {
	SegmentID           text      `json:"segmentId"`
	Cabin               string    `json:"cabin"`
	BrandedFare         string    `json:"brandedFare"`
	BrandedFareLabel    string    `json:"brandedFareLabel"`
	IncludedCheckedBags allowance `json:"includedCheckedBags"`
	IncludedCabinBags   allowance `json:"includedCabinBags"`
	Amenities           []amenity `json:"amenities"`
}

// allowance counts pieces or weight, seldom both.
type allowance struct {
	Quantity   text   `json:"quantity"`
	Weight     text   `json:"weight"`
	WeightUnit string `json:"weightUnit"`
}

// amenity is a service of a fare brand; listed means offered, at a charge or
// not.
type amenity struct {
	Description string `json:"description"`
}

// issue is an error or a warning.
type issue struct {
	Status text   `json:"status"`
	Code   text   `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

// errorAnswer is what a refused search carries.
type errorAnswer struct {
	Errors []issue `json:"errors"`
}

// text is a string that this vendor sends as a string or as a number, as it
// does with error codes. A number keeps the digits that were sent, so that no
// amount passes through a float.
type text string

// UnmarshalJSON reads either form; anything else is taken for absent.
func (t *text) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return nil
	case raw[0] == '"':
		return json.Unmarshal(raw, (*string)(t))
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		*t = text(raw)
	}
	return nil
}

// count is the text as a number of things, nil where it is none.
func (t text) count() *int {
	n, err := strconv.Atoi(string(t))
	if err != nil || n < 0 {
		return nil
	}
	return &n
}
