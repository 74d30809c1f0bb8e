package duffel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/sandbox/wire"
)

// question is an offer request as it was sent.
type question struct {
	Slices []struct {
		Origin        string          `json:"origin"`
		Destination   string          `json:"destination"`
		DepartureDate string          `json:"departure_date"`
		DepartureTime json.RawMessage `json:"departure_time"`
		ArrivalTime   json.RawMessage `json:"arrival_time"`
	} `json:"slices"`
	Passengers []struct {
		Type string `json:"type"`
		Age  *int   `json:"age"`
	} `json:"passengers"`
	CabinClass     string `json:"cabin_class"`
	MaxConnections *int   `json:"max_connections"`
}

// asked is a valid offer request.
type asked struct {
	query flight.Query
	// connections is how many changes each slice may have.
	connections int
}

// defaultConnections is Duffel's own.
const defaultConnections = 1

// parse reads an offer request; faults are all that Duffel would complain of.
func (s *service) parse(r *http.Request) (asked, []fault) {
	var body struct {
		Data *question `json:"data"`
	}
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &body)
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return asked{}, []fault{invalid(wrong.Field, "has the wrong type")}
	case err != nil:
		return asked{}, []fault{malformed}
	case body.Data == nil:
		return asked{}, []fault{required("data")}
	}
	return s.check(body.Data)
}

func (s *service) check(q *question) (asked, []fault) {
	a := asked{connections: defaultConnections}
	faults := slices.Concat(s.checkSlices(q, &a), checkPassengers(q, &a), checkCabin(q, &a))
	if q.MaxConnections != nil {
		a.connections = *q.MaxConnections
		if a.connections < 0 || a.connections > 2 {
			faults = append(faults, invalid("max_connections", "must be 0, 1 or 2"))
		}
	}
	return a, faults
}

func (s *service) checkSlices(q *question, a *asked) []fault {
	if len(q.Slices) == 0 {
		return []fault{required("slices")}
	}
	if len(q.Slices) > flight.MaxSlices {
		return []fault{invalid("slices", fmt.Sprintf("must be at most %d", flight.MaxSlices))}
	}
	var faults []fault
	for i, sent := range q.Slices {
		field := func(name string) string { return fmt.Sprintf("slices/%d/%s", i, name) }
		if !wire.IsPlace(sent.Origin) {
			faults = append(faults, invalid(field("origin"), "must be a valid IATA code"))
		}
		if !wire.IsPlace(sent.Destination) {
			faults = append(faults, invalid(field("destination"), "must be a valid IATA code"))
		}
		if sent.DepartureTime != nil || sent.ArrivalTime != nil {
			faults = append(faults, invalid(field("departure_time"), "is not filtered by in the sandbox"))
		}
		date, err := flight.ParseDate(sent.DepartureDate)
		switch {
		case err != nil:
			faults = append(faults, invalid(field("departure_date"), "must be a valid date"))
		case s.Past(date, sent.Origin):
			faults = append(faults, invalid(field("departure_date"), "must be after today"))
		case s.TooFar(date):
			faults = append(faults, invalid(field("departure_date"), "is too far in the future"))
		}
		a.query.Slices = append(a.query.Slices, flight.SliceQuery{Origin: sent.Origin, Destination: sent.Destination, Departure: date})
	}
	return faults
}

func checkPassengers(q *question, a *asked) []fault {
	if len(q.Passengers) == 0 {
		return []fault{required("passengers")}
	}
	var faults []fault
	party := &a.query.Passengers
	for i, p := range q.Passengers {
		field := fmt.Sprintf("passengers/%d", i)
		switch {
		case p.Age == nil && p.Type == "adult":
			party.Adults++
		case p.Age == nil && p.Type == "infant_without_seat":
			party.Infants++
		case p.Age == nil && p.Type == "child":
			party.ChildAges = append(party.ChildAges, flight.AssumedChildAge)
		case p.Age == nil || p.Type != "":
			faults = append(faults, invalid(field, "must have exactly one of type, age or fare_type"))
		case *p.Age < 0 || *p.Age > 130:
			faults = append(faults, invalid(field+"/age", "must be an age"))
		case *p.Age < flight.MinChildAge:
			party.Infants++
		case *p.Age <= flight.MaxChildAge:
			party.ChildAges = append(party.ChildAges, *p.Age)
		default:
			party.Adults++
		}
	}
	slices.Sort(party.ChildAges)
	switch {
	case len(faults) > 0:
	case party.Seats() > flight.MaxSeats:
		faults = append(faults, invalid("passengers", "must be at most nine with a seat"))
	case party.Adults == 0:
		faults = append(faults, invalid("passengers", "must include an adult"))
	case party.Infants > party.Adults:
		faults = append(faults, invalid("passengers", "must have an adult for every infant"))
	}
	return faults
}

// checkCabin takes a request without a cabin, which means any at the vendor, for
// one in economy.
func checkCabin(q *question, a *asked) []fault {
	if q.CabinClass == "" {
		a.query.Cabin = flight.CabinEconomy
		return nil
	}
	cabin, err := flight.ParseCabin(q.CabinClass)
	if err != nil {
		return []fault{invalid("cabin_class", "must be one of first, business, premium_economy, economy")}
	}
	a.query.Cabin = cabin
	return nil
}
