package world

import (
	"testing"
	_ "time/tzdata"

	"go.uber.org/goleak"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// today is a Monday in the week after both clock changes of autumn.
var today = flight.Date{Year: 2026, Month: 11, Day: 30}

func mustWorld(tb testing.TB, seed uint64) *World {
	tb.Helper()
	catalog, err := refdata.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return New(catalog, seed)
}

func oneWay(origin, destination string, date flight.Date) Query {
	return Query{Slices: []flight.SliceQuery{{Origin: origin, Destination: destination, Departure: date}}, Cabin: flight.CabinEconomy}
}

func describe(it *Itinerary) string {
	text := ""
	for _, f := range it.Flights() {
		text += f.key() + " "
	}
	return text
}
