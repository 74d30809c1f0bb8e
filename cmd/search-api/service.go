package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/hedgehop/hedgehop/internal/cache"
	"github.com/hedgehop/hedgehop/internal/fanout"
	"github.com/hedgehop/hedgehop/internal/httpapi"
	"github.com/hedgehop/hedgehop/internal/providers"
	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/refdata/refresh"
	"github.com/hedgehop/hedgehop/internal/search"
	"github.com/hedgehop/hedgehop/internal/telemetry"
)

// Bounds of the HTTP server. Headers and bodies arrive quickly or not at all;
// the answer may take as long as a search, and then some for a slow reader.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeMargin       = 20 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
	drainTimeout      = 8 * time.Second
)

// maxLaggards bounds the provider calls that outlive their search. Each may
// hold an answer of a few megabytes.
const maxLaggards = 32

// maxDecoding bounds the answers that are read and decoded at a time, in bytes
// as they come: one and a half of the largest that is read at all, and with what
// is made of them still within the 512 MiB of cloudrun.yaml.
const maxDecoding = providers.MaxAnswer * 3 / 2

// service is the running program.
type service struct {
	listener net.Listener
	failed   chan error
	teardown teardown
	ready    *readiness
	served   http.Handler
	learners []learner

	telemetry *telemetry.Telemetry
}

// start binds the port first, so that what connects early waits instead of being
// refused, then builds every room and serves. A failure undoes what was done.
func start(ctx context.Context, c Config) (*service, error) {
	began := time.Now()
	s := &service{failed: make(chan error, 3), ready: newReadiness()}
	if err := s.build(ctx, c); err != nil {
		return nil, errors.Join(err, s.teardown.run(context.WithoutCancel(ctx)))
	}
	s.ready.set(httpapi.StateReady)
	countStart(ctx, time.Since(began))
	return s, nil
}

func (s *service) build(ctx context.Context, c Config) (err error) {
	if err := s.startTelemetry(ctx, c); err != nil {
		return err
	}
	if s.listener, err = listen(ctx, fmt.Sprintf(":%d", c.Port)); err != nil {
		return err
	}
	s.teardown.add("the listener", func(context.Context) error { return ignoreClosed(s.listener.Close()) })
	catalog, err := refdata.Embedded()
	if err != nil {
		return fmt.Errorf("reading the embedded reference data: %w", err)
	}
	world, err := s.startSandbox(ctx, c, catalog)
	if err != nil {
		return err
	}
	remembered, err := s.openCache(c)
	if err != nil {
		return err
	}
	reference, err := s.startReference(ctx, c, catalog, remembered)
	if err != nil {
		return err
	}
	sources, err := s.sources(c, shared{
		zones: zones(reference), world: world, fleet: fanout.NewFleet(), remembered: remembered,
	})
	if err != nil {
		return err
	}
	s.teardown.add("the last metrics", s.flushMetrics) // While clients and cache still report them.
	searcher, err := s.searcher(c, reference, sources, remembered)
	if err != nil {
		return err
	}
	handler, err := s.handler(c, searcher, reference, world)
	if err != nil {
		return err
	}
	s.startWarming(ctx, c, sources, searcher, remembered)
	handler = s.closing(handler)
	s.served = handler
	s.serve("the server", s.listener, handler, c.Timeout+writeMargin)
	return s.startProfiling(ctx, c)
}

// handler is the HTTP edge over everything else.
func (s *service) handler(c Config, searcher *search.Service, reference *refresh.Refresher, world *embedded) (http.Handler, error) {
	events, err := c.events()
	if err != nil {
		return nil, err
	}
	events.Fares = searcher
	events.RefdataChanged = func(ctx context.Context, set string) error { return reference.Changed(ctx, refresh.Set(set)) }
	return httpapi.New(httpapi.Options{
		Searcher: searcher, Catalog: reference.Catalog, Ready: s.ready.report, Metrics: s.telemetry.Handler(),
		Sandbox: world.control(c), CORSOrigins: c.CORSOrigins, SearchTimeout: c.Timeout,
		Events: events, APIKeys: c.APIKeys, ClientLimits: c.clientLimits(), TrustedProxyHops: c.ProxyHops,
	}), nil
}

func (s *service) searcher(c Config, reference *refresh.Refresher, sources []search.Source, remembered *cache.Cache) (*search.Service, error) {
	s.teardown.add("fares being fetched", remembered.Drain)
	gatherer := fanout.NewGatherer(c.ProviderTimeout, maxLaggards)
	s.teardown.add("provider calls", gatherer.Drain)
	return search.New(search.Options{
		Sources: sources, Catalog: reference.Catalog, Gatherer: gatherer,
		Cache: remembered, FareTTL: c.FareTTL, StaleTTL: c.StaleTTL,
		SoftTimeout: c.SoftTimeout, Timeout: c.Timeout, Admission: c.admission(), Memory: providers.NewMemory(maxDecoding),
	})
}

// openCache needs no Redis that answers: searches go on without.
func (s *service) openCache(c Config) (*cache.Cache, error) {
	remembered, err := cache.Open(cache.Options{
		URL: string(c.RedisURL), Topology: c.Topology, CallLimit: c.ProviderTimeout + time.Second,
	})
	if err != nil {
		return nil, err
	}
	s.teardown.add("the cache", func(context.Context) error { return remembered.Close() })
	if c.RedisURL != "" {
		s.ready.watch("redis", func(ctx context.Context) httpapi.Check { return redisCheck(remembered.Check(ctx)) })
	}
	return remembered, nil
}

// newServer lets nobody keep a connection by sending or reading slowly.
func newServer(handler http.Handler, writeTimeout time.Duration) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
	}
}

// serve answers on the listener until the teardown.
func (s *service) serve(name string, listener net.Listener, handler http.Handler, writeTimeout time.Duration) {
	server := newServer(handler, writeTimeout)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			s.failed <- fmt.Errorf("serving %s: %w", name, err)
		}
	}()
	s.teardown.add(name, func(ctx context.Context) error { return shutDown(ctx, server) })
}

// shutDown lets running requests finish within drainTimeout, then cuts them off.
func shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

// address is where the service listens.
func (s *service) address() string { return s.listener.Addr().String() }

// wait returns when ctx ends or a server fails.
func (s *service) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.failed:
		return err
	}
}

// How a stop begins, so that nobody who got through is left without an answer.
const (
	// lameDuck is how long the service goes on accepting after it has said that it
	// stops: probes see it, and clients that keep connections hear of the end with
	// an answer instead of a reset.
	lameDuck = 400 * time.Millisecond
	// settling is how long a connection that was accepted last has to send its
	// request: net/http drops requests that it reads after Shutdown began.
	settling = 100 * time.Millisecond
)

// retire says that the service stops, in probes and with every answer, goes on
// answering for a moment, and then accepts no more.
func (s *service) retire(ctx context.Context) error {
	s.ready.set(httpapi.StateStopping)
	rest(ctx, lameDuck)
	err := s.listener.Close()
	rest(ctx, settling)
	return err
}

func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// closing ends each connection with its answer once the service stops.
func (s *service) closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.ready.stopping() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// stop undoes the start within ctx: what runs is finished first.
func (s *service) stop(ctx context.Context) error {
	s.ready.set(httpapi.StateStopping)
	return s.teardown.run(ctx)
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", address)
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
