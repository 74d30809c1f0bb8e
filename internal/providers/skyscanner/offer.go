package skyscanner

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// offer puts a pricing option into our words, all but its itinerary. An option
// of several bookings has one price, their sum.
func (d *decoder) offer(itineraryID string, wire *pricingOption, legIDs []string) (flight.Offer, providers.Reject) {
	option := cmp.Or(wire.ID, strings.Join(wire.AgentIDs, "+"))
	if option == "" {
		return flight.Offer{}, providers.RejectShape
	}
	total, reject := wire.Price.amount(currency)
	if reject != "" {
		return flight.Offer{}, reject
	}
	offer := flight.Offer{
		Ref:          itineraryID + "/" + option,
		Seller:       d.seller(wire.AgentIDs),
		Price:        total,
		SelfTransfer: wire.selfTransfer(),
		DeepLink:     wire.deepLink(),
	}
	if wire.Fare != nil {
		offer.Brands = wire.Fare.brands(legIDs)
		offer.CheckedBags = wire.Fare.CheckedBaggage.included()
		offer.CarryOnBags = wire.Fare.CabinBaggage.included()
	}
	return offer, ""
}

// seller names all who take money for the option.
func (d *decoder) seller(agentIDs []string) string {
	var names []string
	for _, id := range agentIDs {
		if name := d.agents[id].Name; name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " + ")
}

// selfTransfer is the vendor's word, and where it gives none, several bookings
// say it. In a protected transfer somebody else bears the risk, but the traveler
// still carries the bags and checks in again.
func (o *pricingOption) selfTransfer() *bool {
	var yes bool
	switch strings.TrimPrefix(o.TransferType, "TRANSFER_TYPE_") {
	case "SELF_TRANSFER", "PROTECTED_SELF_TRANSFER":
		yes = true
	case "MANAGED":
	default:
		if len(o.Items) < 2 {
			return nil
		}
		yes = true
	}
	return &yes
}

// deepLink is where the option is bought. Several bookings have no one address,
// and whatever is not https is not shown to anybody.
func (o *pricingOption) deepLink() string {
	if len(o.Items) != 1 {
		return ""
	}
	link := o.Items[0].DeepLink
	if address, err := url.Parse(link); err != nil || address.Scheme != "https" || address.Host == "" {
		return ""
	}
	return link
}

// brands has the fare brand of each leg, nil where none is known. A single name
// that is not tied to a leg holds for all of them.
func (f *optionFare) brands(legIDs []string) []string {
	brands := make([]string, len(legIDs))
	for i, id := range legIDs {
		brands[i] = strings.Join(f.LegDetails[id].BrandNames, " / ")
		switch {
		case brands[i] != "":
		case len(f.BrandNames) == 1:
			brands[i] = f.BrandNames[0]
		case len(f.BrandNames) == len(legIDs):
			brands[i] = f.BrandNames[i]
		}
	}
	if strings.Join(brands, "") == "" {
		return nil
	}
	return brands
}

// included counts the pieces in the price, nil where the vendor does not say. It
// publishes no list of its assessments; those that are neither clearly "included"
// nor clearly "not included" count as unknown.
func (b baggage) included() *int {
	assessment := strings.ToUpper(b.Assessment)
	if strings.HasSuffix(assessment, "NOT_INCLUDED") {
		return new(int)
	}
	pieces, err := strconv.Atoi(string(b.Pieces))
	if err != nil || pieces < 0 || assessment != "" && !strings.HasSuffix(assessment, "INCLUDED") {
		return nil
	}
	return &pieces
}
