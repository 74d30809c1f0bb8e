package httpapi

import (
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

// searchQuery echoes what was understood.
func searchQuery(req search.Request) api.SearchQuery {
	echo := api.SearchQuery{
		Slices:     make([]api.SliceQuery, 0, len(req.Query.Slices)),
		Passengers: passengers(req.Query.Passengers),
		Cabin:      api.Cabin(req.Query.Cabin),
		Currency:   req.View.Currency,
		Filters:    filters(req.View.Filter),
		Sort:       api.Sort(req.View.Sort),
		Limit:      req.View.Limit,
	}
	for _, s := range req.Query.Slices {
		echo.Slices = append(echo.Slices, api.SliceQuery{
			Origin: s.Origin, Destination: s.Destination, DepartureDate: s.Departure.String(),
		})
	}
	if req.Timeout > 0 {
		echo.TimeoutMs = new(int(req.Timeout.Milliseconds()))
	}
	if req.MaxAge != nil {
		echo.MaxAgeSeconds = new(int(req.MaxAge.Seconds()))
	}
	return echo
}

func passengers(p flight.Passengers) api.Passengers {
	return api.Passengers{
		Adults:    p.Adults,
		Children:  len(p.ChildAges),
		ChildAges: append([]int{}, p.ChildAges...),
		Infants:   p.Infants,
	}
}

func filters(f search.Filter) api.Filters {
	shown := api.Filters{
		MaxStops:           f.MaxStops,
		Carriers:           f.Carriers,
		ExcludeCarriers:    f.ExcludeCarriers,
		MaxDurationMinutes: minutes(f.MaxDuration),
		DepartAfter:        clockTime(f.Depart.After),
		DepartBefore:       clockTime(f.Depart.Before),
		ArriveAfter:        clockTime(f.Arrive.After),
		ArriveBefore:       clockTime(f.Arrive.Before),
		CheckedBag:         known(f.CheckedBag),
	}
	if !f.MaxPrice.IsZero() {
		shown.MaxPrice = price(&f.MaxPrice)
	}
	return shown
}

func clockTime(minuteOfDay *int) *string {
	if minuteOfDay == nil {
		return nil
	}
	return new(fmt.Sprintf("%02d:%02d", *minuteOfDay/60, *minuteOfDay%60))
}

// known is nil for the zero value, which in the domain means that a fact is not
// known.
func known[T comparable](v T) *T {
	var unknown T
	if v == unknown {
		return nil
	}
	return &v
}

// minutes is nil where the duration is unknown.
func minutes(d time.Duration) *int { return known(int(d / time.Minute)) }

// price is nil where there is none.
func price(m *flight.Money) *api.Money {
	if m == nil {
		return nil
	}
	return new(money(*m))
}

func money(m flight.Money) api.Money { return api.Money{Amount: m.Amount(), Currency: m.Currency} }
