package main

import (
	"context"
	"sync"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/refdata/refresh"
)

// startReference keeps the reference data current until the stop. The start does
// not wait for newer: the embedded data answers until it is there.
func (s *service) startReference(ctx context.Context, c Config, catalog *refdata.Catalog, shared *cache.Cache) (*refresh.Refresher, error) {
	reference, err := refresh.New(refresh.Options{Embedded: catalog, Cache: shared, RatesURL: c.RatesURL.address})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { reference.Run(ctx) })
	s.teardown.add("the reference data", func(context.Context) error {
		cancel()
		running.Wait()
		return nil
	})
	s.ready.watch("reference_data", func(context.Context) httpapi.Check {
		age := reference.Age()
		return httpapi.Check{OK: !age.Overdue, Detail: age.String()}
	})
	return reference, nil
}

// zones gives time zones of the catalogue of the moment.
func zones(reference *refresh.Refresher) func(string) *time.Location {
	return func(iata string) *time.Location { return reference.Catalog().Zone(iata) }
}
