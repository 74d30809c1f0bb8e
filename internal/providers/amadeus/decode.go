package amadeus

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
)

// decode reads a good answer to a search of so many slices. One bad offer costs
// only itself: it is counted with its reason. No error shows one of the secrets.
func decode(body []byte, zones providers.Zones, slices int, secrets ...string) (providers.Answer, error) {
	wire, err := parse(body, secrets)
	if err != nil {
		return providers.Answer{}, err
	}
	d := decoder{zones: zones, slices: slices, carriers: wire.Dictionaries.Carriers}
	answer := providers.Answer{Offers: make([]flight.Offer, 0, len(wire.Data)), Rejects: map[providers.Reject]int{}}
	for i := range wire.Data {
		if offer, reject := d.offer(&wire.Data[i]); reject != "" {
			answer.Rejects[reject]++
		} else {
			answer.Offers = append(answer.Offers, offer)
		}
	}
	answer.Mismatches = d.mismatches
	answer.Cut, answer.Warnings = completeness(wire)
	return answer, nil
}

// parse tolerates a value of an unexpected type, which is then absent; the offer
// that needs it is dropped later on. It does not tolerate an answer without a
// list, which would pass for "found nothing".
func parse(body []byte, secrets []string) (*searchAnswer, error) {
	var wire searchAnswer
	var mistyped *json.UnmarshalTypeError
	if err := json.Unmarshal(body, &wire); err != nil && !errors.As(err, &mistyped) {
		return nil, providers.BodyError(http.StatusOK, err)
	}
	switch {
	case wire.Data != nil:
		return &wire, nil
	case len(wire.Errors) > 0:
		failure := &providers.Error{Kind: providers.KindFailed, Status: http.StatusOK, Detail: "an error inside a good answer"}
		return nil, issueError(failure, wire.Errors, secrets...)
	default:
		return nil, providers.BodyError(http.StatusOK, errors.New("no data"))
	}
}

// completeness tells whether the vendor left offers off, and what it remarked.
func completeness(wire *searchAnswer) (cut bool, warnings []string) {
	for _, warning := range wire.Warnings {
		remark := warning.sentence()
		cut = cut || cutWords.MatchString(remark)
		if remark != "" {
			warnings = append(warnings, remark)
		}
	}
	if n := len(wire.Data); n >= maxOffers || wire.Meta.Count > n {
		cut = true
		warnings = append(warnings, fmt.Sprintf("the list ends after %d offers; there may be more", n))
	}
	return cut, warnings
}

// cutWords recognise a remark that the list is not whole. The vendor publishes no
// code for it, so its words have to do; taking one remark too many for it costs no
// more than a search that is asked again.
var cutWords = regexp.MustCompile(`(?i)\b(cut|truncated|incomplete|partial|more results|maximum number|limited to)\b`)

// decoder holds what all offers of one answer share.
type decoder struct {
	zones      providers.Zones
	slices     int
	carriers   map[string]string
	mismatches int
}

// offer puts one of the vendor's offers into our words, or says why it is no use.
func (d *decoder) offer(wire *flightOffer) (flight.Offer, providers.Reject) {
	if wire.ID == "" {
		return flight.Offer{}, providers.RejectShape
	}
	total, reject := wire.Price.amount()
	if reject != "" {
		return flight.Offer{}, reject
	}
	fares := seated(wire.TravelerPricings)
	journey, reject := d.journey(wire.Itineraries, fares)
	if reject != "" {
		return flight.Offer{}, reject
	}
	return flight.Offer{
		Ref:               string(wire.ID),
		Itinerary:         journey,
		Price:             total,
		Taxes:             wire.Price.taxes(),
		ValidatingCarrier: wire.validatingCarrier(),
		Brands:            fares.brands(wire.Itineraries),
		CheckedBags:       fares.least(checkedPieces),
		CarryOnBags:       fares.least(cabinPieces),
		CheckedKg:         fares.least(checkedKg),
		Refundable:        fares.offered(amenityRefund, wire.PricingOptions.RefundableFare),
		Changeable:        fares.offered(amenityChange, false),
		SeatsLeft:         wire.NumberOfBookableSeats.count(),
	}, ""
}

func (o *flightOffer) validatingCarrier() string {
	if len(o.ValidatingAirlineCodes) == 0 {
		return ""
	}
	return o.ValidatingAirlineCodes[0]
}
