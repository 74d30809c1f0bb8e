package flight_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// journey is a return trip with one connection each way: what merging 500 offers
// names 500 times.
func journey(tb testing.TB) flight.Itinerary {
	tb.Helper()
	leg := func(number, from, to, leaves, lands string) flight.Segment {
		return flight.Segment{
			Marketing: flight.Carrier{Code: "UA"}, FlightNumber: number,
			Operating: flight.Carrier{Code: "LH", Name: "Lufthansa"},
			Origin:    from, Destination: to, Departure: wall(tb, leaves), Arrival: wall(tb, lands),
			Mode: flight.ModeFlight,
		}
	}
	return flight.Itinerary{Slices: []flight.Slice{
		{Segments: []flight.Segment{
			leg("8843", "SFO", "FRA", "2026-12-15T14:35", "2026-12-16T10:25"),
			leg("9370", "FRA", "BER", "2026-12-16T11:45", "2026-12-16T12:55"),
		}},
		{Segments: []flight.Segment{
			leg("9371", "BER", "FRA", "2026-12-22T08:45", "2026-12-22T09:55"),
			leg("8842", "FRA", "SFO", "2026-12-22T12:55", "2026-12-22T15:30"),
		}},
	}}
}

func BenchmarkItineraryKey(b *testing.B) {
	it := journey(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = it.Key()
	}
}

func BenchmarkItineraryID(b *testing.B) {
	it := journey(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = it.ID()
	}
}

func BenchmarkQueryKey(b *testing.B) {
	q := flight.Query{
		Slices: []flight.SliceQuery{
			{Origin: "JFK", Destination: "LHR", Departure: flight.Date{Year: 2026, Month: time.December, Day: 15}},
			{Origin: "LHR", Destination: "JFK", Departure: flight.Date{Year: 2026, Month: time.December, Day: 22}},
		},
		Passengers: flight.Passengers{Adults: 2, ChildAges: []int{5, 11}, Infants: 1},
		Cabin:      flight.CabinEconomy,
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = q.Key()
	}
}

func BenchmarkParseWall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := flight.ParseWall("2026-12-15T18:30:00"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBetween(b *testing.B) {
	from, to := zone(b, "America/New_York"), zone(b, "Europe/London")
	leaves, lands := wall(b, "2026-12-15T18:30"), wall(b, "2026-12-16T06:25")
	b.ReportAllocs()
	for b.Loop() {
		flight.Between(leaves, lands, from, to, 415*time.Minute)
	}
}

func BenchmarkLocalTimeText(b *testing.B) {
	at := wall(b, "2026-12-15T18:30").In(zone(b, "America/New_York"))
	b.ReportAllocs()
	for b.Loop() {
		text, _ := at.MarshalText()
		if err := at.UnmarshalText(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseMoney(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := flight.ParseMoney("1412.30", "USD"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMoneyAmount(b *testing.B) {
	m := flight.Money{Minor: 141230, Currency: "USD"}
	b.ReportAllocs()
	for b.Loop() {
		_ = m.Amount()
	}
}

func BenchmarkMoneyFromRat(b *testing.B) {
	price, rate := flight.Money{Minor: 141230, Currency: "USD"}.Rat(), big.NewRat(10000, 11415)
	b.ReportAllocs()
	for b.Loop() {
		flight.MoneyFromRat(new(big.Rat).Mul(price, rate), "EUR")
	}
}
