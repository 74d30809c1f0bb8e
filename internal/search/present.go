package search

import (
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// present turns what was heard into the view asked for. It is pure: the same
// answers, view, catalogue and moment give the same result.
func present(req Request, all []heard, catalog *refdata.Catalog, now time.Time) (*Result, error) {
	rates := catalog.Rates()
	journeys := merge(price(all, rates, req.View.Currency, now))
	journeys = filter(journeys, req.View.Filter)
	rank(journeys, req.View.Sort)
	page, next, err := pageOf(journeys, req.View, all)
	if err != nil {
		return nil, err
	}
	result := &Result{Itineraries: page, NextCursor: next, Summary: summarise(journeys), Rates: rates}
	result.Places, result.Carriers = describe(page, catalog)
	return result, nil
}

// price drops what has expired and shows every other offer in the asked
// currency, its own kept beside it. An offer without a rate is kept unpriced:
// two numbers in different currencies are never compared.
func price(all []heard, rates refdata.Rates, currency string, now time.Time) []Offer {
	var offers []Offer
	for _, h := range all {
		for _, o := range h.answer.Offers {
			if o.Expired(now) {
				continue
			}
			offer := Offer{Offer: o, ID: offerID(o), Converted: converted(o.Price, rates, currency), Stale: h.use == CacheStale}
			if o.Taxes != nil {
				offer.ConvertedTaxes = converted(*o.Taxes, rates, currency)
			}
			offers = append(offers, offer)
		}
	}
	return offers
}

func converted(m flight.Money, rates refdata.Rates, currency string) *flight.Money {
	shown, ok := rates.Convert(m, currency)
	if !ok {
		return nil
	}
	return &shown
}
