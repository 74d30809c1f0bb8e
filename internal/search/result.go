package search

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// Result is the answer to one search.
type Result struct {
	// SearchID names this answer in logs and support requests.
	SearchID string
	// Request is what was understood: codes in capitals, defaults filled in.
	Request Request
	// Complete is false where a provider that takes part and supports the query
	// gave neither fresh nor stale fares, or cut its list.
	Complete bool
	// Providers has one Outcome for each provider that takes part, in the order
	// of configuration.
	Providers []Outcome
	// Timing is how long the steps took, for the Server-Timing header.
	Timing Timing
	// Body names the fares and the view, and may hold the fields below encoded.
	Body Body
	// Itineraries are the page, in the order asked for.
	Itineraries []Itinerary
	Summary     Summary
	// Places and Carriers describe every code that the page uses.
	Places   map[string]Place
	Carriers map[string]flight.Carrier
	// Rates is where conversions came from.
	Rates refdata.Rates
	// NextCursor continues this answer; empty on the last page.
	NextCursor string
}

// Itinerary is one physical journey with all offers of it, the cheapest first;
// the journey is described as the cheapest offer does.
type Itinerary struct {
	flight.Itinerary
	ID string
	// Price is the lowest in the asked currency; nil where no offer could be
	// priced in it.
	Price  *flight.Money
	Offers []Offer
}

// Offer is an offer seen through the view.
type Offer struct {
	flight.Offer
	// ID names the offer to later calls.
	ID string
	// Converted is the price in the asked currency; nil where there is no rate.
	Converted *flight.Money
	// ConvertedTaxes likewise; nil also where the provider did not say.
	ConvertedTaxes *flight.Money
	// Stale: the provider could not be asked and this is what it said before.
	Stale bool
}

// Place describes a code used in the answer. Airports that the reference data
// does not know have a code and nothing else.
type Place struct {
	Airport refdata.Airport
	Known   bool
}

// Summary counts over everything found that passes the filters, not only the
// page.
type Summary struct {
	Itineraries, Offers int
	// Cheapest is nil where nothing was found or priced.
	Cheapest *flight.Money
	// Fastest is zero where no duration is known.
	Fastest time.Duration
	// Carriers counts itineraries by marketing carrier of any segment, Stops by
	// the most stops of any slice.
	Carriers map[string]int
	Stops    map[int]int
}

// Status is how a provider did.
type Status string

// The statuses of the contract.
const (
	StatusOK          Status = "ok"
	StatusTimeout     Status = "timeout"
	StatusError       Status = "error"
	StatusRateLimited Status = "rate_limited"
	StatusUnavailable Status = "unavailable"
	StatusUnsupported Status = "unsupported"
)

// CacheUse is where a provider's fares came from.
type CacheUse string

// The cache uses of the contract.
const (
	CacheHit   CacheUse = "hit"
	CacheStale CacheUse = "stale"
	CacheMiss  CacheUse = "miss"
)

// Outcome is one provider's part in a search.
type Outcome struct {
	Name   string
	Status Status
	// Offers that the provider gave and that could be read, before filters.
	Offers int
	// Latency of the call, zero on a hit.
	Latency time.Duration
	// Attempts counts requests sent, hedges and polls included, token calls left
	// out; zero on a hit.
	Attempts int
	Cache    CacheUse
	// Age of the fares, zero when just fetched.
	Age time.Duration
	// Fresh is for how much longer the cache answers with these fares; negative
	// where they are stale, and of no meaning where they were just fetched.
	Fresh   time.Duration
	Sandbox bool
	// Error is a sentence for people; empty where all went well.
	Error string
	// Warnings are the provider's remarks, such as a list that was cut.
	Warnings []string
}

// Timing is how long the steps of a search took.
type Timing struct {
	Total, Cache, Merge time.Duration
}
