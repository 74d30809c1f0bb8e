package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// Scope is a set of fares that an event says have changed. A market covers all
// providers, whatever Provider says: more than asked is allowed, less never.
type Scope struct {
	// Provider alone means all of its fares.
	Provider string
	// Origin and Destination name a market by any airport or city of each end,
	// in either direction; both or neither.
	Origin, Destination string
	// Date narrows a market to one day of departure.
	Date flight.Date
}

// FieldProvider names a Scope's provider in a flight.Fault.
const FieldProvider = "provider"

// Invalidate withdraws all cached fares of the scope. After nil, no search that
// starts later on any instance answers with a fare of the scope whose fetch
// began before. A scope that cannot be is an *InvalidError; any other error means
// that it could not be made to hold, and may be repeated.
func (s *Service) Invalidate(ctx context.Context, scope Scope) error {
	tokens, faults := s.tokensOf(scope)
	if len(faults) > 0 {
		return &InvalidError{Faults: faults}
	}
	return s.options.Cache.Invalidate(ctx, tokens)
}

// ScopeFaults lists all that is wrong with a scope, and nothing where it can be
// invalidated.
func (s *Service) ScopeFaults(scope Scope) []flight.Fault {
	_, faults := s.tokensOf(scope)
	return faults
}

func (s *Service) tokensOf(scope Scope) ([]string, []flight.Fault) {
	faults := s.providerFaults(scope)
	if scope.Origin == "" && scope.Destination == "" {
		return []string{providerToken(scope.Provider)}, faults
	}
	slice := flight.SliceQuery{Origin: scope.Origin, Destination: scope.Destination, Departure: scope.Date}
	catalog := s.options.Catalog()
	if faults = append(faults, placeFaults(flight.NoSlice, slice, catalog)...); len(faults) > 0 {
		return nil, faults
	}
	market := marketOf(slice, catalog)
	if scope.Date.IsZero() {
		return []string{marketToken(market)}, nil
	}
	return []string{dayToken(market, scope.Date)}, nil
}

// providerFaults refuses a provider that does not take part, also where a market
// makes its name needless: who sends it is mistaken about this service.
func (s *Service) providerFaults(scope Scope) []flight.Fault {
	if scope.Provider == "" && scope.Origin+scope.Destination != "" || s.takesPart(scope.Provider) {
		return nil
	}
	return []flight.Fault{{Field: FieldProvider, Slice: flight.NoSlice, Detail: fmt.Sprintf(
		"%q is no provider here; name one, or origin and destination", scope.Provider)}}
}

func (s *Service) takesPart(provider string) bool {
	return slices.ContainsFunc(s.options.Sources, func(source Source) bool { return source.Provider.Name() == provider })
}

// allToken covers every fare there is.
const allToken = "all"

func providerToken(provider string) string { return "p:" + provider }

func marketToken(market string) string { return "m:" + market }

func dayToken(market string, day flight.Date) string { return "m:" + market + ":" + day.String() }

// marketOf is the unordered pair of the cities of a slice: JFK to LHR and LGW to
// EWR are both LON-NYC, so that an event about any airport of a city covers the
// searches of the city, and one about the way back the return trip.
func marketOf(slice flight.SliceQuery, catalog *refdata.Catalog) string {
	ends := []string{cityOf(slice.Origin, catalog), cityOf(slice.Destination, catalog)}
	slices.Sort(ends)
	return ends[0] + "-" + ends[1]
}

func cityOf(code string, catalog *refdata.Catalog) string {
	if city := catalog.CityOf(code); city != "" {
		return city
	}
	return code
}

// bucketOf is where the entries of a query lie: by its first market, so that one
// round trip reads all that a search needs.
func bucketOf(q flight.Query, catalog *refdata.Catalog) string { return marketOf(q.Slices[0], catalog) }

// tokensFor names the scopes that a provider's answer to a query belongs to.
func tokensFor(q flight.Query, provider string, catalog *refdata.Catalog) []string {
	tokens := []string{allToken, providerToken(provider)}
	for _, slice := range q.Slices {
		market := marketOf(slice, catalog)
		for _, token := range []string{marketToken(market), dayToken(market, slice.Departure)} {
			if !slices.Contains(tokens, token) {
				tokens = append(tokens, token)
			}
		}
	}
	return tokens
}
