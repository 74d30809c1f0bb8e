package httpapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

// question is a request as it was read, with what could not be.
type question struct {
	request search.Request
	faults  []flight.Fault
	form    form
}

// form is how a request was written, and so how places in it are named.
type form interface {
	// place is where in the request a fault is.
	place(f flight.Fault) string
	// at makes the contract's fault of a place.
	at(place, detail string) api.Fault
	// mirrors reports that f only repeats another fault of all.
	mirrors(f flight.Fault, all []flight.Fault) bool
}

// locate names all faults of a question in the words of its form, each once.
// What the search found at or below a place that could not be read is left out:
// it judged only what stood in for it.
func (q question) locate(all []flight.Fault) []api.Fault {
	own, unread := map[flight.Fault]bool{}, map[string]bool{}
	for _, f := range q.faults {
		own[f], unread[q.form.place(f)] = true, true
	}
	type line struct{ place, detail string }
	said := map[line]bool{}
	var located []api.Fault
	for _, f := range all {
		l := line{place: q.form.place(f), detail: f.Detail}
		if said[l] || !own[f] && anyAbove(l.place, unread) || q.form.mirrors(f, all) {
			continue
		}
		said[l] = true
		located = append(located, q.form.at(l.place, l.detail))
	}
	return located
}

// anyAbove reports that the place, or one that it lies in, is among others.
func anyAbove(place string, others map[string]bool) bool {
	for !others[place] {
		end := strings.LastIndexByte(place, '/')
		if end < 0 {
			return false
		}
		place = place[:end]
	}
	return true
}

// queryForm names query parameters.
type queryForm struct{}

func (queryForm) at(place, detail string) api.Fault {
	return api.Fault{Parameter: &place, Detail: detail}
}

// place leads the second slice of a return journey, which no parameter names,
// back to those that it was made of.
func (queryForm) place(f flight.Fault) string {
	if f.Slice != 1 {
		return abbreviated(f.Field)
	}
	switch f.Field {
	case flight.FieldOrigin:
		return flight.FieldDestination
	case flight.FieldDestination:
		return flight.FieldOrigin
	case flight.FieldDeparture:
		return fieldReturnDate
	default:
		return f.Field
	}
}

// mirrors: the places of the second slice are those of the first, so what is
// wrong with them has been said.
func (queryForm) mirrors(f flight.Fault, all []flight.Fault) bool {
	isPlace := func(f flight.Fault) bool { return f.Field == flight.FieldOrigin || f.Field == flight.FieldDestination }
	return f.Slice == 1 && isPlace(f) &&
		slices.ContainsFunc(all, func(o flight.Fault) bool { return o.Slice == 0 && isPlace(o) })
}

// bodyForm names places in a body by JSON pointers (RFC 6901).
type bodyForm struct{}

func (bodyForm) at(place, detail string) api.Fault {
	return api.Fault{Pointer: &place, Detail: detail}
}

func (bodyForm) place(f flight.Fault) string {
	if f.Slice == flight.NoSlice {
		return "/" + f.Field
	}
	return "/" + flight.FieldSlices + "/" + strconv.Itoa(f.Slice) + "/" + f.Field
}

func (bodyForm) mirrors(flight.Fault, []flight.Fault) bool { return false }

// wholeBody is the one fault of a body that cannot be used at all.
func wholeBody(err error) error {
	return invalid([]api.Fault{bodyForm{}.at("", err.Error())})
}
