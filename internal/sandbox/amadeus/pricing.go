package amadeus

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// maxPriced is how many offers one call may price.
const maxPriced = 6

// pricingBody is the body of Flight Offers Price, both ways.
type pricingBody struct {
	Data struct {
		Type         string        `json:"type"`
		FlightOffers []flightOffer `json:"flightOffers"`
	} `json:"data"`
	Dictionaries *dictionaries `json:"dictionaries,omitempty"`
}

// priceOffers answers POST /v1/shopping/flight-offers/pricing: the offers that
// were sent, at the price of this moment, with their taxes. An offer carries all
// that is needed to find its flights and its fare again.
func (s *service) priceOffers(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var body pricingBody
	if err == nil {
		err = json.Unmarshal(raw, &body)
	}
	offers := body.Data.FlightOffers
	switch {
	case err != nil || body.Data.Type != "flight-offers-pricing":
		fail(w, http.StatusBadRequest, bad(codeInvalidFormat, "The body is not valid JSON of flight offers to price", source{Pointer: "/data"}))
		return
	case len(offers) == 0:
		fail(w, http.StatusBadRequest, bad(codeMissing, "At least one flight offer is needed", source{Pointer: "/data/flightOffers"}))
		return
	case len(offers) > maxPriced:
		fail(w, http.StatusBadRequest, bad(codeTooMany, "At most six flight offers", source{Pointer: "/data/flightOffers"}))
		return
	}
	for i := range offers {
		priced, words, ok := s.reprice(&offers[i], s.Factor(r))
		if !ok {
			fail(w, http.StatusBadRequest, bad(codeFareNotFound, "No fare applicable", source{Pointer: "/data/flightOffers"}))
			return
		}
		offers[i] = priced
		body.Dictionaries = &dictionaries{Locations: words.Locations}
	}
	wire.JSON(w, http.StatusOK, body)
}

// reprice finds an offer in today's world. It is false where its flights are not
// sold any more, or not under that fare.
func (s *service) reprice(o *flightOffer, factor int64) (flightOffer, dictionaries, bool) {
	it, ok := s.World.Retrace(hops(o))
	if !ok || s.Now().After(it.Journeys[0].Departure()) || len(o.TravelerPricings) == 0 {
		return flightOffer{}, dictionaries{}, false
	}
	q := search{currency: o.Price.Currency}
	for _, t := range o.TravelerPricings {
		q.travellers = append(q.travellers, traveller{t.TravelerID, t.TravelerType, t.AssociatedAdultID})
	}
	details := o.TravelerPricings[0].FareDetailsBySegment
	if len(details) == 0 || !s.World.Catalog().Rates().Known(q.currency) {
		return flightOffer{}, dictionaries{}, false
	}
	fares := s.World.Brands(vantage, it, askedCabin(details), s.Today())
	i := slices.IndexFunc(fares, func(f *world.Fare) bool { return f.Brand.Code == details[0].BrandedFare })
	if i < 0 {
		return flightOffer{}, dictionaries{}, false
	}
	r := s.renderer(q, factor, s.Today())
	priced := r.offer(fares[i], o.ID)
	r.taxes(&priced, fares[i])
	return priced, r.words, true
}

// hops are the flights of an offer. An operating carrier that was left out is
// the marketing one.
func hops(o *flightOffer) [][]world.Hop {
	var directions [][]world.Hop
	for _, it := range o.Itineraries {
		var hops []world.Hop
		for _, s := range it.Segments {
			departure, err := flight.ParseWall(s.Departure.At)
			if err != nil {
				return nil
			}
			operator := s.CarrierCode
			if s.Operating != nil && s.Operating.CarrierCode != "" {
				operator = s.Operating.CarrierCode
			}
			hops = append(hops, world.Hop{From: s.Departure.IATA, To: s.Arrival.IATA, Departure: departure, Operator: operator})
		}
		directions = append(directions, hops)
	}
	return directions
}

// askedCabin is the highest that an offer has: feeder flights have less.
func askedCabin(details []fareDetail) flight.Cabin {
	for _, name := range []string{"FIRST", "BUSINESS", "PREMIUM_ECONOMY"} {
		if slices.ContainsFunc(details, func(d fareDetail) bool { return d.Cabin == name }) {
			return cabins[name]
		}
	}
	return flight.CabinEconomy
}

// taxes adds what only a priced offer has.
func (r *renderer) taxes(o *flightOffer, f *world.Fare) {
	o.Price.BillingCurrency = r.till.Currency
	for i := range o.Itineraries {
		o.Itineraries[i].Duration = "" // The vendor leaves it out here.
	}
	for i, t := range r.search.travellers {
		_, sum := r.till.Price(f.Price(t.kind()))
		carrier := flight.Money{Minor: sum.Minor / 3, Currency: sum.Currency}
		airport := flight.Money{Minor: sum.Minor - carrier.Minor, Currency: sum.Currency}
		o.TravelerPricings[i].Price.Taxes = []tax{{airport.Amount(), "XT"}, {carrier.Amount(), "YQ"}}
	}
}
