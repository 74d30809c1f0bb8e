// Command fare-sandbox serves the sandbox providers as a process of their own:
// Duffel, Amadeus and Skyscanner over one invented world of flights.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // The world needs the zones of all its airports.

	"github.com/sethvargo/go-envconfig"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, envconfig.OsLookuper(), os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
