package httpapi

import (
	"strconv"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/search"
)

// searchHead is the part of an api.SearchResponse that is of this search alone.
type searchHead struct {
	SearchID  string                `json:"search_id"`
	Query     api.SearchQuery       `json:"query"`
	Complete  bool                  `json:"complete"`
	Currency  string                `json:"currency"`
	Providers []api.ProviderOutcome `json:"providers"`
}

// searchBody is the rest of it, the same for all searches that show the same
// fares in the same way.
type searchBody struct {
	Itineraries   []api.Itinerary        `json:"itineraries"`
	Summary       api.Summary            `json:"summary"`
	Places        map[string]api.Airport `json:"places"`
	Carriers      map[string]api.Carrier `json:"carriers"`
	ExchangeRates api.ExchangeRates      `json:"exchange_rates"`
	NextCursor    *string                `json:"next_cursor"`
}

func headOf(result *search.Result) searchHead {
	return searchHead{
		SearchID:  result.SearchID,
		Query:     searchQuery(result.Request),
		Complete:  result.Complete,
		Currency:  result.Request.View.Currency,
		Providers: outcomes(result.Providers),
	}
}

func bodyOf(result *search.Result) searchBody {
	body := searchBody{
		Itineraries:   make([]api.Itinerary, 0, len(result.Itineraries)),
		Summary:       summary(result.Summary),
		Places:        make(map[string]api.Airport, len(result.Places)),
		Carriers:      make(map[string]api.Carrier, len(result.Carriers)),
		ExchangeRates: exchangeRates(result.Rates),
		NextCursor:    known(result.NextCursor),
	}
	for _, it := range result.Itineraries {
		body.Itineraries = append(body.Itineraries, itinerary(it))
	}
	for code, place := range result.Places {
		body.Places[code] = shownPlace(code, place)
	}
	for code, carrier := range result.Carriers {
		body.Carriers[code] = api.Carrier{Name: known(carrier.Name)}
	}
	return body
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
