package skyscanner

import "encoding/json"

// createRequest is the body of POST /flights/live/search/create.
type createRequest struct {
	Query searchQuery `json:"query"`
}

type searchQuery struct {
	Market       string     `json:"market"`
	Locale       string     `json:"locale"`
	Currency     string     `json:"currency"`
	QueryLegs    []queryLeg `json:"queryLegs"`
	CabinClass   string     `json:"cabinClass"`
	Adults       int        `json:"adults"`
	ChildrenAges []int      `json:"childrenAges,omitempty"`
}

type queryLeg struct {
	OriginPlaceID      queryPlace `json:"originPlaceId"`
	DestinationPlaceID queryPlace `json:"destinationPlaceId"`
	Date               queryDate  `json:"date"`
}

type queryPlace struct {
	IATA string `json:"iata"`
}

type queryDate struct {
	Year  int `json:"year"`
	Month int `json:"month"`
	Day   int `json:"day"`
}

// Statuses and actions of an answer that make a difference here.
const (
	statusComplete    = "RESULT_STATUS_COMPLETE"
	statusFailed      = "RESULT_STATUS_FAILED"
	actionNotModified = "RESULT_ACTION_NOT_MODIFIED"
	actionOmitted     = "RESULT_ACTION_OMITTED"
)

// searchAnswer is the answer to create and poll.
type searchAnswer struct {
	SessionToken string   `json:"sessionToken"`
	Status       string   `json:"status"`
	Action       string   `json:"action"`
	Content      *content `json:"content"`
}

type content struct {
	Results results `json:"results"`
}

// results are maps by id. They stay undecoded until it is clear that they are
// the last ones of the session.
type results struct {
	Itineraries json.RawMessage `json:"itineraries"`
	Legs        json.RawMessage `json:"legs"`
	Segments    json.RawMessage `json:"segments"`
	Places      json.RawMessage `json:"places"`
	Carriers    json.RawMessage `json:"carriers"`
	Agents      json.RawMessage `json:"agents"`
}

type itinerary struct {
	PricingOptions []pricingOption `json:"pricingOptions"`
	LegIDs         []string        `json:"legIds"`
}

type pricingOption struct {
	ID           string      `json:"id"`
	Price        price       `json:"price"`
	AgentIDs     []string    `json:"agentIds"`
	Items        []item      `json:"items"`
	TransferType string      `json:"transferType"`
	Fare         *optionFare `json:"pricingOptionFare"`
}

// price is for all passengers: an integer amount in fractions of the currency
// that was asked for.
type price struct {
	Amount scalar `json:"amount"`
	Unit   string `json:"unit"`
}

// item is one booking of those that an option takes.
type item struct {
	DeepLink string `json:"deepLink"`
}

type optionFare struct {
	CabinBaggage   baggage            `json:"cabinBaggage"`
	CheckedBaggage baggage            `json:"checkedBaggage"`
	LegDetails     map[string]legFare `json:"legDetails"`
	BrandNames     []string           `json:"brandNames"`
}

type legFare struct {
	BrandNames []string `json:"brandNames"`
}

type baggage struct {
	Assessment string `json:"assessment"`
	Pieces     scalar `json:"pieces"`
}

type leg struct {
	StopCount         int      `json:"stopCount"`
	DurationInMinutes int      `json:"durationInMinutes"`
	SegmentIDs        []string `json:"segmentIds"`
}

type segment struct {
	OriginPlaceID         string   `json:"originPlaceId"`
	DestinationPlaceID    string   `json:"destinationPlaceId"`
	DepartureDateTime     dateTime `json:"departureDateTime"`
	ArrivalDateTime       dateTime `json:"arrivalDateTime"`
	DurationInMinutes     int      `json:"durationInMinutes"`
	MarketingFlightNumber scalar   `json:"marketingFlightNumber"`
	MarketingCarrierID    string   `json:"marketingCarrierId"`
	OperatingCarrierID    string   `json:"operatingCarrierId"`
}

// dateTime is a clock reading at the airport.
type dateTime struct {
	Year   int `json:"year"`
	Month  int `json:"month"`
	Day    int `json:"day"`
	Hour   int `json:"hour"`
	Minute int `json:"minute"`
	Second int `json:"second"`
}

type place struct {
	IATA string `json:"iata"`
}

type carrier struct {
	Name string `json:"name"`
	IATA string `json:"iata"`
}

type agent struct {
	Name string `json:"name"`
}

// failureAnswer is what a refused call carries, the form of google.rpc.Status.
type failureAnswer struct {
	Code    scalar `json:"code"`
	Message string `json:"message"`
}

// scalar is a value sent as a string or as a number, kept digit for digit.
// Anything else, null included, is the empty scalar.
type scalar string

// UnmarshalJSON never fails, so that one odd value does not cost the rest.
func (s *scalar) UnmarshalJSON(value []byte) error {
	*s = ""
	switch c := value[0]; {
	case c == '"':
		_ = json.Unmarshal(value, (*string)(s))
	case c == '-' || c >= '0' && c <= '9':
		*s = scalar(value)
	}
	return nil
}
