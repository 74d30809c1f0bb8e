package amadeus

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// getOffers answers GET /v2/shopping/flight-offers.
func (s *service) getOffers(w http.ResponseWriter, r *http.Request) {
	q, faults := s.parseGet(r.URL.Query())
	if len(faults) > 0 {
		fail(w, http.StatusBadRequest, faults...)
		return
	}
	s.answerSearch(w, r, q)
}

func (s *service) parseGet(v url.Values) (search, []fault) {
	p := &parameters{Values: v}
	q := search{
		currency: p.text("currencyCode", "EUR"), max: p.number("max", maxOffers, 1, maxOffers),
		filter: filter{
			included: list(v.Get("includedAirlineCodes")), excluded: list(v.Get("excludedAirlineCodes")),
			connections: 2, price: int64(p.number("maxPrice", 0, 1, 1_000_000)),
		},
	}
	if p.flag("nonStop") {
		q.filter.connections = 0
	}
	cabin := p.text("travelClass", "ECONOMY")
	if q.cabin = cabins[cabin]; q.cabin == flight.CabinUnknown {
		p.fault(codeInvalidFormat, "travelClass", "The travel class is one of ECONOMY, PREMIUM_ECONOMY, BUSINESS, FIRST")
	}
	q.slices = p.slices()
	q.travellers = party(p.number("adults", 0, 1, 9), p.number("children", 0, 0, 9), p.number("infants", 0, 0, 9))
	if len(p.faults) > 0 {
		return q, p.faults
	}
	return q, s.check(q, func(field string, index int) source {
		if field == "departureDate" && index > 0 {
			field = "returnDate"
		}
		return source{Parameter: field}
	})
}

// parameters reads a query string and collects what is wrong with it.
type parameters struct {
	url.Values
	faults []fault
}

func (p *parameters) fault(code int, name, detail string) {
	p.faults = append(p.faults, bad(code, detail, source{Parameter: name}))
}

func (p *parameters) text(name, missing string) string {
	if v := p.Get(name); v != "" {
		return v
	}
	if missing == "" {
		p.fault(codeMissing, name, "The parameter "+name+" is mandatory")
	}
	return missing
}

func (p *parameters) number(name string, missing, low, high int) int {
	if !p.Has(name) {
		if name == "adults" {
			p.fault(codeMissing, name, "The parameter adults is mandatory")
		}
		return missing
	}
	n, err := strconv.Atoi(p.Get(name))
	if err != nil || n < low || n > high {
		p.fault(codeInvalidFormat, name, "The value must be from "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
	}
	return n
}

func (p *parameters) flag(name string) bool {
	switch p.Get(name) {
	case "", "false":
		return false
	case "true":
		return true
	}
	p.fault(codeInvalidFormat, name, "The value must be true or false")
	return false
}

func (p *parameters) date(name string) flight.Date {
	d, err := flight.ParseDate(p.text(name, ""))
	if err != nil && p.Get(name) != "" {
		p.fault(codeInvalidFormat, name, "The date must be of the form YYYY-MM-DD")
	}
	return d
}

func (p *parameters) slices() []flight.SliceQuery {
	from, to := p.text("originLocationCode", ""), p.text("destinationLocationCode", "")
	asked := []flight.SliceQuery{{Origin: from, Destination: to, Departure: p.date("departureDate")}}
	if p.Has("returnDate") {
		asked = append(asked, flight.SliceQuery{Origin: to, Destination: from, Departure: p.date("returnDate")})
	}
	return asked
}

// party numbers travellers as the vendor does: adults, children, infants.
func party(adults, children, infants int) []traveller {
	var all []traveller
	add := func(n int, kind string) {
		for i := range n {
			t := traveller{ID: strconv.Itoa(len(all) + 1), Type: kind}
			if kind == "HELD_INFANT" {
				t.AdultID = strconv.Itoa(i + 1)
			}
			all = append(all, t)
		}
	}
	add(adults, "ADULT")
	add(children, "CHILD")
	add(infants, "HELD_INFANT")
	return all
}

func list(csv string) []string {
	if csv == "" {
		return nil
	}
	return strings.Split(csv, ",")
}
