// Package flight is the vocabulary of the service: what is asked (Query,
// Passengers) and what is answered (Segment, Slice, Itinerary, Offer, Money).
//
// Words follow ITA and IATA usage. A segment is one flight number from one
// airport to another, touch-downs included. A slice is one direction of travel.
// An itinerary is the whole journey. An offer is one provider's priced way to
// buy one itinerary.
//
// The package is pure: no I/O, no clock, no reference data. Its values are safe
// to share between goroutines as long as nobody writes to them.
package flight
