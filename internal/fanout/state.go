package fanout

import "time"

// State is what a transport is doing, for metrics and tests. Counts are since its
// making.
type State struct {
	Name     string
	Delay    time.Duration // When a call of the unnamed kind is hedged; 0: not yet known, or never.
	Survival float64       // The share of attempts still out at Delay, S(Delay).
	Share    float64       // The probability of a hedge at Delay, q(Delay).
	Budget   float64       // Tokens at hand.
	WinRate  float64       // Of the last 32 hedges, those out for longer than Delay counted as lost.
	BrownOut bool          // The guard has cut the budget's refill.
	Paused   bool          // The provider asked for time.
	Breaker  string        // "closed", "half-open" or "open".

	InFlight    int64            // Calls now waiting for an answer.
	Attempts    map[string]int64 // By outcome: answered, refused, broken, timed_out, lost, abandoned, circuit_open, rate_limited.
	Sent        int64            // Hedges sent.
	Won         int64            // Hedges that gave the answer.
	Failovers   int64            // Attempts sent because another one failed.
	Denied      map[string]int64 // Hedges and failovers not sent, by reason: share, budget, pause, circuit, limit.
	Connections int64            // Opened by attempts.
}

// State returns the present state. The counts of free and metered calls are added
// up; what belongs to one class is that of the transport's own.
func (t *Transport) State() State { return t.StateOf("") }

// StateOf is State with Delay, Survival and Share of a kind of call (see
// [WithKind]); of the unnamed kind, where that one has not been seen.
func (t *Transport) StateOf(kind string) State {
	now := time.Now()
	p := t.policies[t.ownPolicy()]
	s := State{
		Name:        t.options.Name,
		Budget:      p.bucket.level(),
		BrownOut:    p.guard.brownOut(now),
		Paused:      t.pushback.paused(now),
		Breaker:     t.breaker.state(),
		InFlight:    t.inFlight.Load(),
		Attempts:    make(map[string]int64, outcomeKinds),
		Denied:      make(map[string]int64, denials),
		Connections: t.connected.Load(),
	}
	s.WinRate, _ = p.guard.winRate(now)
	s.plan(t.knownEstimator(kind).plan(t.ownPolicy()))
	s.count(t)
	return s
}

func (t *Transport) ownPolicy() int {
	if t.options.Class == Metered {
		return meteredPolicy
	}
	return freePolicy
}

// knownEstimator does not make a kind known by asking for it.
func (t *Transport) knownEstimator(kind string) *estimator {
	if e, ok := t.kinds.Load(kind); ok {
		return e.(*estimator)
	}
	return t.estimatorOf("")
}

func (s *State) plan(p *plan) {
	if p.armed {
		s.Delay, s.Survival, s.Share = p.delay, p.survival, p.share
	}
}

func (s *State) count(t *Transport) {
	for o := range outcomeKinds {
		s.Attempts[o.String()] = t.outcomes[o].Load()
	}
	for _, p := range t.policies {
		s.Sent += p.sent.Load()
		s.Won += p.won.Load()
		s.Failovers += p.failovers.Load()
		for reason := notDenied + 1; reason < denials; reason++ {
			s.Denied[reason.String()] += p.denied[reason].Load()
		}
	}
}
