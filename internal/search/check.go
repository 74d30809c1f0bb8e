package search

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// MaxDaysAhead is how far ahead airlines publish schedules, counted in the
// origin's own calendar.
const MaxDaysAhead = 361

// FieldCurrency names the view's currency in a flight.Fault.
const FieldCurrency = "currency"

// check completes the faults that decoding found with those of the query's form
// and those that need the catalogue and the clock. One fault a field is enough:
// a field that could not be decoded is not also called missing.
func check(req Request, faults []flight.Fault, catalog *refdata.Catalog, now time.Time) []flight.Fault {
	found := slices.Clone(faults)
	found = appendNew(found, req.Query.Faults())
	// More slices than a search may have are one fault, which is found by now.
	for i, slice := range req.Query.Slices[:min(len(req.Query.Slices), flight.MaxSlices)] {
		found = appendNew(found, placeFaults(i, slice, catalog))
		found = appendNew(found, dateFaults(i, slice, catalog, now))
	}
	if !catalog.Rates().Known(req.View.Currency) {
		found = appendNew(found, []flight.Fault{{Field: FieldCurrency, Slice: flight.NoSlice, Detail: fmt.Sprintf(
			"%q is not an ISO 4217 currency with a known rate; /v1/currencies lists them", req.View.Currency)}})
	}
	if text := req.View.Cursor; text != "" {
		if _, err := readCursor(text, 0); errors.Is(err, errNoCursor) {
			found = appendNew(found, []flight.Fault{{Field: FieldCursor, Slice: flight.NoSlice, Detail: "is no cursor that an answer gave; take next_cursor as it stands"}})
		}
	}
	return found
}

func appendNew(found, more []flight.Fault) []flight.Fault {
	for _, fault := range more {
		known := slices.ContainsFunc(found, func(f flight.Fault) bool {
			return f.Field == fault.Field && f.Slice == fault.Slice && f.Detail != fault.Detail
		})
		if !known && !slices.Contains(found, fault) {
			found = append(found, fault)
		}
	}
	return found
}

func placeFaults(i int, slice flight.SliceQuery, catalog *refdata.Catalog) []flight.Fault {
	return append(unknownPlaces(i, slice, catalog), samePlace(i, slice, catalog)...)
}

// samePlace refuses ends that share an airport, such as LHR and LON.
func samePlace(i int, slice flight.SliceQuery, catalog *refdata.Catalog) []flight.Fault {
	destinations := catalog.Expand(slice.Destination)
	for _, airport := range catalog.Expand(slice.Origin) {
		if slices.Contains(destinations, airport) {
			return []flight.Fault{{Field: flight.FieldDestination, Slice: i, Detail: fmt.Sprintf(
				"%s is in the same place as the origin %s (both mean %s); choose another", slice.Destination, slice.Origin, airport)}}
		}
	}
	return nil
}

func unknownPlaces(i int, slice flight.SliceQuery, catalog *refdata.Catalog) []flight.Fault {
	var faults []flight.Fault
	for _, end := range []struct{ field, code string }{
		{flight.FieldOrigin, slice.Origin}, {flight.FieldDestination, slice.Destination},
	} {
		if len(catalog.Expand(end.code)) == 0 {
			faults = append(faults, flight.Fault{Field: end.field, Slice: i, Detail: fmt.Sprintf(
				"%q is no airport or city with scheduled flights that is known here; /v1/airports/{iata} tells which are", end.code)})
		}
	}
	return faults
}

// dateFaults judges past and too far in the origin's zone: what is yesterday in
// London may still be today in Los Angeles.
func dateFaults(i int, slice flight.SliceQuery, catalog *refdata.Catalog, now time.Time) []flight.Fault {
	zone := catalog.Zone(slice.Origin)
	if zone == nil || slice.Departure.IsZero() {
		return nil
	}
	today := flight.DateOf(now.In(zone))
	last := today.AddDays(MaxDaysAhead)
	switch {
	case slice.Departure.Before(today):
		return []flight.Fault{{Field: flight.FieldDeparture, Slice: i, Detail: fmt.Sprintf(
			"%s is past: it is %s at %s; choose that day or a later one", slice.Departure, today, slice.Origin)}}
	case last.Before(slice.Departure):
		return []flight.Fault{{Field: flight.FieldDeparture, Slice: i, Detail: fmt.Sprintf(
			"%s is more than %d days ahead; the last day is %s", slice.Departure, MaxDaysAhead, last)}}
	}
	return nil
}
