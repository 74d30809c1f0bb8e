package fanout

import (
	"testing"
	"time"
)

func TestGuard(t *testing.T) {
	start := time.Unix(0, 0)
	const delay = 50 * ms
	send := func(g *guard, results ...hedgeResult) {
		for _, result := range results {
			g.ended(g.began(start, delay), result)
		}
	}
	for _, test := range []struct {
		name    string
		results []hedgeResult
		at      time.Duration
		want    bool
	}{
		{"nothing yet", nil, time.Second, false},
		{"too few", []hedgeResult{hedgeLost, hedgeLost, hedgeLost}, 0, false},
		{"a streak", []hedgeResult{hedgeWon, hedgeLost, hedgeLost, hedgeLost, hedgeLost}, 0, true},
		{"a win ends it", []hedgeResult{hedgeLost, hedgeLost, hedgeLost, hedgeLost, hedgeWon}, 0, false},
		{"out and young", []hedgeResult{hedgeOut, hedgeOut, hedgeOut, hedgeOut}, delay - 1, false},
		{"out for longer than its delay", []hedgeResult{hedgeOut, hedgeOut, hedgeOut, hedgeOut}, delay, true},
		{"the young do not hide the lost", []hedgeResult{hedgeLost, hedgeLost, hedgeLost, hedgeLost, hedgeOut}, 0, true},
		{"never sent is no loss", []hedgeResult{hedgeVoid, hedgeLost, hedgeLost, hedgeLost, hedgeVoid}, time.Second, false},
		{"long ago", []hedgeResult{hedgeLost, hedgeLost, hedgeLost, hedgeLost}, delay + guardTerm + 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var g guard
			send(&g, test.results...)
			if got := g.brownOut(start.Add(test.at)); got != test.want {
				t.Errorf("brown-out %v, want %v", got, test.want)
			}
		})
	}
}

func TestProvisionalLossMayStillWin(t *testing.T) {
	var g guard
	now := time.Unix(0, 0)
	ticket := 0
	for range losingStreak {
		ticket = g.began(now, ms)
	}
	now = now.Add(ms)
	if !g.brownOut(now) {
		t.Fatal("no brown-out")
	}
	g.ended(ticket, hedgeWon)
	g.ended(ticket, hedgeLost) // The race cuts off all but the winner, told second.
	if g.brownOut(now) {
		t.Error("a win did not end it")
	}
	if rate, of := g.winRate(now); rate != 1.0/losingStreak || of != losingStreak {
		t.Errorf("win rate %v of %d", rate, of)
	}
}

func TestForgottenHedgesChangeNothing(t *testing.T) {
	var g guard
	now := time.Unix(0, 0)
	old := g.began(now, ms)
	for range guardMemory {
		g.ended(g.began(now, ms), hedgeLost)
	}
	g.ended(old, hedgeWon)
	g.left(old, now)
	if rate, of := g.winRate(now); rate != 0 || of != guardMemory {
		t.Errorf("win rate %v of %d", rate, of)
	}
}

func TestCallerWhoLeftEarlySaysNothing(t *testing.T) {
	var g guard
	now := time.Unix(0, 0)
	for range losingStreak {
		g.left(g.began(now, 50*ms), now.Add(49*ms))
	}
	if _, of := g.winRate(now.Add(time.Second)); of != 0 {
		t.Errorf("%d hedges judged", of)
	}
	for range losingStreak {
		g.left(g.began(now, 50*ms), now.Add(50*ms))
	}
	if !g.brownOut(now.Add(50 * ms)) {
		t.Error("late hedges are no losses")
	}
}
