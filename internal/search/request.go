package search

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Request is one search: the question that providers are asked, and the view
// over their answers. Only the Query decides who is asked; a different View
// never does.
type Request struct {
	Query flight.Query
	View  View
	// Timeout is the caller's own latency budget; zero means the service's.
	Timeout time.Duration
	// MaxAge refuses fares fetched longer ago; nil accepts what the cache holds.
	MaxAge *time.Duration
}

// View chooses, prices and orders what is shown of the fares.
type View struct {
	// Currency is an ISO 4217 code that has a known rate.
	Currency string
	Filter   Filter
	Sort     Sort
	// Limit is how many itineraries a page has, 1 to 100.
	Limit int
	// Cursor continues an earlier answer; empty for the first page.
	Cursor string
}

// Filter keeps the itineraries and offers that pass all that is set. The zero
// Filter keeps everything.
type Filter struct {
	// MaxStops per slice, touch-downs inside a segment included; nil: any.
	MaxStops *int
	// Carriers: at least one segment is marketed or operated by one of these.
	Carriers []string
	// ExcludeCarriers: no segment is marketed or operated by one of these.
	ExcludeCarriers []string
	// MaxPrice in the view's currency; the zero Money: any.
	MaxPrice flight.Money
	// MaxDuration of each slice; zero: any.
	MaxDuration time.Duration
	// Depart and Arrive bound the outbound slice's local times.
	Depart, Arrive Window
	// CheckedBag keeps only offers that are known to include one.
	CheckedBag bool
}

// Window is a span of the local day in minutes since midnight, both ends
// inclusive; After later than Before wraps midnight. A nil end is open.
type Window struct {
	After, Before *int
}

// Sort is the order of itineraries.
type Sort string

// The orders of the contract.
const (
	SortBest      Sort = "best"
	SortCheapest  Sort = "cheapest"
	SortFastest   Sort = "fastest"
	SortDeparture Sort = "departure"
)
