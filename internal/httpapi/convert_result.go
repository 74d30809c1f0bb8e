package httpapi

import (
	"strconv"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/search"
)

// searchResponse is the answer to one search.
func searchResponse(result *search.Result) api.SearchResponse {
	response := api.SearchResponse{
		SearchID:      result.SearchID,
		Query:         searchQuery(result.Request),
		Complete:      result.Complete,
		Currency:      result.Request.View.Currency,
		Itineraries:   make([]api.Itinerary, 0, len(result.Itineraries)),
		Summary:       summary(result.Summary),
		Places:        make(map[string]api.Airport, len(result.Places)),
		Carriers:      make(map[string]api.Carrier, len(result.Carriers)),
		Providers:     outcomes(result.Providers),
		ExchangeRates: exchangeRates(result.Rates),
		NextCursor:    known(result.NextCursor),
	}
	for _, it := range result.Itineraries {
		response.Itineraries = append(response.Itineraries, itinerary(it))
	}
	for code, place := range result.Places {
		response.Places[code] = shownPlace(code, place)
	}
	for code, carrier := range result.Carriers {
		response.Carriers[code] = api.Carrier{Name: known(carrier.Name)}
	}
	return response
}

func shownPlace(code string, place search.Place) api.Airport {
	if !place.Known {
		return api.Airport{IATA: code}
	}
	return airport(place.Airport)
}

func summary(s search.Summary) api.Summary {
	shown := api.Summary{
		Itineraries:    s.Itineraries,
		Offers:         s.Offers,
		Cheapest:       price(s.Cheapest),
		FastestMinutes: minutes(s.Fastest),
		Carriers:       s.Carriers,
		Stops:          make(map[string]int, len(s.Stops)),
	}
	if shown.Carriers == nil {
		shown.Carriers = map[string]int{}
	}
	for stops, count := range s.Stops {
		shown.Stops[strconv.Itoa(stops)] = count
	}
	return shown
}

func outcomes(all []search.Outcome) []api.ProviderOutcome {
	shown := make([]api.ProviderOutcome, 0, len(all))
	for _, o := range all {
		shown = append(shown, api.ProviderOutcome{
			Name:       o.Name,
			Status:     api.ProviderStatus(o.Status),
			Offers:     o.Offers,
			LatencyMs:  int(o.Latency.Milliseconds()),
			Attempts:   o.Attempts,
			Cache:      api.CacheUse(o.Cache),
			AgeSeconds: int(o.Age.Seconds()),
			Sandbox:    o.Sandbox,
			Error:      known(o.Error),
			Warnings:   append([]string{}, o.Warnings...),
		})
	}
	return shown
}
