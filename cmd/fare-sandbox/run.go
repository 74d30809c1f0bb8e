package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/sethvargo/go-envconfig"

	"github.com/hedgehop/hedgehop/internal/refdata"
	"github.com/hedgehop/hedgehop/internal/sandbox"
)

// Limits of the server.
const (
	readTimeout = 10 * time.Second // Of a whole request.
	idleTimeout = 2 * time.Minute  // Longer than clients keep connections.
	// drainTimeout lets the slowest answer without a fault (3 s) go out, and is
	// less than the ten seconds that platforms give a process to stop.
	drainTimeout = 8 * time.Second
)

// run serves until ctx ends, and then finishes what is under way.
func run(ctx context.Context, env envconfig.Lookuper, stdout io.Writer) error {
	c, err := load(env)
	if err != nil {
		return fmt.Errorf("fare-sandbox cannot start:\n%w", err)
	}
	logger := c.logger(stdout)
	catalog, err := refdata.Embedded()
	if err != nil {
		return err
	}
	providers := sandbox.New(catalog, sandbox.Options{Seed: c.seed, Latency: c.latency})
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("", strconv.Itoa(int(c.port))))
	if err != nil {
		return fmt.Errorf("PORT=%d: %w", c.port, err)
	}
	server := &http.Server{
		Handler: providers.Handler(), ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(providers.Close)
	logger.InfoContext(ctx, "serving", "address", listener.Addr().String(), "latency", string(c.latency), "seed", c.seed)
	return serve(ctx, server, listener)
}

func (c config) logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.logLevel}
	if c.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// serve answers on the listener until ctx ends or the server fails.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	err := server.Shutdown(drain)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close() // Whoever still waits has had longer than any answer takes.
	}
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
