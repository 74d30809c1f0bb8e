// Package lab runs the contenders against the same origins under workloads, in
// turn, several rounds, and sums up what callers waited and what the origins
// counted.
package lab

import (
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
)

// Workload is what callers do and what the providers take for it. A search asks
// every provider once, or one provider PerProvider times, and waits for all.
type Workload struct {
	Name  string // Short and without blanks, for -only and file names.
	About string // One line for the reader of the table.
	Core  bool   // Part of the quick run.

	Law      law.Law      // The usual law, which the limit is computed for.
	Schedule law.Schedule // Nil: always Law.
	Slow     law.Law      // Of the first of three replicas; nil: one replica.

	Providers   int // 0 counts as 1.
	PerProvider int // 0 counts as 1.
	InFlight    int
	Warm        int           // Searches before anything is measured.
	Searches    int           // How many are measured; 0: until Span.
	Span        time.Duration // How long is measured; 0: the run's default.
	Windows     []Window      // Measured apart; none: all as one.
	Over        time.Duration // A latency whose share of slower searches is shown; 0: 200 ms.
	NoLimit     bool          // The law changes, so no limit stands beside it.
}

// Window is a stretch of a run that is summed up by itself. A search belongs to the
// window that it begins in.
type Window struct {
	Name     string
	From, To time.Duration
	Law      law.Law // What the limit of the window is computed for; nil: no limit.
}

func (w Workload) providers() int   { return max(1, w.Providers) }
func (w Workload) perProvider() int { return max(1, w.PerProvider) }

// Calls returns how many calls one search makes.
func (w Workload) Calls() int { return w.providers() * w.perProvider() }

func (w Workload) replicas() int {
	if w.Slow != nil {
		return 3
	}
	return 1
}

// scheduleOf returns the schedule of one replica.
func (w Workload) scheduleOf(replica int) law.Schedule {
	switch {
	case w.Slow != nil && replica == 0:
		return law.Always(w.Slow)
	case w.Schedule != nil:
		return w.Schedule
	}
	return law.Always(w.Law)
}

// Slower returns the latency whose share of slower searches is shown.
func (w Workload) Slower() time.Duration {
	if w.Over > 0 {
		return w.Over
	}
	return 200 * time.Millisecond
}

// windows returns the stretches to sum up, for a run of default length span.
func (w Workload) windows() []Window {
	if len(w.Windows) > 0 {
		return w.Windows
	}
	whole := Window{To: time.Hour, Law: w.Law}
	if w.NoLimit {
		whole.Law = nil
	}
	return []Window{whole}
}
