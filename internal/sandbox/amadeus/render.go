package amadeus

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// answer is a rendered list of offers, all but its meta object.
type answer struct {
	count int
	body  []byte // From "data" to the end.
}

// Size is what the answer weighs in memory.
func (a *answer) Size() int { return len(a.body) }

func (s *service) answerSearch(w http.ResponseWriter, r *http.Request, q search) {
	today, factor := s.Today(), s.Factor(r)
	found := s.answers.Get(fmt.Sprintf("%s %s %d", q.key(), today, factor), func() *answer {
		return s.renderer(q, factor, today).answer()
	})
	self := "https://" + r.Host + r.URL.RequestURI()
	if r.Method == http.MethodPost {
		wire.Bytes(w, http.StatusOK, fmt.Appendf(nil, `{"meta":{"count":%d},`, found.count), found.body)
		return
	}
	link, _ := json.Marshal(self) // A string always encodes.
	wire.Bytes(w, http.StatusOK, fmt.Appendf(nil, `{"meta":{"count":%d,"links":{"self":%s}},`, found.count, link), found.body)
}

// renderer writes the offers of one search and collects the dictionaries.
type renderer struct {
	*service
	search   search
	till     wire.Till
	today    flight.Date
	segments int
	words    dictionaries
}

func (s *service) renderer(q search, factor int64, today flight.Date) *renderer {
	return &renderer{
		service: s, search: q, today: today,
		till: wire.Till{Rates: s.World.Catalog().Rates(), Currency: q.currency, Factor: factor},
		words: dictionaries{
			Locations: map[string]location{}, Aircraft: map[string]string{}, Carriers: map[string]string{},
			Currencies: map[string]string{q.currency: s.currencyName(q.currency)},
		},
	}
}

func (r *renderer) answer() *answer {
	fares := r.World.Fares(vantage, world.Query{Slices: r.search.slices, Cabin: r.search.cabin}, r.today)
	fares = slices.DeleteFunc(fares, func(f *world.Fare) bool {
		return !r.search.filter.passes(f) || r.tooDear(f)
	})
	slices.SortStableFunc(fares, func(a, b *world.Fare) int { return cmp.Compare(r.total(a), r.total(b)) })
	offers := []flightOffer{}
	for i, f := range fares[:min(r.search.max, len(fares))] {
		offers = append(offers, r.offer(f, strconv.Itoa(i+1)))
	}
	body := struct {
		Data         []flightOffer `json:"data"`
		Dictionaries *dictionaries `json:"dictionaries,omitempty"`
	}{Data: offers}
	if len(offers) > 0 {
		body.Dictionaries = &r.words
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // Structs of strings and numbers always encode.
	}
	return &answer{len(offers), b[1:]}
}

// tooDear compares what an adult pays with the most that was asked for, in the
// currency that was asked for.
func (r *renderer) tooDear(f *world.Fare) bool {
	most := r.search.filter.price
	base, taxes := r.till.Price(f.Adult)
	return most > 0 && wire.Plus(base, taxes).Rat().Cmp(big.NewRat(most, 1)) > 0
}

// total is what the whole party pays, in cents of a US dollar.
func (r *renderer) total(f *world.Fare) int64 {
	var sum int64
	for _, t := range r.search.travellers {
		sum += f.Price(t.kind()).Total()
	}
	return sum
}

func (r *renderer) offer(f *world.Fare, id string) flightOffer {
	o := flightOffer{
		Type: "flight-offer", ID: id, Source: "GDS", NumberOfBookableSeats: f.Seats,
		IsUpsellOffer:          f.Brand.Code != "LIGHT" && f.Brand.Code != "BASIC" && f.Cabin == flight.CabinEconomy,
		LastTicketingDate:      r.today.AddDays(1).String(),
		LastTicketingDateTime:  r.today.AddDays(1).String(), // A bare date here too, as the vendor does.
		PricingOptions:         pricingOptions{FareType: []string{"PUBLISHED"}, IncludedCheckedBagsOnly: f.Brand.CheckedBags > 0},
		ValidatingAirlineCodes: []string{f.Seller.Code},
	}
	r.carrier(f.Seller.Code)
	var ids []string
	for _, j := range f.Journeys {
		it := itinerary{Duration: wire.Hours(j.Duration())}
		for _, leg := range j.Flights {
			s := r.segment(f, leg)
			ids = append(ids, s.ID)
			it.Segments = append(it.Segments, s)
		}
		o.Itineraries = append(o.Itineraries, it)
	}
	r.price(&o, f, ids)
	return o
}

// price fills in what each traveller pays and their exact sum.
func (r *renderer) price(o *flightOffer, f *world.Fare, segmentIDs []string) {
	base, total := flight.Money{Currency: r.till.Currency}, flight.Money{Currency: r.till.Currency}
	for _, t := range r.search.travellers {
		own, taxes := r.till.Price(f.Price(t.kind()))
		base, total = wire.Plus(base, own), wire.Plus(total, own, taxes)
		o.TravelerPricings = append(o.TravelerPricings, travelerPricing{
			TravelerID: t.ID, FareOption: "STANDARD", TravelerType: t.Type, AssociatedAdultID: t.AdultID,
			Price:                price{Currency: r.till.Currency, Total: wire.Plus(own, taxes).Amount(), Base: own.Amount()},
			FareDetailsBySegment: r.fareDetails(f, t, segmentIDs),
		})
	}
	nothing := flight.Money{Currency: r.till.Currency}.Amount()
	o.Price = price{
		Currency: r.till.Currency, Total: total.Amount(), Base: base.Amount(), GrandTotal: total.Amount(),
		Fees: []fee{{nothing, "SUPPLIER"}, {nothing, "TICKETING"}},
	}
}

func (r *renderer) fareDetails(f *world.Fare, t traveller, segmentIDs []string) []fareDetail {
	var details []fareDetail
	for i, leg := range f.Flights() {
		d := fareDetail{
			SegmentID: segmentIDs[i], Cabin: strings.ToUpper(string(r.World.Cabin(leg, f.Cabin))), Class: world.BookingClass(f),
			FareBasis: world.FareBasis(f), BrandedFare: f.Brand.Code, BrandedFareLabel: strings.ToUpper(f.Brand.Name),
		}
		if t.kind() != world.Infant {
			d.IncludedCheckedBags, d.IncludedCabinBags = checked(f), pieces(f.Brand.CarryOnBags)
		}
		details = append(details, d)
	}
	return details
}

// byWeight are airlines that count kilograms instead of pieces.
const byWeight = "TG EK QR SQ MH TK PK BI UL"

func checked(f *world.Fare) *bags {
	if f.Brand.CheckedBags > 0 && strings.Contains(byWeight, f.Seller.Code) {
		return &bags{Weight: 23 * f.Brand.CheckedBags, WeightUnit: "KG"}
	}
	return pieces(f.Brand.CheckedBags)
}

func pieces(n int) *bags { return &bags{Quantity: &n} }

func (r *renderer) segment(f *world.Fare, leg *world.Flight) segment {
	r.segments++
	seller, number := r.World.Marketing(f, leg)
	s := segment{
		ID: strconv.Itoa(r.segments), CarrierCode: seller.Code, Number: strconv.Itoa(number),
		Departure: r.endpoint(leg, leg.From, leg.Departure), Arrival: r.endpoint(leg, leg.To, leg.Arrival),
		Aircraft: code{leg.Aircraft}, Duration: wire.Hours(leg.Duration()),
	}
	if seller != leg.Airline || leg.Number%16 != 0 { // Now and then the vendor does not say who flies.
		s.Operating = &operating{leg.Airline.Code}
	}
	if t := leg.TouchDown; t != nil {
		s.NumberOfStops = 1
		s.Stops = []stop{{t.Airport, wire.Hours(t.Departure.Sub(t.Arrival)), r.local(t.Arrival, t.Airport), r.local(t.Departure, t.Airport)}}
		r.location(t.Airport)
	}
	r.carrier(seller.Code)
	r.carrier(leg.Airline.Code)
	r.words.Aircraft[leg.Aircraft] = strings.ToUpper(world.AircraftName(leg.Aircraft))
	return s
}

func (r *renderer) endpoint(leg *world.Flight, iata string, at time.Time) endpoint {
	r.location(iata)
	return endpoint{IATA: iata, Terminal: r.World.Terminal(leg.Airline, iata), At: r.local(at, iata)}
}

func (r *renderer) local(t time.Time, iata string) string {
	return t.In(r.World.Catalog().Zone(iata)).Format("2006-01-02T15:04:05")
}

func (r *renderer) location(iata string) {
	a, _ := r.World.Catalog().Airport(iata)
	r.words.Locations[iata] = location{a.CityCode, a.Country}
}

func (r *renderer) carrier(code string) {
	r.words.Carriers[code] = strings.ToUpper(r.World.CarrierName(code))
}

func (s *service) currencyName(code string) string {
	for _, c := range s.World.Catalog().Currencies() {
		if c.Code == code {
			return strings.ToUpper(c.Name)
		}
	}
	return code
}
