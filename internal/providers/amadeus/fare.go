package amadeus

import (
	"errors"
	"slices"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// Amenities of a fare brand that say what may be done with the ticket, at a
// charge or not.
const (
	amenityRefund = "REFUNDABLE TICKET"
	amenityChange = "CHANGEABLE TICKET"
)

// amount is the total of all travelers with everything that must be paid. An
// amount of nothing counts as none: no seat is free of taxes.
func (p *price) amount() (flight.Money, providers.Reject) {
	total, err := flight.ParseMoney(string(p.due()), p.Currency)
	switch {
	case errors.Is(err, flight.ErrNoCurrency):
		return flight.Money{}, providers.RejectCurrency
	case err != nil || total.Minor <= 0:
		return flight.Money{}, providers.RejectPrice
	}
	return total, ""
}

func (p *price) due() text {
	if p.GrandTotal != "" {
		return p.GrandTotal
	}
	return p.Total
}

// taxes is what the total has beyond the base, which the vendor defines as the
// amount without taxes. It is unknown where a fee is part of the difference.
func (p *price) taxes() *flight.Money {
	for _, fee := range p.Fees {
		if strings.Trim(string(fee.Amount), "0.") != "" {
			return nil
		}
	}
	total, err := flight.ParseMoney(string(p.Total), p.Currency)
	if err != nil {
		return nil
	}
	base, err := flight.ParseMoney(string(p.Base), p.Currency)
	if err != nil || base.Minor > total.Minor {
		return nil
	}
	return &flight.Money{Minor: total.Minor - base.Minor, Currency: total.Currency}
}

// fares are the conditions of the travelers who have a seat.
type fares []travelerPricing

func seated(pricings []travelerPricing) fares {
	return slices.DeleteFunc(slices.Clone(pricings), func(p travelerPricing) bool {
		return p.TravelerType == travelerInfant
	})
}

// lead are the fares of the first traveler, which stand for what an itinerary
// can show only once: cabin and brand.
func (f fares) lead() []fareDetails {
	if len(f) == 0 {
		return nil
	}
	return f[0].FareDetailsBySegment
}

func (f fares) cabin(segment text) flight.Cabin {
	for _, details := range f.lead() {
		if details.SegmentID == segment {
			return cabinOf(details.Cabin)
		}
	}
	return flight.CabinUnknown
}

func cabinOf(name string) flight.Cabin {
	cabin, err := flight.ParseCabin(strings.ToLower(name))
	if err != nil {
		return flight.CabinUnknown
	}
	return cabin
}

// brands has the brand of each slice, nil where no slice has one. Segments of
// one slice that are sold under several brands give all of their names.
func (f fares) brands(itineraries []itinerary) []string {
	brands := make([]string, 0, len(itineraries))
	for _, it := range itineraries {
		var names []string
		for _, segment := range it.Segments {
			if name := f.brand(segment.ID); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		brands = append(brands, strings.Join(names, " / "))
	}
	if strings.Join(brands, "") == "" {
		return nil
	}
	return brands
}

// brand is the name for people where there is one, else the vendor's code.
func (f fares) brand(segment text) string {
	for _, details := range f.lead() {
		if details.SegmentID == segment {
			if details.BrandedFareLabel != "" {
				return details.BrandedFareLabel
			}
			return details.BrandedFare
		}
	}
	return ""
}

// least is the smallest allowance over all travelers and segments, nil where it
// is unknown for one of them; except that nobody can have less than none.
func (f fares) least(allowed func(*fareDetails) *int) *int {
	var least *int
	known := f.every(func(d *fareDetails) bool {
		n := allowed(d)
		if n != nil && (least == nil || *n < *least) {
			least = n
		}
		return n != nil
	})
	if !known && (least == nil || *least > 0) {
		return nil
	}
	return least
}

// every tries all travelers on all segments, and reports whether something holds
// for each and there is one at least.
func (f fares) every(holds func(*fareDetails) bool) bool {
	all := len(f) > 0
	for _, traveler := range f {
		all = all && len(traveler.FareDetailsBySegment) > 0
		for i := range traveler.FareDetailsBySegment {
			all = holds(&traveler.FareDetailsBySegment[i]) && all
		}
	}
	return all
}

func checkedPieces(d *fareDetails) *int { return d.IncludedCheckedBags.Quantity.count() }

func cabinPieces(d *fareDetails) *int { return d.IncludedCabinBags.Quantity.count() }

// checkedKg takes kilograms alone: a limit in pounds is not a round number of
// them, and which way an airline rounds it does not say.
func checkedKg(d *fareDetails) *int {
	if d.IncludedCheckedBags.WeightUnit != "KG" {
		return nil
	}
	return d.IncludedCheckedBags.Weight.count()
}

// offered is true where the fare as a whole, or the brand of every segment for
// every traveler, has the amenity. A list without it says nothing.
func (f fares) offered(name string, whole bool) *bool {
	listed := whole || f.every(func(d *fareDetails) bool {
		return slices.ContainsFunc(d.Amenities, func(a amenity) bool {
			return strings.EqualFold(a.Description, name)
		})
	})
	if !listed {
		return nil
	}
	return &listed
}
