package duffel

// The JSON of Duffel, in the vendor's own names. Pointers are values that may be
// null.

type place struct {
	Type        string   `json:"type"`
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	IATA        string   `json:"iata_code"`
	ICAO        *string  `json:"icao_code"`
	CityCode    *string  `json:"iata_city_code"`
	CityName    *string  `json:"city_name"`
	CountryCode string   `json:"iata_country_code"`
	TimeZone    *string  `json:"time_zone"`
	Latitude    *float64 `json:"latitude"`
	Longitude   *float64 `json:"longitude"`
	City        *place   `json:"city"`
	Airports    []place  `json:"airports"`
}

type airline struct {
	ID          string  `json:"id"`
	IATA        string  `json:"iata_code"`
	Name        string  `json:"name"`
	LogoSymbol  *string `json:"logo_symbol_url"`
	LogoLockup  *string `json:"logo_lockup_url"`
	CarriageURL *string `json:"conditions_of_carriage_url"`
}

type aircraft struct {
	ID   string `json:"id"`
	IATA string `json:"iata_code"`
	Name string `json:"name"`
}

type offerRequest struct {
	ID         string         `json:"id"`
	CreatedAt  string         `json:"created_at"`
	LiveMode   bool           `json:"live_mode"`
	CabinClass *string        `json:"cabin_class"`
	ClientKey  string         `json:"client_key"`
	Slices     []requestSlice `json:"slices"`
	Passengers []passenger    `json:"passengers"`
}

type requestSlice struct {
	OriginType      string `json:"origin_type"`
	Origin          place  `json:"origin"`
	DestinationType string `json:"destination_type"`
	Destination     place  `json:"destination"`
	DepartureDate   string `json:"departure_date"`
}

type passenger struct {
	ID         string     `json:"id"`
	Type       string     `json:"type"`
	FareType   *string    `json:"fare_type"`
	Age        *int       `json:"age"`
	GivenName  *string    `json:"given_name"`
	FamilyName *string    `json:"family_name"`
	Loyalty    []struct{} `json:"loyalty_programme_accounts"`
}

type offer struct {
	ID                string          `json:"id"`
	LiveMode          bool            `json:"live_mode"`
	Partial           bool            `json:"partial"`
	CreatedAt         string          `json:"created_at"`
	UpdatedAt         string          `json:"updated_at"`
	ExpiresAt         string          `json:"expires_at"`
	TotalAmount       string          `json:"total_amount"`
	TotalCurrency     string          `json:"total_currency"`
	BaseAmount        string          `json:"base_amount"`
	BaseCurrency      string          `json:"base_currency"`
	TaxAmount         string          `json:"tax_amount"`
	TaxCurrency       string          `json:"tax_currency"`
	TotalEmissionsKg  *string         `json:"total_emissions_kg"`
	Owner             airline         `json:"owner"`
	Conditions        offerConditions `json:"conditions"`
	Payment           payment         `json:"payment_requirements"`
	Passengers        []passenger     `json:"passengers"`
	DocumentsRequired bool            `json:"passenger_identity_documents_required"`
	DocumentTypes     []string        `json:"supported_passenger_identity_document_types"`
	LoyaltyProgrammes []string        `json:"supported_loyalty_programmes"`
	PrivateFares      []struct{}      `json:"private_fares"`
	AvailableServices []struct{}      `json:"available_services"`
	Slices            []slice         `json:"slices"`
}

type offerConditions struct {
	Refund *condition `json:"refund_before_departure"`
	Change *condition `json:"change_before_departure"`
}

type condition struct {
	Allowed         bool    `json:"allowed"`
	PenaltyAmount   *string `json:"penalty_amount"`
	PenaltyCurrency *string `json:"penalty_currency"`
}

type payment struct {
	Instant         bool    `json:"requires_instant_payment"`
	GuaranteeExpiry *string `json:"price_guarantee_expires_at"`
	RequiredBy      *string `json:"payment_required_by"`
}

type slice struct {
	ID              string          `json:"id"`
	OriginType      string          `json:"origin_type"`
	Origin          place           `json:"origin"`
	DestinationType string          `json:"destination_type"`
	Destination     place           `json:"destination"`
	Duration        string          `json:"duration"`
	FareBrandName   *string         `json:"fare_brand_name"`
	NGSShelf        *int            `json:"ngs_shelf"`
	ComparisonKey   string          `json:"comparison_key"`
	Conditions      sliceConditions `json:"conditions"`
	Segments        []segment       `json:"segments"`
}

type sliceConditions struct {
	Change           *condition `json:"change_before_departure"`
	SeatSelection    *bool      `json:"advance_seat_selection"`
	PriorityBoarding *bool      `json:"priority_boarding"`
	PriorityCheckIn  *bool      `json:"priority_check_in"`
}

type segment struct {
	ID                  string             `json:"id"`
	Origin              place              `json:"origin"`
	OriginTerminal      *string            `json:"origin_terminal"`
	Destination         place              `json:"destination"`
	DestinationTerminal *string            `json:"destination_terminal"`
	DepartingAt         string             `json:"departing_at"`
	ArrivingAt          string             `json:"arriving_at"`
	Duration            string             `json:"duration"`
	Distance            *string            `json:"distance"`
	MarketingCarrier    airline            `json:"marketing_carrier"`
	MarketingNumber     string             `json:"marketing_carrier_flight_number"`
	OperatingCarrier    airline            `json:"operating_carrier"`
	OperatingNumber     *string            `json:"operating_carrier_flight_number"`
	Aircraft            *aircraft          `json:"aircraft"`
	Stops               []stop             `json:"stops"`
	Passengers          []segmentPassenger `json:"passengers"`
}

type stop struct {
	ID          string `json:"id"`
	Airport     place  `json:"airport"`
	ArrivingAt  string `json:"arriving_at"`
	DepartingAt string `json:"departing_at"`
	Duration    string `json:"duration"`
}

type segmentPassenger struct {
	PassengerID   string    `json:"passenger_id"`
	Cabin         string    `json:"cabin_class"`
	CabinName     string    `json:"cabin_class_marketing_name"`
	FareBasisCode *string   `json:"fare_basis_code"`
	Baggages      []baggage `json:"baggages"`
}

type baggage struct {
	Type     string `json:"type"`
	Quantity int    `json:"quantity"`
}
