package amadeus

// The JSON of Amadeus, in the vendor's own names.

type flightOffer struct {
	Type                     string            `json:"type"`
	ID                       string            `json:"id"`
	Source                   string            `json:"source"`
	InstantTicketingRequired bool              `json:"instantTicketingRequired"`
	NonHomogeneous           bool              `json:"nonHomogeneous"`
	OneWay                   bool              `json:"oneWay"`
	IsUpsellOffer            bool              `json:"isUpsellOffer"`
	LastTicketingDate        string            `json:"lastTicketingDate,omitempty"`
	LastTicketingDateTime    string            `json:"lastTicketingDateTime,omitempty"`
	NumberOfBookableSeats    int               `json:"numberOfBookableSeats,omitempty"`
	Itineraries              []itinerary       `json:"itineraries"`
	Price                    price             `json:"price"`
	PricingOptions           pricingOptions    `json:"pricingOptions"`
	ValidatingAirlineCodes   []string          `json:"validatingAirlineCodes"`
	TravelerPricings         []travelerPricing `json:"travelerPricings"`
}

type itinerary struct {
	Duration string    `json:"duration,omitempty"`
	Segments []segment `json:"segments"`
}

type segment struct {
	Departure       endpoint   `json:"departure"`
	Arrival         endpoint   `json:"arrival"`
	CarrierCode     string     `json:"carrierCode"`
	Number          string     `json:"number"`
	Aircraft        code       `json:"aircraft"`
	Operating       *operating `json:"operating,omitempty"`
	Duration        string     `json:"duration"`
	Stops           []stop     `json:"stops,omitempty"`
	ID              string     `json:"id"`
	NumberOfStops   int        `json:"numberOfStops"`
	BlacklistedInEU bool       `json:"blacklistedInEU"`
}

type endpoint struct {
	IATA     string `json:"iataCode"`
	Terminal string `json:"terminal,omitempty"`
	At       string `json:"at"`
}

type code struct {
	Code string `json:"code"`
}

type operating struct {
	CarrierCode string `json:"carrierCode"`
}

type stop struct {
	IATA        string `json:"iataCode"`
	Duration    string `json:"duration"`
	ArrivalAt   string `json:"arrivalAt"`
	DepartureAt string `json:"departureAt"`
}

type price struct {
	Currency        string `json:"currency"`
	Total           string `json:"total"`
	Base            string `json:"base"`
	Fees            []fee  `json:"fees,omitempty"`
	GrandTotal      string `json:"grandTotal,omitempty"`
	BillingCurrency string `json:"billingCurrency,omitempty"`
	Taxes           []tax  `json:"taxes,omitempty"`
}

type fee struct {
	Amount string `json:"amount"`
	Type   string `json:"type"`
}

type tax struct {
	Amount string `json:"amount"`
	Code   string `json:"code"`
}

type pricingOptions struct {
	FareType                []string `json:"fareType"`
	IncludedCheckedBagsOnly bool     `json:"includedCheckedBagsOnly"`
}

type travelerPricing struct {
	TravelerID           string       `json:"travelerId"`
	FareOption           string       `json:"fareOption"`
	TravelerType         string       `json:"travelerType"`
	AssociatedAdultID    string       `json:"associatedAdultId,omitempty"`
	Price                price        `json:"price"`
	FareDetailsBySegment []fareDetail `json:"fareDetailsBySegment"`
}

type fareDetail struct {
	SegmentID           string `json:"segmentId"`
	Cabin               string `json:"cabin"`
	FareBasis           string `json:"fareBasis"`
	BrandedFare         string `json:"brandedFare,omitempty"`
	BrandedFareLabel    string `json:"brandedFareLabel,omitempty"`
	Class               string `json:"class"`
	IncludedCheckedBags *bags  `json:"includedCheckedBags,omitempty"`
	IncludedCabinBags   *bags  `json:"includedCabinBags,omitempty"`
}

// bags are pieces or a weight.
type bags struct {
	Quantity   *int   `json:"quantity,omitempty"`
	Weight     int    `json:"weight,omitempty"`
	WeightUnit string `json:"weightUnit,omitempty"`
}

type dictionaries struct {
	Locations  map[string]location `json:"locations,omitempty"`
	Aircraft   map[string]string   `json:"aircraft,omitempty"`
	Currencies map[string]string   `json:"currencies,omitempty"`
	Carriers   map[string]string   `json:"carriers,omitempty"`
}

type location struct {
	CityCode    string `json:"cityCode"`
	CountryCode string `json:"countryCode"`
}
