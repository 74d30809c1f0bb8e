// Package skyscanner asks Skyscanner's Flights Live Prices API, version 3, for
// fares (https://developers.skyscanner.net/docs/flights-live-prices/overview).
//
// A search is a session at the vendor: one call creates it and brings what the
// vendor has cached, further ones poll it while the vendor asks its partners,
// until the list is complete. Fares often get better late, so the last list is
// the answer.
//
// What this vendor does not say stays unknown: cabin and aircraft of a segment,
// touch-downs inside it, the means of transport (everything is a flight), the
// number of the operating flight, and until when a price holds. It keeps prices
// for ten minutes itself but does not promise them, so no offer of this package
// expires by itself. Some of its carriers have no IATA code; they keep their
// name alone, for the codes in its picture addresses are its own and mean other
// airlines elsewhere.
package skyscanner
