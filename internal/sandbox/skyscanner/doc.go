// Package skyscanner renders the sandbox's world as the Skyscanner Flights Live
// Prices API, version v3: create, poll and itinerary refresh.
// See https://developers.skyscanner.net/docs/flights-live-prices/overview.
//
// A session begins with what a cache would hold, without the best fares, and is
// complete after a poll or two. Its token carries the question and how far the
// session has come, so nothing is remembered between calls.
package skyscanner
