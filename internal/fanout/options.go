package fanout

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// maxAttempts bounds Options.MaxAttempts: the gain of a fifth copy is below what
// anybody could measure.
const maxAttempts = 5

// Options describe one transport: one provider and class. Name, MaxAttempts and
// Timeout are mandatory; Budget is where MaxAttempts exceeds 1.
type Options struct {
	// Name is the provider, for metrics and errors.
	Name string
	// Class is the strictest class that its calls may have; see [WithClass].
	Class Class
	// Bases are the provider's replicas. Callers ask a logical address such as
	// http://name/path; every attempt replaces scheme and host by those of a
	// replica that its call has not used yet, and puts its path before the path.
	// Empty: addresses are left as they are.
	Bases []*url.URL
	// MaxAttempts is how often one call may be sent, 1 to 5; 1 switches hedging off.
	// A transport of class Never takes 1.
	MaxAttempts int
	// Budget is how many extra requests are allowed as a share of first ones, over
	// 0 to 1. Metered calls get a tenth of it.
	Budget float64
	// Delay is when a copy is sent. 0: learnt while running.
	Delay time.Duration
	// Typical is the provider's declared typical latency, from which the first
	// delay is drawn. 0: no hedges until 20 answers have been seen.
	Typical time.Duration
	// Timeout is the limit of a call, all attempts and the reading of the body
	// together. A learnt delay is at most half of it.
	Timeout time.Duration
	// Limit is asked before each attempt, hedges included; an error means: do not
	// send now. It may wait, within its context. Nil: no limit.
	Limit func(context.Context) error
	// Primary sends first attempts, Secondary all others, so that one dead
	// connection cannot hold both. Nil both: two of [NewBase]. Giving only one is
	// an error where hedges are possible. The transport closes their idle
	// connections when it is closed.
	Primary, Secondary http.RoundTripper
	// Fleet is the process's shared bucket of hedges. Nil: none.
	Fleet *Fleet
}

// Validate reports every fault of the options, options that could never have an
// effect among them: hedging that cannot fire is worse than none, since somebody
// relies on it.
func (o Options) Validate() error {
	faults := []error{
		o.checkRange(),
		o.checkTimes(),
		o.checkHedging(),
		checkBases(o.Bases),
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("transport %q: %w", o.Name, err)
	}
	return nil
}

func (o Options) checkRange() error {
	return errors.Join(
		fault(o.Name == "", "Name is empty: name the provider"),
		fault(o.Class < Unclassified || o.Class > Never, "Class %v is unknown: want Free, Metered, Never or none", o.Class),
		fault(o.MaxAttempts < 1 || o.MaxAttempts > maxAttempts, "MaxAttempts is %d: want 1 to %d", o.MaxAttempts, maxAttempts),
		fault(!(o.Budget >= 0 && o.Budget <= 1), "Budget is %v: want 0 to 1", o.Budget),
	)
}

func (o Options) checkTimes() error {
	return errors.Join(
		fault(o.Timeout <= 0, "Timeout is %v: want more than 0, every call needs a limit", o.Timeout),
		fault(o.Delay < 0, "Delay is %v: want 0 (learnt) or more", o.Delay),
		fault(o.Typical < 0, "Typical is %v: want 0 (unknown) or more", o.Typical),
		fault(o.Timeout > 0 && o.Delay >= o.Timeout, "Delay %v is not below Timeout %v: no hedge would ever be sent", o.Delay, o.Timeout),
		fault(o.Timeout > 0 && o.Typical >= o.Timeout, "Typical %v is not below Timeout %v: calls would usually be cut off", o.Typical, o.Timeout),
	)
}

func (o Options) checkHedging() error {
	hedging := o.MaxAttempts > 1
	return errors.Join(
		fault(hedging && o.Class == Never, "MaxAttempts is %d but Class never allows 1: set 1", o.MaxAttempts),
		fault(hedging && o.Budget == 0, "Budget is 0, so no hedge would ever be sent: raise it, or set MaxAttempts to 1"),
		fault(!hedging && o.Delay > 0, "Delay is %v but MaxAttempts 1 sends no hedges: set it to 0, or raise MaxAttempts", o.Delay),
		fault(hedging && (o.Primary == nil) != (o.Secondary == nil), "only one of Primary and Secondary is given: give both or neither"),
	)
}

func checkBases(bases []*url.URL) error {
	faults := make([]error, 0, len(bases))
	seen := make(map[string]bool, len(bases))
	for _, base := range bases {
		if base == nil {
			faults = append(faults, errors.New("a base URL is nil"))
			continue
		}
		absolute := (base.Scheme == "http" || base.Scheme == "https") && base.Host != ""
		faults = append(faults,
			fault(!absolute, "base URL %q: want http://host or https://host, a path after it if need be", base.Redacted()),
			fault(base.RawQuery != "" || base.Fragment != "", "base URL %q: want no query and no fragment", base.Redacted()),
			fault(seen[base.String()], "base URL %q is given twice: a hedge would go where its call already waits", base.Redacted()),
		)
		seen[base.String()] = true
	}
	return errors.Join(faults...)
}

func fault(wrong bool, format string, args ...any) error {
	if !wrong {
		return nil
	}
	return fmt.Errorf(format, args...)
}
