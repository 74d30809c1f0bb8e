package amadeus

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// request is the body of POST /v2/shopping/flight-offers, as far as the sandbox
// understands it.
type request struct {
	CurrencyCode       string `json:"currencyCode"`
	OriginDestinations []struct {
		ID                     string `json:"id"`
		Origin                 string `json:"originLocationCode"`
		Destination            string `json:"destinationLocationCode"`
		DepartureDateTimeRange struct {
			Date string `json:"date"`
		} `json:"departureDateTimeRange"`
	} `json:"originDestinations"`
	Travelers []struct {
		ID                string `json:"id"`
		TravelerType      string `json:"travelerType"`
		AssociatedAdultID string `json:"associatedAdultId"`
	} `json:"travelers"`
	Sources        []string `json:"sources"`
	SearchCriteria struct {
		MaxFlightOffers *int  `json:"maxFlightOffers"`
		MaxPrice        int64 `json:"maxPrice"`
		PricingOptions  struct {
			IncludedCheckedBagsOnly bool `json:"includedCheckedBagsOnly"`
		} `json:"pricingOptions"`
		FlightFilters struct {
			CarrierRestrictions struct {
				Included []string `json:"includedCarrierCodes"`
				Excluded []string `json:"excludedCarrierCodes"`
			} `json:"carrierRestrictions"`
			CabinRestrictions []struct {
				Cabin string `json:"cabin"`
			} `json:"cabinRestrictions"`
			ConnectionRestriction struct {
				Max *int `json:"maxNumberOfConnections"`
			} `json:"connectionRestriction"`
		} `json:"flightFilters"`
	} `json:"searchCriteria"`
}

// postOffers answers POST /v2/shopping/flight-offers. The header
// X-HTTP-Method-Override: GET is what the vendor wants with it; its absence is
// forgiven, as the vendor does.
func (s *service) postOffers(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var body request
	if err == nil {
		err = json.Unmarshal(raw, &body)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, bad(codeInvalidFormat, "The body is not valid JSON of a flight offers search", source{Pointer: "/"}))
		return
	}
	q, faults := s.parsePost(&body)
	if len(faults) > 0 {
		fail(w, http.StatusBadRequest, faults...)
		return
	}
	s.answerSearch(w, r, q)
}

func (s *service) parsePost(body *request) (search, []fault) {
	q := search{currency: body.CurrencyCode, max: maxOffers, cabin: flight.CabinEconomy, filter: body.filter()}
	if q.currency == "" {
		q.currency = "EUR"
	}
	if n := body.SearchCriteria.MaxFlightOffers; n != nil {
		q.max = *n
	}
	faults := body.faults()
	for _, restriction := range body.SearchCriteria.FlightFilters.CabinRestrictions {
		if q.cabin = cabins[restriction.Cabin]; q.cabin == flight.CabinUnknown {
			faults = append(faults, bad(codeInvalidFormat, "The cabin is not known", source{Pointer: "/searchCriteria/flightFilters/cabinRestrictions"}))
		}
	}
	for _, od := range body.OriginDestinations {
		date, _ := flight.ParseDate(od.DepartureDateTimeRange.Date) // The zero date is a fault found below.
		q.slices = append(q.slices, flight.SliceQuery{Origin: od.Origin, Destination: od.Destination, Departure: date})
	}
	for _, t := range body.Travelers {
		q.travellers = append(q.travellers, traveller{t.ID, t.TravelerType, t.AssociatedAdultID})
	}
	return q, append(faults, s.check(q, pointer)...)
}

func (r *request) filter() filter {
	criteria := r.SearchCriteria
	f := filter{
		included: criteria.FlightFilters.CarrierRestrictions.Included, excluded: criteria.FlightFilters.CarrierRestrictions.Excluded,
		connections: 2, price: criteria.MaxPrice, bagsOnly: criteria.PricingOptions.IncludedCheckedBagsOnly,
	}
	if n := criteria.FlightFilters.ConnectionRestriction.Max; n != nil {
		f.connections = *n
	}
	return f
}

// faults are those of what only a body can lack.
func (r *request) faults() []fault {
	var faults []fault
	if len(r.OriginDestinations) == 0 {
		faults = append(faults, bad(codeMissing, "At least one origin and destination is needed", source{Pointer: "/originDestinations"}))
	}
	if len(r.OriginDestinations) > flight.MaxSlices {
		faults = append(faults, bad(codeTooMany, "At most six origins and destinations", source{Pointer: "/originDestinations"}))
	}
	if len(r.Sources) == 0 {
		faults = append(faults, bad(codeMissing, "The sources are mandatory; use GDS", source{Pointer: "/sources"}))
	}
	return faults
}

// pointer is where a body has a field.
func pointer(field string, index int) source {
	i := strconv.Itoa(index)
	switch field {
	case "originLocationCode", "destinationLocationCode":
		return source{Pointer: "/originDestinations/" + i + "/" + field}
	case "departureDate":
		return source{Pointer: "/originDestinations/" + i + "/departureDateTimeRange/date"}
	case "travelerType":
		return source{Pointer: "/travelers/" + i + "/travelerType"}
	case "adults", "infants":
		return source{Pointer: "/travelers"}
	case "max":
		return source{Pointer: "/searchCriteria/maxFlightOffers"}
	case "includedAirlineCodes":
		return source{Pointer: "/searchCriteria/flightFilters/carrierRestrictions"}
	default:
		return source{Pointer: "/" + field}
	}
}
