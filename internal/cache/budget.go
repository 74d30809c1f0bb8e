package cache

import (
	"context"
	_ "embed" // The script.
	"errors"
	"fmt"
	"time"
)

//go:embed scripts/spend.lua
var spendSource string

// subWindows of a period are counted apart. More would forget sooner what was
// spent, and cost more fields.
const subWindows = 10

// minPeriod keeps a sub-window at whole milliseconds.
const minPeriod = subWindows * time.Millisecond

// Limit is a number of units in a period, say 100 in a minute. It holds in
// every period whatever, not only in those that begin on the minute.
type Limit struct {
	Count int
	Per   time.Duration
}

// Budget is what all instances together may spend under one name.
type Budget struct {
	// Name of the budget, say "duffel:search".
	Name string
	// Limits that hold at once; their periods differ and are whole
	// milliseconds, ten at least.
	Limits []Limit
	// Keep is the share of every limit, 0 to 1, that this spender leaves to
	// those who matter more. 0 may spend all of it.
	Keep float64
}

// Verdict says whether an amount was taken from a budget.
type Verdict struct {
	OK bool
	// RetryAfter is when the same amount may succeed if nobody else spends;
	// at least a millisecond when not OK.
	RetryAfter time.Duration
}

// Spend takes n from every limit of b at once, or from none. An error means that
// the budget could not be asked; the caller must then hold itself to its own
// share. Safe for concurrent use, exact among all instances.
func (c *Cache) Spend(ctx context.Context, b Budget, n int) (Verdict, error) {
	limits, err := b.reduced(n)
	if err != nil {
		return Verdict{}, err
	}
	return c.store.spend(ctx, c.keys.rate(b.Name), n, limits)
}

// reduced returns the limits less what is kept, after checking all of it.
func (b Budget) reduced(n int) ([]Limit, error) {
	var faults []error
	if b.Name == "" || len(b.Limits) == 0 {
		faults = append(faults, errors.New("want a name and a limit"))
	}
	if b.Keep < 0 || b.Keep > 1 {
		faults = append(faults, fmt.Errorf("keep %v: want 0 to 1", b.Keep))
	}
	limits := make([]Limit, 0, len(b.Limits))
	periods := map[time.Duration]bool{}
	for _, l := range b.Limits {
		if l.Per < minPeriod || l.Per%minPeriod != 0 || periods[l.Per] {
			faults = append(faults, fmt.Errorf("period %v: want distinct multiples of %v", l.Per, minPeriod))
		}
		periods[l.Per] = true
		limits = append(limits, Limit{Count: l.Count - int(float64(l.Count)*b.Keep), Per: l.Per})
		if n < 1 || n > l.Count {
			faults = append(faults, fmt.Errorf("amount %d: want 1 to %d", n, l.Count))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("cache: budget %q: %w", b.Name, err)
	}
	return limits, nil
}

func (s *redisStore) spend(ctx context.Context, key string, n int, limits []Limit) (Verdict, error) {
	args := []any{n}
	for _, l := range limits {
		args = append(args, (l.Per / subWindows).Milliseconds(), l.Count)
	}
	var reply []int64
	err := s.single(ctx, key, s.limits.lookup, func(ctx context.Context) (err error) {
		reply, err = s.spendScript.Run(ctx, s.client, []string{key}, args...).Int64Slice()
		return err
	})
	if err != nil {
		return Verdict{}, err
	}
	if len(reply) != 2 {
		return Verdict{}, errors.New("cache: the spend script answered something else")
	}
	return Verdict{OK: reply[0] == 1, RetryAfter: time.Duration(reply[1]) * time.Millisecond}, nil
}

// spending is the twin's budget: spend.lua in Go.
type spending struct {
	spent map[subWindow]int
}

// subWindow is the index-th stretch of width since the epoch.
type subWindow struct {
	width time.Duration
	index int64
}

// ends is when the sub-window is no longer counted.
func (w subWindow) ends() time.Time {
	return time.UnixMilli((w.index + subWindows + 1) * w.width.Milliseconds())
}

func (s *spending) spend(now time.Time, n int, limits []Limit) Verdict {
	for window := range s.spent {
		if !window.ends().After(now) {
			delete(s.spent, window)
		}
	}
	var wait time.Duration
	for _, l := range limits {
		wait = max(wait, s.wait(now, n, l))
	}
	if wait > 0 {
		return Verdict{RetryAfter: wait}
	}
	if s.spent == nil {
		s.spent = map[subWindow]int{}
	}
	for _, l := range limits {
		s.spent[current(now, l)] += n
	}
	return Verdict{OK: true}
}

func current(now time.Time, l Limit) subWindow {
	width := l.Per / subWindows
	return subWindow{width, now.UnixMilli() / width.Milliseconds()}
}

// wait is how long until n more are within l, 0 when they are.
func (s *spending) wait(now time.Time, n int, l Limit) time.Duration {
	last := current(now, l)
	over := n - l.Count
	for i := last.index - subWindows; i <= last.index; i++ {
		over += s.spent[subWindow{last.width, i}]
	}
	var wait time.Duration
	for i := last.index - subWindows; i <= last.index && over > 0; i++ {
		window := subWindow{last.width, i}
		over -= s.spent[window]
		wait = window.ends().Sub(now)
	}
	if over > 0 { // More than the limit leaves to this spender, at any time.
		wait = l.Per + last.width
	}
	return wait
}
