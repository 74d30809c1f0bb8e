package main

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/sethvargo/go-envconfig"

	"github.com/hedgehop/hedgehop/internal/telemetry"
)

// stopTimeout and the flush of telemetry after it are within the 10 s that Cloud
// Run leaves between SIGTERM and SIGKILL:
// https://cloud.google.com/run/docs/container-contract#instance-shutdown.
const stopTimeout = 8500 * time.Millisecond

// run is the program: it starts the service and stops it when ctx ends. Logs go
// to out.
func run(ctx context.Context, env envconfig.Lookuper, out io.Writer) error {
	config, err := readConfig(ctx, env)
	if err != nil {
		return err
	}
	slog.SetDefault(telemetry.NewLogger(out, telemetry.LogOptions{
		Level: config.Level, Format: logFormat(config), Project: config.Project,
	}))
	service, err := start(ctx, config)
	if err != nil {
		return err
	}
	slog.InfoContext(ctx, "listening", "address", service.address())
	err = service.wait(ctx)
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return joined(err, service.retire(stopping), service.stop(stopping))
}

// logFormat is JSON where Cloud Run collects the lines (it sets K_SERVICE),
// else text for a person at a terminal.
func logFormat(c Config) telemetry.Format {
	if c.Format != "" {
		return c.Format
	}
	if c.Platform.Service != "" {
		return telemetry.FormatJSON
	}
	return telemetry.FormatText
}
