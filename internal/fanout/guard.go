package fanout

import (
	"sync"
	"time"
)

const (
	// guardMemory is how many hedges the win rate is taken over.
	guardMemory = 32
	// losingStreak is how many of the latest hedges must all have lost to call it a
	// brown-out. Where hedging works, four in five win or more, and four losses in a
	// row come once in 600 hedges; with a burst of three tokens a longer streak
	// would notice a brown-out too late.
	losingStreak = 4
	// brownOutRefill is the part of the refill that remains in a brown-out: enough
	// to notice its end.
	brownOutRefill = 0.1
	// guardTerm is how long a verdict binds without fresh losses: about a window of
	// the estimate. With few calls in flight a tenth of the refill takes longer than
	// that to pay for the hedge that would refute it.
	guardTerm = 3 * time.Second
)

// guard notices when hedging does not help: everything is slow, copies included,
// and each copy makes it slower. It watches what became of the latest hedges.
//
// A hedge that is out for longer than its own delay counts as lost until it wins.
// Without that the first second of a one-second brown-out would be blind, and
// that is when the budget is spent.
type guard struct {
	mu     sync.Mutex
	hedges [guardMemory]hedgeRecord
	sent   int // Hedges so far; the latest stands at (sent-1) % guardMemory.
}

type hedgeRecord struct {
	due    time.Time // From then on it counts as lost.
	result hedgeResult
}

type hedgeResult int8

const (
	hedgeOut hedgeResult = iota
	hedgeWon
	hedgeLost
	hedgeVoid // Never sent, or its caller left before it could win.
)

// began notes a hedge and returns its ticket.
func (g *guard) began(now time.Time, delay time.Duration) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	ticket := g.sent
	g.sent++
	g.hedges[ticket%guardMemory] = hedgeRecord{due: now.Add(delay)}
	return ticket
}

// ended notes what became of a hedge, the first time that it is told.
func (g *guard) ended(ticket int, result hedgeResult) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if record := g.record(ticket); record != nil && record.result == hedgeOut {
		record.result = result
	}
}

// left notes that the hedge's caller has gone: lost if it was late already.
func (g *guard) left(ticket int, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	record := g.record(ticket)
	if record == nil || record.result != hedgeOut {
		return
	}
	record.result = hedgeVoid
	if !now.Before(record.due) {
		record.result = hedgeLost
	}
}

// record returns a hedge's record, nil if it is forgotten. The caller holds mu.
func (g *guard) record(ticket int) *hedgeRecord {
	if g.sent-ticket > guardMemory {
		return nil
	}
	return &g.hedges[ticket%guardMemory]
}

// brownOut reports whether the latest hedges have all lost.
func (g *guard) brownOut(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	lost := 0
	for record := range g.latest(now) {
		if record.result == hedgeWon || now.Sub(record.due) > guardTerm {
			return false
		}
		if lost++; lost == losingStreak {
			return true
		}
	}
	return false
}

// winRate returns the share of remembered hedges that won, and how many it is
// taken over.
func (g *guard) winRate(now time.Time) (rate float64, of int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	won := 0
	for record := range g.latest(now) {
		of++
		if record.result == hedgeWon {
			won++
		}
	}
	if of == 0 {
		return 0, 0
	}
	return float64(won) / float64(of), of
}

// latest yields the remembered hedges with a result, provisional ones included,
// latest first. The caller holds mu.
func (g *guard) latest(now time.Time) func(yield func(hedgeRecord) bool) {
	return func(yield func(hedgeRecord) bool) {
		for i := g.sent - 1; i >= max(0, g.sent-guardMemory); i-- {
			record := g.hedges[i%guardMemory]
			young := record.result == hedgeOut && now.Before(record.due)
			if young || record.result == hedgeVoid {
				continue
			}
			if !yield(record) {
				return
			}
		}
	}
}
