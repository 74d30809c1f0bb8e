// Command hedging-lab measures ways to hedge side by side, over real sockets or,
// with -virtual, in virtual time, where a law is followed exactly whatever else the
// machine does.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/bench/lab"
)

// settings are the flags.
type settings struct {
	only    string
	core    bool
	rounds  int
	span    time.Duration
	virtual bool
	out     string
	charts  string
}

func main() {
	s := settings{}
	flag.StringVar(&s.only, "only", "", "workloads to run, comma-separated; empty: all")
	flag.BoolVar(&s.core, "core", false, "the core of the matrix alone")
	flag.IntVar(&s.rounds, "rounds", 5, "rounds of each contender under each workload")
	flag.DurationVar(&s.span, "span", 5*time.Second, "length of a run that has none of its own")
	flag.BoolVar(&s.virtual, "virtual", false, "in virtual time: exact laws, no sockets, without hedgedhttp")
	flag.StringVar(&s.out, "out", "results", "folder for tables and JSON")
	flag.StringVar(&s.charts, "charts", "", "folder for charts; empty: none")
	flag.Parse()
	workloads, err := s.workloads()
	if err == nil && (s.rounds < 1 || s.span <= 0) {
		err = fmt.Errorf("-rounds=%d -span=%v: both must be positive", s.rounds, s.span)
	}
	if err == nil {
		err = s.run(workloads)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// workloads picks what the flags ask for.
func (s settings) workloads() ([]lab.Workload, error) {
	all := lab.Matrix()
	if s.core {
		all = lab.Core()
	}
	if s.only == "" {
		return all, nil
	}
	var picked []lab.Workload
	for name := range strings.SplitSeq(s.only, ",") {
		i := slices.IndexFunc(all, func(w lab.Workload) bool { return w.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-only: no workload is called %q; there are %s", name, strings.Join(names(all), ", "))
		}
		picked = append(picked, all[i])
	}
	return picked, nil
}

func names(all []lab.Workload) []string {
	var names []string
	for _, w := range all {
		names = append(names, w.Name)
	}
	return names
}
