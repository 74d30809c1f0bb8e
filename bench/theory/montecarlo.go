package theory

import (
	"math/rand/v2"
	"time"

	"github.com/hedgehop/hedgehop/bench/law"
	"github.com/hedgehop/hedgehop/bench/stat"
)

// MonteCarlo plays the policy call by call, without the closed form's algebra, and
// returns the latencies and the extra requests per call. It is the check on
// [Policy.Survival] and [Policy.Extra].
func (p Policy) MonteCarlo(l law.Law, calls int, r *rand.Rand) (stat.Sample, float64) {
	latencies := make([]time.Duration, calls)
	extra := 0
	for i := range latencies {
		took, sent := p.play(l, r)
		latencies[i] = took
		extra += sent
	}
	return stat.SampleOf(latencies), float64(extra) / float64(calls)
}

// play is one call.
func (p Policy) play(l law.Law, r *rand.Rand) (took time.Duration, extra int) {
	took = l.Draw(r)
	for _, next := range p {
		if took <= next.At || r.Float64() >= next.Share {
			break
		}
		extra++
		took = min(took, next.At+l.Draw(r))
	}
	return took, extra
}
