package httpapi

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// decoder reads the two forms of a search. It is immutable.
type decoder struct {
	fields map[string]field
	// queryNames and bodyNames are all names of each form, for suggestions.
	queryNames, bodyNames []string
}

// fieldReturnDate exists in query strings alone: it makes the second slice.
const fieldReturnDate = "return_date"

func newDecoder(searchTimeout time.Duration) decoder {
	d := decoder{
		fields:     map[string]field{},
		queryNames: []string{flight.FieldOrigin, flight.FieldDestination, flight.FieldDeparture, fieldReturnDate},
		bodyNames:  []string{flight.FieldSlices},
	}
	for _, f := range sharedFields(searchTimeout) {
		d.fields[f.name] = f
		d.queryNames = append(d.queryNames, f.name)
		d.bodyNames = append(d.bodyNames, f.name)
	}
	return d
}

// query reads a search from a raw query string. What cannot be read is a fault,
// and a value that breaks no rule stands in its place.
func (d decoder) query(raw string) question {
	draft := newDraft()
	arguments := draft.arguments(raw)
	for _, a := range arguments {
		switch f, ok := d.fields[a.name]; {
		case ok:
			if err := f.read(draft, a.value); err != nil {
				draft.fault(a.name, flight.NoSlice, err.Error())
			}
		case !isPlaceOrDate(a.name):
			draft.fault(a.name, flight.NoSlice, "is not a parameter of this address"+suggestion(a.name, d.queryNames))
		}
	}
	draft.readJourney(arguments)
	draft.finish()
	return question{request: draft.request, faults: draft.faults, form: queryForm{}}
}

// argument is one parameter of a query string.
type argument struct {
	name  string
	value queryValue
}

// maxArguments bounds the work that a query string can make; a search has 25.
const maxArguments = 100

// arguments splits a query string in its own order. A name that is given twice
// is a fault, and so is what is not encoded as a query string.
func (d *draft) arguments(raw string) []argument {
	var list []argument
	times := map[string]int{}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		a, encoded := parseArgument(pair)
		if len(times) == maxArguments {
			d.fault(a.name, flight.NoSlice, "and what follows was not read; a search has far fewer parameters")
			break
		}
		switch times[a.name]++; {
		case times[a.name] == 2:
			d.fault(a.name, flight.NoSlice, "is given more than once; give it once")
		case times[a.name] > 2: // Said already.
		case !encoded:
			d.fault(a.name, flight.NoSlice, "is not encoded as a query string; write % as %25")
		default:
			list = append(list, a)
		}
	}
	return list
}

// parseArgument undoes the encoding of name=value, and reports false where it is
// none; a name that cannot be decoded stays as it is.
func parseArgument(pair string) (argument, bool) {
	rawName, rawValue, _ := strings.Cut(pair, "=")
	name, nameErr := url.QueryUnescape(rawName)
	if nameErr != nil {
		name = rawName
	}
	text, valueErr := url.QueryUnescape(rawValue)
	return argument{name: name, value: queryValue(text)}, nameErr == nil && valueErr == nil
}

func isPlaceOrDate(name string) bool {
	switch name {
	case flight.FieldOrigin, flight.FieldDestination, flight.FieldDeparture, fieldReturnDate:
		return true
	}
	return false
}

// readJourney makes one slice, or two with return_date. Missing places and dates
// are left to the query's own judgement.
func (d *draft) readJourney(arguments []argument) {
	var out flight.SliceQuery
	var back flight.Date
	returns := false
	for _, a := range arguments {
		switch a.name {
		case flight.FieldOrigin:
			out.Origin = d.place(a.value, flight.FieldOrigin, 0)
		case flight.FieldDestination:
			out.Destination = d.place(a.value, flight.FieldDestination, 0)
		case flight.FieldDeparture:
			out.Departure = d.date(a.value, 0)
		case fieldReturnDate:
			back, returns = d.date(a.value, 1), true
		}
	}
	d.request.Query.Slices = []flight.SliceQuery{out}
	if returns {
		d.request.Query.Slices = append(d.request.Query.Slices,
			flight.SliceQuery{Origin: out.Destination, Destination: out.Origin, Departure: back})
	}
}

// place reads a code in any case with blanks around it. One that is none stays
// as it is written, for the query to refuse.
func (d *draft) place(v value, name string, slice int) string {
	text, err := v.text()
	if err != nil {
		d.fault(name, slice, err.Error())
		return ""
	}
	if code, err := flight.ParsePlace(text); err == nil {
		return code
	}
	return text
}

// date is zero where it cannot be read.
func (d *draft) date(v value, slice int) flight.Date {
	text, err := v.text()
	if err == nil {
		var date flight.Date
		if date, err = flight.ParseDate(text); err == nil {
			return date
		}
	}
	d.fault(flight.FieldDeparture, slice, err.Error())
	return flight.Date{}
}

// suggestion completes "is not a parameter" by the name that was probably meant.
func suggestion(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return "; /openapi.yaml lists those that exist"
}
