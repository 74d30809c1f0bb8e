package search

import (
	"maps"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// summarise counts over all that passed the filters.
func summarise(journeys []Itinerary) Summary {
	sum := Summary{Itineraries: len(journeys), Carriers: map[string]int{}, Stops: map[int]int{}}
	for _, j := range journeys {
		sum.Offers += len(j.Offers)
		if comparePrices(j.Price, sum.Cheapest) < 0 {
			sum.Cheapest = j.Price
		}
		if d := j.Duration(); d > 0 && (sum.Fastest == 0 || d < sum.Fastest) {
			sum.Fastest = d
		}
		most := 0
		sellers := map[string]bool{}
		for _, slice := range j.Slices {
			most = max(most, slice.Stops())
			for _, segment := range slice.Segments {
				if segment.Marketing.Code != "" {
					sellers[segment.Marketing.Code] = true
				}
			}
		}
		sum.Stops[most]++
		for code := range maps.Keys(sellers) {
			sum.Carriers[code]++
		}
	}
	return sum
}

// describe explains every airport and carrier code of the page.
func describe(page []Itinerary, catalog *refdata.Catalog) (map[string]Place, map[string]flight.Carrier) {
	d := description{catalog: catalog, places: map[string]Place{}, carriers: map[string]flight.Carrier{}}
	for _, j := range page {
		d.journey(j.Itinerary)
		for _, offer := range j.Offers {
			d.journey(offer.Itinerary)
			d.carrier(flight.Carrier{Code: offer.ValidatingCarrier})
		}
	}
	return d.places, d.carriers
}

type description struct {
	catalog  *refdata.Catalog
	places   map[string]Place
	carriers map[string]flight.Carrier
}

func (d description) journey(it flight.Itinerary) {
	for _, slice := range it.Slices {
		for _, segment := range slice.Segments {
			d.place(segment.Origin)
			d.place(segment.Destination)
			for _, stop := range segment.Stops {
				d.place(stop.Airport)
			}
			d.carrier(segment.Marketing)
			d.carrier(segment.Operating)
		}
	}
}

func (d description) place(code string) {
	if _, seen := d.places[code]; seen || code == "" {
		return
	}
	airport, known := d.catalog.Airport(code)
	airport.IATA = code
	d.places[code] = Place{Airport: airport, Known: known}
}

// carrier takes the provider's own name, for codes are reassigned; the table's
// where the provider gave none or the same in capitals.
func (d description) carrier(c flight.Carrier) {
	if c.Code == "" {
		return
	}
	seen, known := d.carriers[c.Code]
	table, listed := d.catalog.Carrier(c.Code)
	switch {
	case known && (seen.Name != "" && seen.Name != table.Name || c.Name == ""):
		return
	case listed && (c.Name == "" || strings.EqualFold(c.Name, table.Name)):
		c.Name = table.Name
	}
	d.carriers[c.Code] = c
}
