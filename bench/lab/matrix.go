package lab

import (
	"slices"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
)

// Matrix returns every workload.
func Matrix() []Workload {
	return slices.Concat(steady(), cold(), fanOuts(), changing(), otherLaws())
}

// Core returns the workloads of the quick run.
func Core() []Workload {
	return slices.DeleteFunc(Matrix(), func(w Workload) bool { return !w.Core })
}

func steady() []Workload {
	return []Workload{
		{Name: "closed-50", About: "one provider of the long-tail law, 50 in flight", Core: true, Law: law.LongTail(), InFlight: 50, Warm: 300},
		{Name: "closed-5", About: "the same at 5 in flight, as on Cloud Run", Core: true, Law: law.LongTail(), InFlight: 5, Warm: 300},
	}
}

func cold() []Workload {
	return []Workload{
		{Name: "first-60", About: "the first 60 calls of a cold instance, 5 in flight", Core: true, Law: law.LongTail(), InFlight: 5, Searches: 60},
		{Name: "burst-cold", About: "1,000 calls at once, nothing learnt yet", Law: law.LongTail(), InFlight: 1000, Searches: 1000},
		{Name: "burst-warm", About: "1,000 calls at once after 300 others", Law: law.LongTail(), InFlight: 1000, Searches: 1000, Warm: 300},
	}
}

func fanOuts() []Workload {
	return []Workload{
		{Name: "fanout-3", About: "searches that wait for three such providers, 50 in flight", Core: true, Law: law.LongTail(), Providers: 3, InFlight: 50, Warm: 300},
		{Name: "fanout-3-at-5", About: "the same at 5 in flight", Law: law.LongTail(), Providers: 3, InFlight: 5, Warm: 300},
		{Name: "fanout-10", About: "searches that wait for ten, 10 in flight", Law: law.LongTail(), Providers: 10, InFlight: 10, Warm: 100},
		{
			Name: "fanout-100", About: "one hundred servers that take a second once in a hundred: 63% of searches do, says The Tail at Scale",
			Law: law.OneInHundred(), PerProvider: 100, InFlight: 4, Warm: 20, Over: 999 * time.Millisecond,
		},
	}
}

const (
	brownOut    = 4 * time.Second
	driftPhase  = 10 * time.Second
	driftSettle = 5 * time.Second
)

func changing() []Workload {
	return []Workload{
		brownOutAt("brownout-50", 50), brownOutAt("brownout-5", 5),
		drift("drift", 50),
		{
			Name: "slow-replica", About: "three replicas, one of which takes 1 s for everything, 50 in flight",
			Law: law.LongTail(), Slow: law.Constant(time.Second), InFlight: 50, Warm: 300, NoLimit: true,
		},
	}
}

// brownOutAt is a provider whose every answer takes one second for four.
func brownOutAt(name string, inFlight int) Workload {
	const begins = 2 * time.Second
	slow := law.Constant(time.Second)
	return Workload{
		Name: name, About: "every answer takes 1 s for 4 s; requests per call of those seconds",
		Law: law.LongTail(), Schedule: law.Between(law.LongTail(), slow, begins, begins+brownOut),
		InFlight: inFlight, Warm: 300, Span: begins + brownOut + 4*time.Second, NoLimit: true,
		Windows: []Window{
			{Name: "brown-out", From: begins, To: begins + brownOut},
			{Name: "2 s later", From: begins + brownOut + 2*time.Second, To: time.Hour, Law: law.LongTail()},
		},
	}
}

// drift moves the fast mode from around 30 ms to around 90 and back. Each phase is
// measured after its first five seconds.
func drift(name string, inFlight int) Workload {
	w := Workload{
		Name: name, About: "the fast mode moves from 30 to 90 ms and back; each phase after its first 5 s",
		Law: law.LongTail(), Schedule: law.Between(law.LongTail(), law.Drifted(), driftPhase, 2*driftPhase),
		InFlight: inFlight, Warm: 300, Span: 3 * driftPhase,
	}
	for i, phase := range []Window{{Name: "30 ms", Law: law.LongTail()}, {Name: "90 ms", Law: law.Drifted()}, {Name: "30 ms again", Law: law.LongTail()}} {
		phase.From = time.Duration(i)*driftPhase + driftSettle
		phase.To = time.Duration(i+1) * driftPhase
		w.Windows = append(w.Windows, phase)
	}
	return w
}

func otherLaws() []Workload {
	return []Workload{
		{Name: "lognormal", About: "lognormal latency, median 30 ms, σ = 1, 50 in flight", Law: law.LogNormal{Median: 30 * time.Millisecond, Sigma: 1}, InFlight: 50, Warm: 300},
		{
			Name: "pareto", About: "Pareto latency from 20 ms, α = 1.5, at most 5 s, 50 in flight",
			Law: law.Pareto{Least: 20 * time.Millisecond, Most: 5 * time.Second, Alpha: 1.5}, InFlight: 50, Warm: 300,
		},
	}
}
