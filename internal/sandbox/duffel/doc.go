// Package duffel renders the sandbox's world as the Duffel API, version v2:
// offer requests, offers by id, and pages of offers.
// See https://duffel.com/docs/api/v2/offer-requests.
//
// Ids carry the question and the moment that they come from, so nothing is
// remembered between calls. They differ in every answer, as Duffel's do.
package duffel
