// Command demo-hedge shows in a terminal, in about twenty seconds, what hedging
// does: 300 cold searches without it and the same 300 with it, against providers
// one in ten of whose answers takes half a second to a second.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hedgehop/hedgehop/bench/load"
	"github.com/hedgehop/hedgehop/bench/market"
	"github.com/hedgehop/hedgehop/bench/process"
)

func main() {
	module := flag.String("module", "..", "folder of the product's module")
	searches := flag.Int("searches", 300, "cold searches, each time")
	inFlight := flag.Int("in-flight", 10, "searches at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, *module, *searches, *inFlight)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// trial is the searches once.
type trial struct {
	load.Result
	requests int // That reached the providers.
}

func run(ctx context.Context, out io.Writer, module string, searches, inFlight int) error {
	_, _ = fmt.Fprintf(out, "%d cold searches, %d at a time, after a few that do not count; each waits for three providers, one answer of ten\n"+
		"of which takes 500 to 1000 ms, the others 10 to 50 ms.\n", searches, inFlight)
	folder, clean, err := process.Build(ctx, module)
	if err != nil {
		return err
	}
	defer clean()
	questions := market.Thin(warmUp+searches, time.Now().UTC())
	off, err := try(ctx, folder, questions, inFlight, "HEDGE_MAX_ATTEMPTS=1")
	if err != nil {
		return err
	}
	draw(out, "Hedging off", off)
	on, err := try(ctx, folder, questions, inFlight)
	if err != nil {
		return err
	}
	draw(out, "Hedging on", on)
	conclude(out, off, on)
	return ctx.Err()
}

// warmUp searches are not counted: the sandbox plans its world and both processes
// load time zones in the first of them, with hedging and without.
const warmUp = 20

// try starts a sandbox and a service that have seen nothing, and asks.
func try(ctx context.Context, folder string, questions []market.Question, inFlight int, env ...string) (trial, error) {
	sandbox, err := process.StartSandbox(ctx, folder, "longtail")
	if err != nil {
		return trial{}, err
	}
	defer sandbox.Stop()
	service, err := process.StartService(ctx, folder, sandbox, env...)
	if err != nil {
		return trial{}, err
	}
	defer service.Stop()
	var next atomic.Int64
	ask := func(n int) load.Result {
		return load.Loop{
			Address: service.Address(), Connections: inFlight, Requests: n, Span: time.Minute,
			Path: func() string { return questions[int(next.Add(1)-1)%len(questions)].Path("") },
		}.Run(ctx)
	}
	ask(warmUp)
	before, err := process.Requests(ctx, sandbox)
	if err != nil {
		return trial{}, err
	}
	t := trial{Result: ask(len(questions) - warmUp)}
	if ctx.Err() != nil {
		return t, ctx.Err()
	}
	if t.Failed > 0 {
		return t, fmt.Errorf("%d of %d searches failed, the first with: %w", t.Failed, len(questions), t.Err)
	}
	after, err := process.Requests(ctx, sandbox)
	t.requests = after - before
	return t, err
}
