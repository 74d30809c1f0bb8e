package day

import (
	"context"
	"fmt"
	"time"

	"github.com/hedgehop/hedgehop/bench/market"
	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/flight"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/search"
)

// product is the product's search service in one container. All containers share
// one cache, in place of the Redis between them.
type product struct {
	service  *search.Service
	question func(int) flight.Query
}

// shop is what all containers of the product share.
type shop struct {
	world   *world
	cache   *cache.Cache
	catalog *refdata.Catalog
	today   time.Time
	// questions are the keys of all that will be asked.
	questions []string
}

func newShop(w *world, questions int) (*shop, error) {
	catalog, err := refdata.Embedded()
	if err != nil {
		return nil, err
	}
	shared, err := cache.Open(cache.Options{})
	if err != nil {
		return nil, err
	}
	s := &shop{world: w, cache: shared, catalog: catalog, today: time.Now()}
	for k := range questions {
		s.questions = append(s.questions, s.query(k).Key())
	}
	return s, nil
}

// query is the k-th question: a route and a day.
func (s *shop) query(k int) flight.Query {
	routes := market.Routes(200)
	route := routes[k%len(routes)]
	return flight.Query{
		Slices: []flight.SliceQuery{{
			Origin: route[0], Destination: route[1], Departure: flight.DateOf(s.today.AddDate(0, 0, 30+k/len(routes))),
		}},
		Passengers: flight.Passengers{Adults: 1}, Cabin: flight.CabinEconomy,
	}
}

// open makes a container with the service's defaults.
func (s *shop) open() (searcher, func()) {
	all, end := s.world.suppliers()
	gatherer := fanout.NewGatherer(6*time.Second, 32)
	var sources []search.Source
	for _, supplier := range all {
		sources = append(sources, search.Source{Provider: adapter{supplier, s}})
	}
	service, err := search.New(search.Options{
		Sources: sources, Catalog: func() *refdata.Catalog { return s.catalog }, Gatherer: gatherer, Cache: s.cache,
		FareTTL: freshFor, StaleTTL: 7 * time.Minute, SoftTimeout: 3 * time.Second, Timeout: 8 * time.Second,
	})
	if err != nil { // Options that are right once are right always.
		panic(err)
	}
	return &product{service, s.query}, end
}

// forget announces that a question's fares have changed, as an event does.
func (s *shop) forget(ctx context.Context, container *product, k int) error {
	slice := s.query(k).Slices[0]
	return container.service.Invalidate(ctx, search.Scope{Origin: slice.Origin, Destination: slice.Destination, Date: slice.Departure})
}

// close ends what is shared.
func (s *shop) close(ctx context.Context) error {
	if err := s.cache.Drain(ctx); err != nil {
		return err
	}
	return s.cache.Close()
}

func (p *product) search(k int) seen {
	sleep(roundTrip)
	s := seen{hit: true}
	for n := range s.versions {
		s.versions[n] = -1
	}
	result, err := p.service.Search(context.Background(), search.Request{
		Query: p.question(k), View: search.View{Currency: "USD", Sort: search.SortBest, Limit: 20},
	}, nil)
	if err != nil {
		s.hit = false
		return s
	}
	for _, o := range result.Providers {
		s.hit = s.hit && o.Cache == search.CacheHit
	}
	for _, itinerary := range result.Itineraries {
		for _, o := range itinerary.Offers {
			var n int
			if _, err := fmt.Sscanf(o.Provider, "supplier-%d", &n); err == nil {
				s.versions[n] = int(o.Price.Minor - basePrice)
			}
		}
	}
	return s
}
