package skyscanner

// The JSON of Skyscanner, in the vendor's own names.

type content struct {
	Results        results        `json:"results"`
	Stats          stats          `json:"stats"`
	SortingOptions sortingOptions `json:"sortingOptions"`
}

type results struct {
	Itineraries map[string]itinerary `json:"itineraries"`
	Legs        map[string]leg       `json:"legs"`
	Segments    map[string]segment   `json:"segments"`
	Places      map[string]place     `json:"places"`
	Carriers    map[string]carrier   `json:"carriers"`
	Agents      map[string]agent     `json:"agents"`
	Alliances   map[string]alliance  `json:"alliances"`
}

type itinerary struct {
	PricingOptions     []pricingOption     `json:"pricingOptions"`
	LegIDs             []string            `json:"legIds"`
	SustainabilityData *sustainabilityData `json:"sustainabilityData"`
}

type pricingOption struct {
	Price        price       `json:"price"`
	AgentIDs     []string    `json:"agentIds"`
	Items        []item      `json:"items"`
	TransferType string      `json:"transferType"`
	ID           string      `json:"id"`
	Fare         *optionFare `json:"pricingOptionFare"`

	minor int64 // The price, for sorting.
}

// price is an integer as text, in thousandths of the currency that was asked
// for; empty where the vendor has none.
type price struct {
	Amount       string `json:"amount"`
	Unit         string `json:"unit"`
	UpdateStatus string `json:"updateStatus"`
}

type item struct {
	Price    price      `json:"price"`
	AgentID  string     `json:"agentId"`
	DeepLink string     `json:"deepLink"`
	Fares    []itemFare `json:"fares"`
}

type itemFare struct {
	SegmentID     string `json:"segmentId"`
	BookingCode   string `json:"bookingCode"`
	FareBasisCode string `json:"fareBasisCode"`
}

type optionFare struct {
	CabinBaggage   baggage            `json:"cabinBaggage"`
	CheckedBaggage baggage            `json:"checkedBaggage"`
	LegDetails     map[string]legFare `json:"legDetails"`
	BrandNames     []string           `json:"brandNames"`
}

type baggage struct {
	Assessment string `json:"assessment"`
	Pieces     int    `json:"pieces"`
	Fee        price  `json:"fee"`
	Weight     string `json:"weight"`
}

type legFare struct {
	BrandNames []string `json:"brandNames"`
}

type sustainabilityData struct {
	IsEcoContender    bool    `json:"isEcoContender"`
	EcoContenderDelta float64 `json:"ecoContenderDelta"`
}

type leg struct {
	OriginPlaceID       string   `json:"originPlaceId"`
	DestinationPlaceID  string   `json:"destinationPlaceId"`
	DepartureDateTime   dateTime `json:"departureDateTime"`
	ArrivalDateTime     dateTime `json:"arrivalDateTime"`
	DurationInMinutes   int      `json:"durationInMinutes"`
	StopCount           int      `json:"stopCount"`
	MarketingCarrierIDs []string `json:"marketingCarrierIds"`
	OperatingCarrierIDs []string `json:"operatingCarrierIds"`
	SegmentIDs          []string `json:"segmentIds"`
}

type segment struct {
	OriginPlaceID         string   `json:"originPlaceId"`
	DestinationPlaceID    string   `json:"destinationPlaceId"`
	DepartureDateTime     dateTime `json:"departureDateTime"`
	ArrivalDateTime       dateTime `json:"arrivalDateTime"`
	DurationInMinutes     int      `json:"durationInMinutes"`
	MarketingFlightNumber string   `json:"marketingFlightNumber"`
	MarketingCarrierID    string   `json:"marketingCarrierId"`
	OperatingCarrierID    string   `json:"operatingCarrierId"`
}

// dateTime is a clock reading at the place.
type dateTime struct {
	Year   int `json:"year"`
	Month  int `json:"month"`
	Day    int `json:"day"`
	Hour   int `json:"hour"`
	Minute int `json:"minute"`
	Second int `json:"second"`
}

type place struct {
	EntityID string `json:"entityId"`
	ParentID string `json:"parentId"`
	Name     string `json:"name"`
	Type     string `json:"type"`
	IATA     string `json:"iata"`
}

type carrier struct {
	Name       string `json:"name"`
	AllianceID string `json:"allianceId"`
	ImageURL   string `json:"imageUrl"`
	IATA       string `json:"iata"`
}

type agent struct {
	Name                 string  `json:"name"`
	Type                 string  `json:"type"`
	ImageURL             string  `json:"imageUrl"`
	FeedbackCount        int     `json:"feedbackCount"`
	Rating               float64 `json:"rating"`
	RatingBreakdown      *string `json:"ratingBreakdown"`
	IsOptimisedForMobile bool    `json:"isOptimisedForMobile"`
}

type alliance struct {
	Name string `json:"name"`
}

type stats struct {
	Itineraries itineraryStats `json:"itineraries"`
}

type itineraryStats struct {
	MinDuration int              `json:"minDuration"`
	MaxDuration int              `json:"maxDuration"`
	Total       count            `json:"total"`
	Stops       map[string]count `json:"stops"`
}

type count struct {
	Count    int   `json:"count"`
	MinPrice price `json:"minPrice"`
}

type sortingOptions struct {
	Best     []sorted `json:"best"`
	Cheapest []sorted `json:"cheapest"`
	Fastest  []sorted `json:"fastest"`
}

type sorted struct {
	Score       float64 `json:"score"`
	ItineraryID string  `json:"itineraryId"`
}
