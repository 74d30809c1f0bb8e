package httpapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

// draft is a request while it is read.
type draft struct {
	request search.Request
	// children and maxPrice wait for what they depend on; nil: not given.
	children *int
	maxPrice *string
	faults   []flight.Fault
}

// newDraft has the contract's defaults.
func newDraft() *draft {
	return &draft{request: search.Request{
		Query: flight.Query{Passengers: flight.Passengers{Adults: 1}, Cabin: flight.CabinEconomy},
		View:  search.View{Currency: "USD", Sort: search.SortBest, Limit: 20},
	}}
}

// field is a name of the contract that means the same in a query string and in a
// body, and how its value enters a draft.
type field struct {
	name string
	read func(d *draft, v value) error
}

// minTimeout is the least latency budget that a caller can have: below it no
// provider could answer.
const minTimeout = 50 * time.Millisecond

// sharedFields are all of them but the places and dates, in the order of the
// contract.
func sharedFields(searchTimeout time.Duration) []field {
	maxTimeout := max(searchTimeout, minTimeout)
	return []field{
		{flight.FieldAdults, func(d *draft, v value) error { return into(&d.request.Query.Passengers.Adults)(v.whole()) }},
		{flight.FieldChildren, (*draft).readChildren},
		{flight.FieldChildAges, (*draft).readChildAges},
		{flight.FieldInfants, func(d *draft, v value) error { return into(&d.request.Query.Passengers.Infants)(v.whole()) }},
		{flight.FieldCabin, (*draft).readCabin},
		{search.FieldCurrency, (*draft).readCurrency},
		{"max_stops", func(d *draft, v value) error { return intoNew(&d.request.View.Filter.MaxStops)(atLeast(v, 0)) }},
		{"carriers", func(d *draft, v value) error { return into(&d.request.View.Filter.Carriers)(carrierCodes(v)) }},
		{"exclude_carriers", func(d *draft, v value) error { return into(&d.request.View.Filter.ExcludeCarriers)(carrierCodes(v)) }},
		{fieldMaxPrice, func(d *draft, v value) error { return intoNew(&d.maxPrice)(v.decimal()) }},
		{"max_duration_minutes", func(d *draft, v value) error {
			return into(&d.request.View.Filter.MaxDuration)(units(time.Minute)(atLeast(v, 1)))
		}},
		{"depart_after", func(d *draft, v value) error { return intoNew(&d.request.View.Filter.Depart.After)(minuteOfDay(v)) }},
		{"depart_before", func(d *draft, v value) error { return intoNew(&d.request.View.Filter.Depart.Before)(minuteOfDay(v)) }},
		{"arrive_after", func(d *draft, v value) error { return intoNew(&d.request.View.Filter.Arrive.After)(minuteOfDay(v)) }},
		{"arrive_before", func(d *draft, v value) error { return intoNew(&d.request.View.Filter.Arrive.Before)(minuteOfDay(v)) }},
		{"checked_bag", func(d *draft, v value) error { return into(&d.request.View.Filter.CheckedBag)(v.truth()) }},
		{"sort", (*draft).readSort},
		{"limit", func(d *draft, v value) error { return into(&d.request.View.Limit)(bounded(v, 1, 100)) }},
		{"cursor", (*draft).readCursor},
		{"timeout_ms", func(d *draft, v value) error {
			low, high := int(minTimeout.Milliseconds()), int(maxTimeout.Milliseconds())
			return into(&d.request.Timeout)(units(time.Millisecond)(bounded(v, low, high)))
		}},
		{"max_age_seconds", func(d *draft, v value) error {
			return intoNew(&d.request.MaxAge)(units(time.Second)(atLeast(v, 0)))
		}},
	}
}

const fieldMaxPrice = "max_price"

// into stores what a reader gave, unless it failed.
func into[T any](place *T) func(T, error) error {
	return func(v T, err error) error {
		if err == nil {
			*place = v
		}
		return err
	}
}

// intoNew is into for what may be absent.
func intoNew[T any](place **T) func(T, error) error {
	return func(v T, err error) error {
		if err == nil {
			*place = &v
		}
		return err
	}
}

// units makes a duration of a number of them.
func units(unit time.Duration) func(int, error) (time.Duration, error) {
	return func(n int, err error) (time.Duration, error) { return time.Duration(n) * unit, err }
}

func (d *draft) readChildren(v value) error {
	return intoNew(&d.children)(bounded(v, 0, flight.MaxSeats-1)) // One is an adult's.
}

func (d *draft) readChildAges(v value) error {
	items, err := v.list()
	if err != nil {
		return err
	}
	ages := []int{}
	err = each(items, func(item value) error {
		age, err := item.whole()
		ages = append(ages, age)
		return err
	})
	return into(&d.request.Query.Passengers.ChildAges)(ages, err)
}

// readCabin leaves the judgement to the query, which knows the cabins.
func (d *draft) readCabin(v value) error {
	text, err := v.text()
	return into(&d.request.Query.Cabin)(flight.Cabin(text), err)
}

func (d *draft) readCurrency(v value) error {
	text, err := v.text()
	return into(&d.request.View.Currency)(strings.ToUpper(strings.TrimSpace(text)), err)
}

func (d *draft) readSort(v value) error {
	text, err := v.text()
	if err != nil {
		return err
	}
	switch order := search.Sort(text); order {
	case search.SortBest, search.SortCheapest, search.SortFastest, search.SortDeparture:
		d.request.View.Sort = order
		return nil
	default:
		return fmt.Errorf("%s is not an order; use best, cheapest, fastest or departure", shown(text))
	}
}

func (d *draft) readCursor(v value) error {
	text, err := v.text()
	if err == nil && text == "" {
		return errors.New("is empty; leave it out for the first page")
	}
	return into(&d.request.View.Cursor)(text, err)
}

// each reads all items and joins what is wrong with any of them.
func each(items []value, read func(value) error) error {
	var wrong []string
	for i, item := range items {
		if err := read(item); err != nil {
			wrong = append(wrong, fmt.Sprintf("item %d: %s", i+1, err))
		}
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

// carrierCodes reads IATA airline designators: two characters, at most one of
// them a digit (IATA Resolution 762), in any case.
func carrierCodes(v value) ([]string, error) {
	items, err := v.list()
	if err != nil {
		return nil, err
	}
	var codes []string
	err = each(items, func(item value) error {
		text, err := item.text()
		code := strings.ToUpper(strings.TrimSpace(text))
		if err == nil && !isDesignator(code) {
			return fmt.Errorf("%s is not an IATA airline code; write two letters or a letter and a digit, for example BA", shown(text))
		}
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
		return err
	})
	return codes, err
}

func isDesignator(code string) bool {
	if len(code) != 2 {
		return false
	}
	letters := 0
	for _, c := range code {
		switch {
		case c >= 'A' && c <= 'Z':
			letters++
		case c < '0' || c > '9':
			return false
		}
	}
	return letters > 0
}

// minuteOfDay reads HH:MM.
func minuteOfDay(v value) (int, error) {
	text, err := v.text()
	if err != nil {
		return 0, err
	}
	clock, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, fmt.Errorf("%s is not a time of day; write HH:MM, 00:00 to 23:59", shown(text))
	}
	return clock.Hour()*60 + clock.Minute(), nil
}

// faulty reports that the field could not be read.
func (d *draft) faulty(name string) bool {
	return slices.ContainsFunc(d.faults, func(f flight.Fault) bool { return f.Field == name && f.Slice == flight.NoSlice })
}

func (d *draft) fault(name string, slice int, detail string) {
	d.faults = append(d.faults, flight.Fault{Field: name, Slice: slice, Detail: detail})
}

// finish reads what depends on several fields.
func (d *draft) finish() {
	d.settleAdults()
	d.settleChildren()
	d.settleMaxPrice()
}

// settleAdults puts the fewest adults that the infants allow in the place of a
// number that could not be read, so that it is one fault and not two.
func (d *draft) settleAdults() {
	if party := &d.request.Query.Passengers; d.faulty(flight.FieldAdults) {
		party.Adults = min(max(party.Infants, 1), flight.MaxSeats)
	}
}

// settleChildren gives children that have no age the assumed one, and refuses a
// number of them that contradicts their ages.
func (d *draft) settleChildren() {
	party := &d.request.Query.Passengers
	switch {
	case d.children == nil || d.faulty(flight.FieldChildAges):
	case party.ChildAges == nil:
		party.ChildAges = slices.Repeat([]int{flight.AssumedChildAge}, *d.children)
	case len(party.ChildAges) != *d.children:
		d.fault(flight.FieldChildren, flight.NoSlice, fmt.Sprintf(
			"is %d, but child_ages has %d; give one age for each child, or only one of the two", *d.children, len(party.ChildAges)))
	}
}

// settleMaxPrice needs the currency. That it is none of ISO 4217 is not said
// here: the search judges currencies.
func (d *draft) settleMaxPrice() {
	view := &d.request.View
	if d.maxPrice == nil || d.faulty(search.FieldCurrency) {
		return
	}
	price, err := flight.ParseMoney(*d.maxPrice, view.Currency)
	switch {
	case errors.Is(err, flight.ErrNoCurrency):
	case err != nil:
		d.fault(fieldMaxPrice, flight.NoSlice, fmt.Sprintf(
			"%s is not an amount of %s; write a decimal such as %s", shown(*d.maxPrice), view.Currency, exampleAmount(view.Currency)))
	case price.Minor < 0:
		d.fault(fieldMaxPrice, flight.NoSlice, fmt.Sprintf("must be 0 or more, not %s", price.Amount()))
	default:
		view.Filter.MaxPrice = price
	}
}

// exampleAmount has the digits of the currency.
func exampleAmount(currency string) string {
	one, err := flight.ParseMoney("1", currency)
	if err != nil {
		return "412"
	}
	return flight.Money{Minor: 412 * one.Minor, Currency: currency}.Amount()
}
