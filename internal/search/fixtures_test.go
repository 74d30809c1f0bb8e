package search

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

// noon is the moment at which the tests take place, unless they say otherwise.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// scripted is a provider that answers what it is told to.
type scripted struct {
	name   string
	answer providers.Answer
	err    error
	before func(context.Context)

	mu    sync.Mutex
	asked []flight.Query
}

func (p *scripted) Name() string { return p.name }

func (p *scripted) Search(ctx context.Context, q flight.Query) (providers.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	if p.before != nil {
		p.before(ctx)
	}
	return own(p.answer), p.err
}

// own is an answer that is its caller's to change.
func own(answer providers.Answer) providers.Answer {
	answer.Offers = slices.Clone(answer.Offers)
	return answer
}

func catalogOf(tb testing.TB) *refdata.Catalog {
	tb.Helper()
	catalog, err := refdata.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return catalog
}

// cacheOf is an in-memory cache, closed with the test.
func cacheOf(tb testing.TB) *cache.Cache {
	tb.Helper()
	c, err := cache.Open(cache.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

// serviceOf searches with the given providers at noon.
func serviceOf(tb testing.TB, asked ...Provider) *Service {
	tb.Helper()
	catalog := catalogOf(tb)
	gatherer := fanout.NewGatherer(6*time.Second, 8)
	var sources []Source
	for _, p := range asked {
		sources = append(sources, Source{Provider: p, Sandbox: true})
	}
	service, err := New(Options{
		Sources: sources, Catalog: func() *refdata.Catalog { return catalog }, Gatherer: gatherer,
		Cache: cacheOf(tb), FareTTL: 3 * time.Minute, StaleTTL: 7 * time.Minute,
		SoftTimeout: 3 * time.Second, Timeout: 8 * time.Second, Now: func() time.Time { return noon },
	})
	if err != nil {
		tb.Fatal(err)
	}
	return service
}

func oneWay(origin, destination, date string) Request {
	day, err := flight.ParseDate(date)
	if err != nil {
		panic(err)
	}
	return Request{
		Query: flight.Query{
			Slices:     []flight.SliceQuery{{Origin: origin, Destination: destination, Departure: day}},
			Passengers: flight.Passengers{Adults: 1}, Cabin: flight.CabinEconomy,
		},
		View: View{Currency: "USD", Sort: SortBest, Limit: 20},
	}
}

// hop is a segment with the zones of its airports: "BA178 JFK LHR 2026-12-15T18:30 2026-12-16T06:25".
func hop(tb testing.TB, carrier, number, origin, destination, departure, arrival string) flight.Segment {
	tb.Helper()
	catalog := catalogOf(tb)
	leave, err := flight.ParseWall(departure)
	if err != nil {
		tb.Fatal(err)
	}
	land, err := flight.ParseWall(arrival)
	if err != nil {
		tb.Fatal(err)
	}
	segment := flight.Segment{
		Marketing: flight.Carrier{Code: carrier}, FlightNumber: number, Operating: flight.Carrier{Code: carrier},
		Origin: origin, Destination: destination, Mode: flight.ModeFlight, Cabin: flight.CabinEconomy,
	}
	segment.Departure, segment.Arrival, _ = flight.Between(leave, land, catalog.Zone(origin), catalog.Zone(destination), 0)
	segment.Duration, _ = segment.Arrival.Sub(segment.Departure)
	return segment
}

// sliceOf joins segments and derives the duration.
func sliceOf(segments ...flight.Segment) flight.Slice {
	slice := flight.Slice{Segments: segments}
	slice.Duration, _ = slice.Arrival().Sub(slice.Departure())
	return slice
}

func journeyOf(slices ...flight.Slice) flight.Itinerary { return flight.Itinerary{Slices: slices} }

func usd(minor int64) flight.Money { return flight.Money{Minor: minor, Currency: "USD"} }

// times that the provider was asked.
func (p *scripted) times() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

// offer of a journey at a price.
func offer(ref string, price flight.Money, it flight.Itinerary) flight.Offer {
	return flight.Offer{Ref: ref, Price: price, Itinerary: it}
}

func answerOf(offers ...flight.Offer) providers.Answer { return providers.Answer{Offers: offers} }

// ba178 is a non-stop from JFK to LHR, sevenLater a second one.
func ba178(tb testing.TB) flight.Itinerary {
	tb.Helper()
	return journeyOf(sliceOf(hop(tb, "BA", "178", "JFK", "LHR", "2026-12-15T18:30:00", "2026-12-16T06:25:00")))
}

func viaDublin(tb testing.TB) flight.Itinerary {
	tb.Helper()
	return journeyOf(sliceOf(
		hop(tb, "EI", "104", "JFK", "DUB", "2026-12-15T17:30:00", "2026-12-16T05:00:00"),
		hop(tb, "EI", "152", "DUB", "LHR", "2026-12-16T06:30:00", "2026-12-16T07:55:00"),
	))
}

func mustSearch(tb testing.TB, s *Service, req Request) *Result {
	tb.Helper()
	result, err := s.Search(context.Background(), req, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return result
}

// nowOfTheCache is the clock that the cache goes by.
func nowOfTheCache() time.Time { return time.Now() }

// soon is a day that can be asked for now.
func soon() string { return flight.DateOf(time.Now()).AddDays(14).String() }
