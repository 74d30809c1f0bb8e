// Command search-api is the flight-search service. It is configured by
// environment variables alone (docs/configuration.md) and stops on SIGTERM or
// SIGINT after finishing what runs.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // The image has no zone files.

	"github.com/sethvargo/go-envconfig"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, envconfig.OsLookuper(), os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
