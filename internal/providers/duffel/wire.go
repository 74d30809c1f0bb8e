package duffel

import (
	"encoding/json"
	"strings"
)

// The structs below are the parts of Duffel's v2 JSON that are used here
// (https://duffel.com/docs/api/v2/offers/schema). An object that is null stays
// its zero value, since no rule here tells null from absent.

type wireOfferRequest struct {
	Data wireSearch `json:"data"`
}

type wireSearch struct {
	Slices         []wireSearchSlice     `json:"slices"`
	Passengers     []wireSearchPassenger `json:"passengers"`
	CabinClass     string                `json:"cabin_class,omitempty"`
	MaxConnections int                   `json:"max_connections"`
}

type wireSearchSlice struct {
	Origin        string `json:"origin"`
	Destination   string `json:"destination"`
	DepartureDate string `json:"departure_date"`
}

// wireSearchPassenger has exactly one of its fields.
type wireSearchPassenger struct {
	Type string `json:"type,omitempty"`
	Age  *int   `json:"age,omitempty"`
}

type wireMeta struct {
	After string `json:"after"`
}

type wireError struct {
	Type    string `json:"type"`
	Code    scalar `json:"code"`
	Title   string `json:"title"`
	Message string `json:"message"`
	// Source is {field, pointer} for a validation error and an airline's name,
	// a plain string, for an airline error.
	Source json.RawMessage `json:"source"`
}

type wireOffer struct {
	ID            string          `json:"id"`
	Type          string          `json:"type"`
	TotalAmount   scalar          `json:"total_amount"`
	TotalCurrency string          `json:"total_currency"`
	TaxAmount     scalar          `json:"tax_amount"`
	TaxCurrency   string          `json:"tax_currency"`
	EmissionsKg   scalar          `json:"total_emissions_kg"`
	ExpiresAt     string          `json:"expires_at"`
	Owner         wireAirline     `json:"owner"`
	Conditions    wireConditions  `json:"conditions"`
	Passengers    []wireTraveller `json:"passengers"`
	Slices        []wireSlice     `json:"slices"`
}

type wireAirline struct {
	IATACode string `json:"iata_code"`
	Name     string `json:"name"`
}

type wireConditions struct {
	Refund *wireCondition `json:"refund_before_departure"`
	Change *wireCondition `json:"change_before_departure"`
}

type wireCondition struct {
	Allowed *bool `json:"allowed"`
}

type wireTraveller struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Age  *int   `json:"age"`
}

type wireSlice struct {
	Duration  string        `json:"duration"`
	FareBrand string        `json:"fare_brand_name"`
	Segments  []wireSegment `json:"segments"`
}

type wireSegment struct {
	Origin              wireAirport     `json:"origin"`
	Destination         wireAirport     `json:"destination"`
	DepartingAt         string          `json:"departing_at"`
	ArrivingAt          string          `json:"arriving_at"`
	Duration            string          `json:"duration"`
	OriginTerminal      scalar          `json:"origin_terminal"`
	DestinationTerminal scalar          `json:"destination_terminal"`
	MarketingCarrier    wireAirline     `json:"marketing_carrier"`
	MarketingNumber     scalar          `json:"marketing_carrier_flight_number"`
	OperatingCarrier    wireAirline     `json:"operating_carrier"`
	Aircraft            wireAircraft    `json:"aircraft"`
	Stops               []wireStop      `json:"stops"`
	Passengers          []wirePassenger `json:"passengers"`
}

type wireAirport struct {
	IATACode string `json:"iata_code"`
	TimeZone string `json:"time_zone"`
}

type wireAircraft struct {
	IATACode string `json:"iata_code"`
}

type wireStop struct {
	Airport     wireAirport `json:"airport"`
	ArrivingAt  string      `json:"arriving_at"`
	DepartingAt string      `json:"departing_at"`
	Duration    string      `json:"duration"`
}

// wirePassenger is what one traveller gets on one segment.
type wirePassenger struct {
	ID         string        `json:"passenger_id"`
	CabinClass string        `json:"cabin_class"`
	Baggages   []wireBaggage `json:"baggages"`
}

type wireBaggage struct {
	Type     string `json:"type"`
	Quantity scalar `json:"quantity"`
}

// scalar is a value sent as a string or as a number, kept digit for digit.
// Anything else, null included, is the empty scalar.
type scalar string

// UnmarshalJSON never fails, so that one odd value does not cost the offer.
func (s *scalar) UnmarshalJSON(value []byte) error {
	*s = ""
	switch c := value[0]; {
	case c == '"':
		var text string
		if err := json.Unmarshal(value, &text); err == nil {
			*s = scalar(strings.TrimSpace(text))
		}
	case c == '-' || c >= '0' && c <= '9':
		*s = scalar(value)
	}
	return nil
}
