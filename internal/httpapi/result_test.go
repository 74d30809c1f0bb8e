package httpapi_test

import (
	"testing"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/search"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func wall(t testing.TB, text string) flight.LocalTime {
	t.Helper()
	local, err := flight.ParseWall(text)
	if err != nil {
		t.Fatal(err)
	}
	return local
}

// overnight is JFK to LHR, all that can be known about it.
func overnight(t testing.TB) flight.Slice {
	t.Helper()
	return flight.Slice{Duration: 415 * time.Minute, Segments: []flight.Segment{{
		Marketing: flight.Carrier{Code: "BA", Name: "British Airways"}, FlightNumber: "178",
		Operating: flight.Carrier{Code: "BA", Name: "British Airways"},
		Origin:    "JFK", Destination: "LHR",
		Departure: wall(t, "2026-12-15T18:30").In(zone(t, "America/New_York")),
		Arrival:   wall(t, "2026-12-16T06:25").In(zone(t, "Europe/London")),
		Duration:  415 * time.Minute, Mode: flight.ModeFlight, Aircraft: "77W", Cabin: flight.CabinEconomy,
		OriginTerminal: "7", DestinationTerminal: "5",
	}}}
}

// overland is a way back on which little is known: a touch-down, a train of a
// carrier without code, an airport that nobody knows, a change of airport.
func overland(t testing.TB) flight.Slice {
	t.Helper()
	return flight.Slice{Segments: []flight.Segment{
		{
			Marketing: flight.Carrier{Name: "Coast Rail"}, Origin: "LGW", Destination: "QQX",
			Departure: wall(t, "2026-12-22T08:00").In(zone(t, "Europe/London")), Arrival: wall(t, "2026-12-22T10:00"),
			Mode: flight.ModeRail,
		},
		{
			Marketing: flight.Carrier{Code: "AA"}, FlightNumber: "101", Origin: "QQY", Destination: "JFK",
			Departure: wall(t, "2026-12-22T12:00"), Arrival: wall(t, "2026-12-22T20:00").In(zone(t, "America/New_York")),
			Mode: flight.ModeFlight,
			Stops: []flight.Stop{
				{Airport: "KEF", Arrival: wall(t, "2026-12-22T14:00").In(zone(t, "Atlantic/Reykjavik")), Duration: 50 * time.Minute},
				{Airport: "YYT"},
			},
		},
	}}
}

// fullOffer has every fact.
func fullOffer(it flight.Itinerary) search.Offer {
	fetched := time.Date(2026, 11, 30, 12, 0, 0, 250_000_000, time.FixedZone("", 3600))
	return search.Offer{
		ID:             "offer-1",
		Converted:      &flight.Money{Minor: 41230, Currency: "USD"},
		ConvertedTaxes: &flight.Money{Minor: 10050, Currency: "USD"},
		Offer: flight.Offer{
			Ref: "secret reference", Provider: "duffel", Seller: "British Airways", Itinerary: it,
			Price: flight.Money{Minor: 41230, Currency: "USD"}, Taxes: &flight.Money{Minor: 10050, Currency: "USD"},
			ValidatingCarrier: "BA", Brands: []string{"Basic", "Plus"}, CheckedBags: new(1), CarryOnBags: new(0),
			Refundable: new(false), Changeable: new(true), SeatsLeft: new(4), SelfTransfer: new(false), EmissionsKg: new(312),
			DeepLink: "https://example.com/book?a=1&b=2", ExpiresAt: fetched.Add(20 * time.Minute), FetchedAt: fetched, Sandbox: true,
		},
	}
}

// barestOffer has nothing but a price that cannot be converted.
func barestOffer(it flight.Itinerary) search.Offer {
	return search.Offer{ID: "offer-3", Stale: true, Offer: flight.Offer{
		Provider: "skyscanner", Itinerary: it, Price: flight.Money{Minor: 90000, Currency: "KWD"},
		FetchedAt: time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC),
	}}
}

// codeshareOffer sells the first segment under another carrier's number, in
// pounds.
func codeshareOffer(it flight.Itinerary) search.Offer {
	sold := flight.Itinerary{Slices: append([]flight.Slice{}, it.Slices...)}
	sold.Slices[0].Segments = append([]flight.Segment{}, it.Slices[0].Segments...)
	sold.Slices[0].Segments[0].Marketing = flight.Carrier{Code: "AA", Name: "American Airlines"}
	sold.Slices[0].Segments[0].FlightNumber = "6144"
	sold.Slices[0].Segments[0].Cabin = flight.CabinUnknown
	return search.Offer{
		ID: "offer-2", Converted: &flight.Money{Minor: 50000, Currency: "USD"},
		Offer: flight.Offer{
			Provider: "amadeus", Itinerary: sold, Price: flight.Money{Minor: 40000, Currency: "GBP"},
			Brands: []string{"Light", ""}, CheckedKg: new(23), FetchedAt: time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC),
		},
	}
}

// fullResult shows every feature of an answer once.
func fullResult(t testing.TB, req search.Request) *search.Result {
	t.Helper()
	it := flight.Itinerary{Slices: []flight.Slice{overnight(t), overland(t)}}
	airport := func(code string) search.Place {
		found, ok := catalog().Airport(code)
		if !ok {
			t.Fatalf("no airport %s", code)
		}
		return search.Place{Airport: found, Known: true}
	}
	return &search.Result{
		Body:     search.Body{Name: "fares-2"},
		SearchID: "search-1",
		Request:  req,
		Itineraries: []search.Itinerary{{
			Itinerary: it, ID: "journey-1", Price: &flight.Money{Minor: 41230, Currency: "USD"},
			Offers: []search.Offer{fullOffer(it), codeshareOffer(it), barestOffer(it)},
		}},
		Summary: search.Summary{
			Itineraries: 187, Offers: 431, Cheapest: &flight.Money{Minor: 41230, Currency: "USD"},
			Fastest: 415 * time.Minute, Carriers: map[string]int{"BA": 12}, Stops: map[int]int{0: 3, 2: 184},
		},
		Places:   map[string]search.Place{"JFK": airport("JFK"), "QQX": {}},
		Carriers: map[string]flight.Carrier{"BA": {Code: "BA", Name: "British Airways"}, "ZZ": {Code: "ZZ"}},
		Providers: []search.Outcome{
			{Name: "duffel", Status: search.StatusOK, Offers: 120, Latency: 341 * time.Millisecond, Attempts: 2, Cache: search.CacheMiss, Sandbox: true},
			{Name: "skyscanner", Status: search.StatusTimeout, Offers: 3, Cache: search.CacheStale, Age: 241 * time.Second, Fresh: -61 * time.Second, Error: "no answer within 6 s", Warnings: []string{"list was cut"}},
		},
		Rates:      catalog().Rates(),
		NextCursor: "next",
		Timing:     search.Timing{Total: 345600 * time.Microsecond, Cache: 1200 * time.Microsecond, Merge: 900 * time.Microsecond},
	}
}
