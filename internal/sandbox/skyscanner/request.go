package skyscanner

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// createRequest is the body of create.
type createRequest struct {
	Query struct {
		Market    string `json:"market"`
		Locale    string `json:"locale"`
		Currency  string `json:"currency"`
		QueryLegs []struct {
			Origin      placeID `json:"originPlaceId"`
			Destination placeID `json:"destinationPlaceId"`
			Date        date    `json:"date"`
		} `json:"queryLegs"`
		CabinClass          string   `json:"cabinClass"`
		Adults              int      `json:"adults"`
		ChildrenAges        []int    `json:"childrenAges"`
		IncludedCarriersIDs []string `json:"includedCarriersIds"`
		ExcludedCarriersIDs []string `json:"excludedCarriersIds"`
		IncludedAgentsIDs   []string `json:"includedAgentsIds"`
		ExcludedAgentsIDs   []string `json:"excludedAgentsIds"`
		NearbyAirports      bool     `json:"nearbyAirports"`
	} `json:"query"`
}

type placeID struct {
	IATA     string `json:"iata"`
	EntityID string `json:"entityId"`
}

type date struct {
	Year  int `json:"year"`
	Month int `json:"month"`
	Day   int `json:"day"`
}

// asked is a valid search.
type asked struct {
	query    flight.Query
	currency string
}

// Bounds of a party.
const (
	maxAdults   = 8
	maxChildren = 8
)

var cabins = map[string]flight.Cabin{
	"": flight.CabinEconomy, "CABIN_CLASS_UNSPECIFIED": flight.CabinEconomy,
	"CABIN_CLASS_ECONOMY": flight.CabinEconomy, "CABIN_CLASS_PREMIUM_ECONOMY": flight.CabinPremiumEconomy,
	"CABIN_CLASS_BUSINESS": flight.CabinBusiness, "CABIN_CLASS_FIRST": flight.CabinFirst,
}

// parse reads a search; faults are all that is wrong with it.
func (s *service) parse(r *http.Request) (asked, []string) {
	raw, err := io.ReadAll(r.Body)
	var body createRequest
	if err == nil {
		err = json.Unmarshal(raw, &body)
	}
	if err != nil {
		return asked{}, []string{"the body is not valid JSON of a search"}
	}
	q := &body.Query
	a := asked{currency: q.Currency, query: flight.Query{Cabin: cabins[q.CabinClass]}}
	var faults []string
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	add(len(q.Market) != 2, "market must be a code of two letters")
	add(q.Locale == "", "locale is missing")
	add(!s.World.Catalog().Rates().Known(q.Currency), "currency %q is not supported", q.Currency)
	add(a.query.Cabin == flight.CabinUnknown, "cabinClass %q is not known", q.CabinClass)
	add(q.NearbyAirports, "nearbyAirports is not supported by the sandbox")
	add(len(q.IncludedCarriersIDs)+len(q.ExcludedCarriersIDs)+len(q.IncludedAgentsIDs)+len(q.ExcludedAgentsIDs) > 0,
		"filters by carrier and agent are not supported by the sandbox")
	faults = append(faults, s.legs(&body, &a)...)
	return a, append(faults, party(q.Adults, q.ChildrenAges, &a.query.Passengers)...)
}

func (s *service) legs(body *createRequest, a *asked) []string {
	legs := body.Query.QueryLegs
	if len(legs) == 0 || len(legs) > flight.MaxSlices {
		return []string{fmt.Sprintf("queryLegs must be 1 to %d", flight.MaxSlices)}
	}
	var faults []string
	for i, l := range legs {
		for _, end := range []placeID{l.Origin, l.Destination} {
			if !wire.IsPlace(end.IATA) || end.EntityID != "" {
				faults = append(faults, fmt.Sprintf("queryLegs[%d] needs places by iata alone", i))
			}
		}
		day := flight.Date{Year: l.Date.Year, Month: time.Month(l.Date.Month), Day: l.Date.Day}
		switch {
		case day.IsZero() || day != day.AddDays(0):
			faults = append(faults, fmt.Sprintf("queryLegs[%d].date is not a date", i))
		case s.Past(day, l.Origin.IATA):
			faults = append(faults, fmt.Sprintf("queryLegs[%d].date is in the past", i))
		case s.TooFar(day):
			faults = append(faults, fmt.Sprintf("queryLegs[%d].date is too far in the future", i))
		case i > 0 && day.Before(a.query.Slices[i-1].Departure):
			faults = append(faults, fmt.Sprintf("queryLegs[%d].date is before that of the leg before", i))
		}
		a.query.Slices = append(a.query.Slices, flight.SliceQuery{Origin: l.Origin.IATA, Destination: l.Destination.IATA, Departure: day})
	}
	return faults
}

func party(adults int, ages []int, p *flight.Passengers) []string {
	var faults []string
	if adults < 1 || adults > maxAdults {
		faults = append(faults, fmt.Sprintf("adults must be 1 to %d", maxAdults))
	}
	if len(ages) > maxChildren {
		faults = append(faults, fmt.Sprintf("childrenAges must have at most %d entries", maxChildren))
	}
	p.Adults = adults
	for _, age := range ages {
		switch {
		case age < 0 || age > flight.MaxChildAge:
			faults = append(faults, fmt.Sprintf("childrenAges must be 0 to %d, not %d", flight.MaxChildAge, age))
		case age < flight.MinChildAge:
			p.Infants++
		default:
			p.ChildAges = append(p.ChildAges, age)
		}
	}
	slices.Sort(p.ChildAges)
	if len(faults) == 0 && (p.Infants > adults || p.Seats() > flight.MaxSeats) {
		faults = append(faults, "there must be an adult for every infant, and at most nine seats")
	}
	return faults
}
