package duffel

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
	"github.com/hedgehop/hedgehop/internal/sandbox/world"
)

// currency is the billing currency of the sandbox's organisation; a request
// cannot choose it.
const currency = "USD"

// renderer writes the offers of one query.
type renderer struct {
	*service
	query      flight.Query
	till       wire.Till
	passengers []passenger
	places     map[string]place
	pack       string
}

func (s *service) renderer(q flight.Query, factor int64) *renderer {
	r := &renderer{
		service: s, query: q, places: map[string]place{}, pack: wire.Pack(q),
		till: wire.Till{Rates: s.World.Catalog().Rates(), Currency: currency, Factor: factor},
	}
	add := func(kind string, age *int) {
		r.passengers = append(r.passengers, passenger{
			ID: fmt.Sprintf("pas_0000%s%d", r.pack, len(r.passengers)), Type: kind, Age: age, Loyalty: []struct{}{},
		})
	}
	for range q.Passengers.Adults {
		add("adult", nil)
	}
	for _, age := range q.Passengers.ChildAges {
		kind := "child"
		if world.TravellerOf(age) == world.Adult {
			kind = "adult"
		}
		add(kind, &age)
	}
	for range q.Passengers.Infants {
		add("infant_without_seat", nil)
	}
	return r
}

// travellers are the kinds of the passengers, in their order.
func (r *renderer) travellers() []world.Traveller {
	kinds := make([]world.Traveller, 0, len(r.passengers))
	for _, p := range r.passengers {
		kinds = append(kinds, map[string]world.Traveller{"child": world.Child, "infant_without_seat": world.Infant}[p.Type])
	}
	return kinds
}

// offer renders a fare. The moment that it is made, and what follows from it, is
// left as marks that an answer fills in.
func (r *renderer) offer(f *world.Fare, index int) offer {
	base, tax := flight.Money{Currency: currency}, flight.Money{Currency: currency}
	emissions := 0
	for _, t := range r.travellers() {
		b, x := r.till.Price(f.Price(t))
		base, tax = wire.Plus(base, b), wire.Plus(tax, x)
	}
	for _, leg := range f.Flights() {
		emissions += f.EmissionsKg(leg) * r.query.Passengers.Seats()
	}
	o := offer{
		ID: fmt.Sprintf("off_0000%s%03d%s", markStamp, index, r.pack), CreatedAt: markCreated, UpdatedAt: markCreated, ExpiresAt: markExpires,
		TotalAmount: wire.Plus(base, tax).Amount(), TotalCurrency: currency,
		BaseAmount: base.Amount(), BaseCurrency: currency, TaxAmount: tax.Amount(), TaxCurrency: currency,
		TotalEmissionsKg: text(strconv.Itoa(emissions)), Owner: r.airline(f.Seller),
		Conditions:        offerConditions{Refund: r.condition(f.Brand.Refund), Change: r.condition(f.Brand.Change)},
		Payment:           payment{Instant: f.Brand.Code == "BASIC"},
		Passengers:        r.passengers,
		DocumentTypes:     []string{"passport"},
		LoyaltyProgrammes: []string{}, PrivateFares: []struct{}{},
	}
	if !o.Payment.Instant {
		o.Payment.GuaranteeExpiry, o.Payment.RequiredBy = text(markExpires), text(markExpires)
	}
	for i, j := range f.Journeys {
		o.Slices = append(o.Slices, r.slice(f, j, index, i))
	}
	return o
}

func (r *renderer) slice(f *world.Fare, j *world.Journey, index, i int) slice {
	s := slice{
		ID:         fmt.Sprintf("sli_0000%s%03d%d", markStamp, index, i),
		OriginType: "airport", Origin: r.place(j.Origin()), DestinationType: "airport", Destination: r.place(j.Destination()),
		Duration: wire.Days(j.Duration()), FareBrandName: text(f.Brand.Name),
		Conditions: sliceConditions{Change: r.condition(f.Brand.Change)},
	}
	for k, leg := range j.Flights {
		s.Segments = append(s.Segments, r.segment(f, leg, fmt.Sprintf("seg_0000%s%03d%d%d", markStamp, index, i, k)))
		s.ComparisonKey += leg.Airline.Code + strconv.Itoa(leg.Number)
	}
	return s
}

func (r *renderer) segment(f *world.Fare, leg *world.Flight, id string) segment {
	w := r.World
	marketing, number := w.Marketing(f, leg)
	s := segment{
		ID: id, Origin: r.place(leg.From), Destination: r.place(leg.To),
		OriginTerminal: text(w.Terminal(leg.Airline, leg.From)), DestinationTerminal: text(w.Terminal(leg.Airline, leg.To)),
		DepartingAt: r.local(leg.Departure, leg.From), ArrivingAt: r.local(leg.Arrival, leg.To),
		Duration: wire.Days(leg.Duration()), Distance: text(fmt.Sprintf("%d.0", leg.Kilometres)),
		MarketingCarrier: r.airline(marketing), MarketingNumber: strconv.Itoa(number),
		OperatingCarrier: r.airline(leg.Airline), OperatingNumber: text(strconv.Itoa(leg.Number)),
		Aircraft: &aircraft{ID: "arc_0000" + leg.Aircraft, IATA: leg.Aircraft, Name: world.AircraftName(leg.Aircraft)},
		Stops:    []stop{},
	}
	if marketing != leg.Airline {
		s.OperatingNumber = nil // Seldom known of a codeshare.
	}
	if t := leg.TouchDown; t != nil {
		s.Stops = append(s.Stops, stop{
			ID: id + "s", Airport: r.place(t.Airport), ArrivingAt: r.local(t.Arrival, t.Airport),
			DepartingAt: r.local(t.Departure, t.Airport), Duration: wire.Days(t.Departure.Sub(t.Arrival)),
		})
	}
	cabin := w.Cabin(leg, f.Cabin)
	for i, t := range r.travellers() {
		s.Passengers = append(s.Passengers, segmentPassenger{
			PassengerID: r.passengers[i].ID, Cabin: string(cabin), CabinName: cabinNames[cabin],
			FareBasisCode: text(world.FareBasis(f)), Baggages: baggages(f.Brand, t),
		})
	}
	return s
}

var cabinNames = map[flight.Cabin]string{
	flight.CabinEconomy: "Economy", flight.CabinPremiumEconomy: "Premium Economy",
	flight.CabinBusiness: "Business", flight.CabinFirst: "First",
}

func baggages(b world.Brand, t world.Traveller) []baggage {
	list := []baggage{}
	if t == world.Infant {
		return list
	}
	if b.CheckedBags > 0 {
		list = append(list, baggage{"checked", b.CheckedBags})
	}
	return append(list, baggage{"carry_on", b.CarryOnBags})
}

// condition states a term for the whole party of those with a seat.
func (r *renderer) condition(t world.Terms) *condition {
	c := &condition{Allowed: t.Allowed}
	if t.Allowed {
		fee := flight.Money{Minor: t.Penalty * int64(r.query.Passengers.Seats()), Currency: currency}
		c.PenaltyAmount, c.PenaltyCurrency = text(fee.Amount()), text(currency)
	}
	return c
}

func (r *renderer) local(t time.Time, iata string) string {
	return t.In(r.World.Catalog().Zone(iata)).Format("2006-01-02T15:04:05")
}

func (r *renderer) airline(a *world.Airline) airline {
	logo := "https://assets.duffel.com/img/airlines/for-light-background/"
	return airline{
		ID: "arl_0000" + a.Code, IATA: a.Code, Name: r.World.CarrierName(a.Code),
		LogoSymbol: text(logo + "full-color-logo/" + a.Code + ".svg"), LogoLockup: text(logo + "full-color-lockup/" + a.Code + ".svg"),
	}
}

// place describes an airport or a city.
func (r *renderer) place(code string) place {
	if known, ok := r.places[code]; ok {
		return known
	}
	p := r.describe(code)
	r.places[code] = p
	return p
}

func (r *renderer) describe(code string) place {
	catalog := r.World.Catalog()
	a, ok := catalog.Airport(code)
	if !ok {
		return r.city(code)
	}
	return place{
		Type: "airport", ID: "arp_" + strings.ToLower(a.IATA+"_"+a.Country), Name: a.Name, IATA: a.IATA, ICAO: text(a.ICAO),
		CityCode: text(a.CityCode), CityName: text(a.City), CountryCode: a.Country, TimeZone: text(a.Zone),
		Latitude: &a.Lat, Longitude: &a.Lon,
	}
}

func (r *renderer) city(code string) place {
	c, ok := r.World.Catalog().City(code)
	if !ok {
		return place{Type: "city", ID: "cit_" + strings.ToLower(code), Name: code, IATA: code}
	}
	p := place{Type: "city", ID: "cit_" + strings.ToLower(c.Code+"_"+c.Country), Name: c.Name, IATA: c.Code, CityCode: text(c.Code), CountryCode: c.Country}
	for _, iata := range c.Airports {
		p.Airports = append(p.Airports, r.place(iata))
	}
	return p
}

// text is a string, or null where it is empty.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // Structs of strings and numbers always encode.
	}
	return b
}
