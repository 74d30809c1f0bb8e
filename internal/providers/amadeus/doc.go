// Package amadeus asks Amadeus Flight Offers Search (version 2) for fares.
//
// Every search is one POST with X-HTTP-Method-Override: GET, the form of the
// call that can ask for any journey; it only reads, so it may be repeated. The
// form is described at
// https://developers.amadeus.com/self-service/category/flights/api-doc/flight-offers-search.
//
// What this vendor does not say stays unknown: the number of the operating
// flight, who takes the money, and until when it stands by a price. The
// lastTicketingDate of an offer is the day by which a booking made now must be
// ticketed, not a promise that the fare is still for sale until then, so no
// offer of this package expires by itself.
package amadeus
