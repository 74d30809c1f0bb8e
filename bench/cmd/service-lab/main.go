// Command service-lab measures the service as it is shipped: repeated and cold
// searches, start, memory, what is shared, and what a lost Redis costs. It builds
// and starts the product's commands and a redis-server.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hedgehop/hedgehop/bench/process"
	"github.com/hedgehop/hedgehop/bench/report"
)

// bench is what every measurement is given.
type bench struct {
	folder string // Of the binaries.
	rounds int
	span   time.Duration
}

// measurement is one section of the page.
type measurement struct {
	name string
	run  func(context.Context, bench) (report.Section, error)
}

func measurements() []measurement {
	return []measurement{
		{"footprint", footprint}, {"repeat", repeat}, {"cold", cold}, {"shared", shared}, {"outage", outage}, {"growth", growth},
	}
}

func main() {
	module := flag.String("module", "..", "folder of the product's module")
	rounds := flag.Int("rounds", 5, "rounds of each measurement")
	span := flag.Duration("span", 2*time.Second, "length of a loaded round")
	only := flag.String("only", "", "measurements, comma-separated; empty: all")
	out := flag.String("out", "results", "folder for tables and JSON")
	bare := flag.String("bare", "", "for the program's own use: serve this file's bytes on $PORT")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	if *bare != "" {
		err = serveBare(ctx, *bare)
	} else {
		err = run(ctx, *module, *only, *out, bench{rounds: *rounds, span: *span})
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, module, only, out string, b bench) error {
	picked, err := pick(only)
	if err != nil {
		return err
	}
	folder, clean, err := process.Build(ctx, module)
	if err != nil {
		return err
	}
	defer clean()
	b.folder = folder
	conditions := report.ConditionsNow(fmt.Sprintf("Medians of %d rounds, in brackets the least and the most. "+
		"Load generator, service, sandbox and Redis share this machine.", b.rounds))
	var sections []report.Section
	for _, m := range picked {
		fmt.Fprintln(os.Stderr, m.name)
		section, err := m.run(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		sections = append(sections, section)
	}
	page := report.Page("The service", conditions, sections)
	fmt.Print(page)
	return report.Save(out, "service", page, struct {
		Conditions report.Conditions `json:"conditions"`
		Sections   []report.Section  `json:"sections"`
	}{conditions, sections})
}

func pick(only string) ([]measurement, error) {
	all := measurements()
	if only == "" {
		return all, nil
	}
	var picked []measurement
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(all, func(m measurement) bool { return m.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-only: no measurement is called %q", name)
		}
		picked = append(picked, all[i])
	}
	return picked, nil
}
