package chart

import (
	"errors"
	"os"

	"github.com/hedgehop/hedgehop/bench/lab"
)

// Hedging draws the charts of the workloads that have one, into a folder that it
// makes.
func Hedging(folder string, results []lab.Result) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var faults []error
	for _, r := range results {
		switch r.Workload.Name {
		case "closed-50":
			faults = append(faults, Tail(folder, "hedging-tail", "One provider, 50 in flight", r.Windows[0]))
		case "closed-5":
			faults = append(faults, Tail(folder, "hedging-tail-at-5", "One provider, 5 in flight", r.Windows[0]))
		case "fanout-3":
			faults = append(faults, Tail(folder, "hedging-fanout", "A search waits for three providers, 50 in flight", r.Windows[0]))
		case "drift":
			faults = append(faults, delayOf(folder, "hedging-delay", "Fast answers drift from 30 to 90 ms and back", r))
		}
	}
	return errors.Join(faults...)
}
