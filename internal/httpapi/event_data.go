package httpapi

import (
	"fmt"
	"strings"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

// fieldSet names what of the reference data has changed.
const fieldSet = "set"

// scopeFields are the names in the data of fare.changed.
var scopeFields = [...]string{search.FieldProvider, flight.FieldOrigin, flight.FieldDestination, flight.FieldDeparture}

// readScope reads the data of fare.changed with all faults of its form.
func readScope(data jsonValue) (search.Scope, []flight.Fault) {
	var scope search.Scope
	var d draft
	for _, m := range data.members {
		switch m.name {
		case search.FieldProvider:
			scope.Provider = d.word(m)
		case flight.FieldOrigin:
			scope.Origin = d.place(m.value, m.name, flight.NoSlice)
		case flight.FieldDestination:
			scope.Destination = d.place(m.value, m.name, flight.NoSlice)
		case flight.FieldDeparture:
			scope.Date = d.date(m.value, flight.NoSlice)
		default:
			d.fault(escaped(m.name), flight.NoSlice, fmt.Sprintf("is not a field of %s%s", fareChanged, suggestion(m.name, scopeFields[:])))
		}
	}
	d.settleMarket(scope, data)
	return scope, d.faults
}

// word reads a name without the blanks around it.
func (d *draft) word(m member) string {
	text, err := m.value.text()
	if err == nil && strings.TrimSpace(text) == "" {
		err = fmt.Errorf("is empty; leave it out where there is none")
	}
	if err != nil {
		d.fault(m.name, flight.NoSlice, err.Error())
	}
	return strings.TrimSpace(text)
}

// settleMarket finds what is missing: a market has two ends, and a day is one of
// a market.
func (d *draft) settleMarket(scope search.Scope, data jsonValue) {
	_, origin := data.member(flight.FieldOrigin)
	_, destination := data.member(flight.FieldDestination)
	_, provider := data.member(search.FieldProvider)
	_, day := data.member(flight.FieldDeparture)
	missing := func(field string) {
		d.fault(field, flight.NoSlice, "is missing; a market has an origin and a destination")
	}
	if !origin && (destination || day) {
		missing(flight.FieldOrigin)
	}
	if !destination && (origin || day) {
		missing(flight.FieldDestination)
	}
	if !origin && !destination && !provider && !day {
		d.fault(search.FieldProvider, flight.NoSlice, "is missing; name a provider, or origin and destination")
	}
	if scope.Origin != "" && scope.Origin == scope.Destination {
		d.fault(flight.FieldDestination, flight.NoSlice, fmt.Sprintf("is the same place as the origin, %s; a market has two", scope.Origin))
	}
}

// readSet reads the data of refdata.changed.
func readSet(data jsonValue) (string, []flight.Fault) {
	var d draft
	var set string
	for _, m := range data.members {
		if m.name != fieldSet {
			d.fault(escaped(m.name), flight.NoSlice, fmt.Sprintf("is not a field of %s%s", refdataChanged, suggestion(m.name, []string{fieldSet})))
			continue
		}
		if set = d.word(m); !d.faulty(fieldSet) && set != "airports" && set != "airlines" && set != "currencies" {
			d.fault(fieldSet, flight.NoSlice, fmt.Sprintf("%s is no set; send airports, airlines or currencies", shown(set)))
		}
	}
	if _, given := data.member(fieldSet); !given {
		d.fault(fieldSet, flight.NoSlice, "is missing; send airports, airlines or currencies")
	}
	return set, d.faults
}
