package skyscanner

import (
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// Entity ids count from these numbers, by the letters of the code.
const (
	airportIDs = 95_000_000
	cityIDs    = 27_500_000
	countryIDs = 29_400_000
	carrierIDs = 30_000
)

// ordinal reads letters and digits as a number of base 36.
func ordinal(code string) int {
	n, _ := strconv.ParseInt(strings.ToLower(code), 36, 32) // Codes are letters and digits.
	return int(n)
}

// airport adds a place with its city and country, and returns its id.
func (r *renderer) airport(iata string) string {
	id := strconv.Itoa(airportIDs + ordinal(iata))
	if _, known := r.results.Places[id]; known {
		return id
	}
	a, _ := r.World.Catalog().Airport(iata)
	city, country := strconv.Itoa(cityIDs+ordinal(a.CityCode)), strconv.Itoa(countryIDs+ordinal(a.Country))
	r.results.Places[id] = place{id, city, a.Name, "PLACE_TYPE_AIRPORT", iata}
	r.results.Places[city] = place{city, country, a.City, "PLACE_TYPE_CITY", a.CityCode}
	r.results.Places[country] = place{country, "", a.Country, "PLACE_TYPE_COUNTRY", ""}
	return id
}

// carrier adds an airline and returns its id. Skyscanner has no IATA code for
// easyJet, only a logo of its own.
func (r *renderer) carrier(a *world.Airline) string {
	id := strconv.Itoa(-carrierIDs - ordinal(a.Code))
	if _, known := r.results.Carriers[id]; known {
		return id
	}
	c := carrier{Name: r.World.CarrierName(a.Code), IATA: a.Code, ImageURL: logo(a.Code)}
	if a.Code == "U2" {
		c.IATA, c.ImageURL = "", logo("EZ")
	}
	if known, _ := r.World.Catalog().Carrier(a.Code); known.Alliance != "" {
		c.AllianceID = strconv.Itoa(-31_990 - len(known.Alliance)) // Their lengths differ.
		r.results.Alliances[c.AllianceID] = alliance{known.Alliance}
	}
	r.results.Carriers[id] = c
	return id
}

// airlineAgent adds an airline as the seller of its own tickets.
func (r *renderer) airlineAgent(a *world.Airline) string {
	id := "air_" + strings.ToLower(a.Code)
	r.results.Agents[id] = agent{
		Name: r.World.CarrierName(a.Code), Type: "AGENT_TYPE_AIRLINE", ImageURL: logo(a.Code), Rating: 4.5, FeedbackCount: 5000, IsOptimisedForMobile: true,
	}
	return id
}

func logo(code string) string {
	return "https://logos.skyscnr.com/images/airlines/favicon/" + code + ".png"
}
