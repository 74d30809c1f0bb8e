// Package search is the use case: check a query, plan, ask the providers side by
// side, merge what they answer into itineraries with offers, filter, rank and
// page.
package search
