package skyscanner

import (
	"fmt"
	"math"
	"net/url"
	"strconv"

	"github.com/bojanz/currency"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// agencies are the travel agents of the world. They are invented.
var agencies = []struct{ id, name string }{
	{"skl", "Skylark Travel"}, {"trn", "Tern and Company"}, {"ftc", "Farewell Fares"}, {"prp", "Propeller"},
}

// options are the ways to buy a fare: from the airline and from agencies.
func (r *renderer) options(f *world.Fare, itineraryID string, legIDs []string) []pricingOption {
	total := r.total(f)
	facts := r.World.Facts("options", itineraryID, f.Brand.Code)
	if f.SelfTransfer() {
		return []pricingOption{r.selfTransfer(f, total, itineraryID)}
	}
	options := []pricingOption{r.option(f, r.airlineAgent(f.Seller), total, itineraryID, legIDs)}
	for i, agency := range agencies {
		if !facts.Chance(i, 240) {
			continue
		}
		r.results.Agents[agency.id] = agent{
			Name: agency.name, Type: "AGENT_TYPE_TRAVEL_AGENT", ImageURL: "https://agents.example.com/" + agency.id + ".png",
			Rating: 3.5 + float64(i)/4, FeedbackCount: 1000 * (i + 1), IsOptimisedForMobile: i%2 == 0,
		}
		amount := total.Minor * int64(facts.Within(10+i, 972, 1045)) / 1000
		o := r.option(f, agency.id, flight.Money{Minor: amount, Currency: total.Currency}, itineraryID, legIDs)
		if facts.Chance(20+i, 60) {
			o.Price.Amount, o.Items[0].Price.Amount, o.minor = "", "", math.MaxInt64 // The vendor has such options.
		}
		o.Fare = nil // Agencies do not say.
		options = append(options, o)
	}
	return options
}

// total is what the whole party pays.
func (r *renderer) total(f *world.Fare) flight.Money {
	sum := flight.Money{Currency: r.till.Currency}
	add := func(n int, t world.Traveller) {
		base, tax := r.till.Price(f.Price(t))
		sum.Minor += int64(n) * (base.Minor + tax.Minor)
	}
	party := r.session.query.Passengers
	add(party.Adults, world.Adult)
	add(party.Infants, world.Infant)
	for _, age := range party.ChildAges {
		add(1, world.TravellerOf(age))
	}
	return sum
}

func (r *renderer) option(f *world.Fare, agentID string, total flight.Money, itineraryID string, legIDs []string) pricingOption {
	p := r.price(total.Minor)
	o := pricingOption{
		minor: total.Minor, Price: p, AgentIDs: []string{agentID}, TransferType: "TRANSFER_TYPE_MANAGED",
		ID:    fmt.Sprintf("%08x", r.World.Facts("option", itineraryID, f.Brand.Code, agentID).Within(0, 0, 1<<32-1)),
		Items: []item{r.item(agentID, p, itineraryID)},
		Fare: &optionFare{
			CabinBaggage: bag(f.Brand.CarryOnBags), CheckedBaggage: bag(f.Brand.CheckedBags),
			LegDetails: map[string]legFare{}, BrandNames: []string{f.Brand.Name},
		},
	}
	for _, id := range legIDs {
		o.Fare.LegDetails[id] = legFare{BrandNames: []string{f.Brand.Name}}
	}
	return o
}

// selfTransfer is one option of two bookings, with the airlines of the first and
// the last flight. The option's price is their sum.
func (r *renderer) selfTransfer(f *world.Fare, total flight.Money, itineraryID string) pricingOption {
	flights := f.Flights()
	first, last := r.airlineAgent(flights[0].Airline), r.airlineAgent(flights[len(flights)-1].Airline)
	half := total.Minor * 55 / 100
	return pricingOption{
		minor: total.Minor, Price: r.price(total.Minor), AgentIDs: []string{first, last}, TransferType: "TRANSFER_TYPE_SELF_TRANSFER",
		ID:    fmt.Sprintf("%08x", r.World.Facts("option", itineraryID, first, last).Within(0, 0, 1<<32-1)),
		Items: []item{r.item(first, r.price(half), itineraryID), r.item(last, r.price(total.Minor-half), itineraryID)},
	}
}

func (r *renderer) item(agentID string, p price, itineraryID string) item {
	link := fmt.Sprintf("https://agents.example.com/transport_deeplink/%s?itinerary=%s&ticket_price=%s", agentID, url.QueryEscape(itineraryID), p.Amount)
	return item{Price: p, AgentID: agentID, DeepLink: link, Fares: []itemFare{}}
}

// price states minor units in thousandths.
func (r *renderer) price(minor int64) price {
	digits, _ := currency.GetDigits(r.till.Currency)
	for ; digits < 3; digits++ {
		minor *= 10
	}
	return price{Amount: strconv.FormatInt(minor, 10), Unit: "PRICE_UNIT_MILLI", UpdateStatus: "PRICE_UPDATE_STATUS_UNSPECIFIED"}
}

func bag(pieces int) baggage {
	b := baggage{Assessment: "BAGGAGE_ASSESSMENT_INCLUDED", Pieces: pieces, Fee: price{Unit: "PRICE_UNIT_UNSPECIFIED"}}
	if pieces == 0 {
		b.Assessment = "BAGGAGE_ASSESSMENT_NOT_INCLUDED"
	}
	return b
}
