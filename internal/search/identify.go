package search

import (
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// identify gives a carrier that its provider only named the code that this name
// alone has, so that its flights are the same as another provider's, are found by
// a carrier filter and are counted. A name that the table does not know, or knows
// more than once, stays a name.
func identify(offers []flight.Offer, catalog *refdata.Catalog) {
	for _, offer := range offers {
		for _, slice := range offer.Itinerary.Slices {
			for i := range slice.Segments {
				giveCode(&slice.Segments[i].Marketing, catalog)
				giveCode(&slice.Segments[i].Operating, catalog)
			}
		}
	}
}

func giveCode(c *flight.Carrier, catalog *refdata.Catalog) {
	if c.Code != "" || c.Name == "" {
		return
	}
	if named, known := catalog.CarrierNamed(c.Name); known {
		c.Code = named.IATA
	}
}
