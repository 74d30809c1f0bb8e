package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/bench/day"
	"github.com/hedgehop/hedgehop/bench/stat"
)

// Day is the page of the day.
type Day struct {
	Conditions Conditions `json:"conditions"`
	Scenes     []DayScene `json:"scenes"`
	Curve      []DayPoint `json:"curve"`
}

// DayScene is one traffic under all steps.
type DayScene struct {
	Name    string      `json:"name"`
	Traffic day.Traffic `json:"traffic"`
	Steps   []DayRow    `json:"steps"`
}

// DayRow is one step. Latencies are in milliseconds, at p50, p95 and p99.
type DayRow struct {
	Step           string     `json:"step"`
	Searches       int        `json:"searches"`
	Whole          [3]float64 `json:"whole_ms"`
	Hits           [3]float64 `json:"hits_ms"`
	Misses         [3]float64 `json:"misses_ms"`
	HitShare       float64    `json:"hit_share"`
	CallsPerSearch float64    `json:"provider_calls_per_search"`
	Accuracy       float64    `json:"price_accuracy"`
	Complete       float64    `json:"complete_share"`
	Failed         int        `json:"failed"`
	Containers     int        `json:"containers_at_most"`
}

// DayPoint is before and product at one rate of searches.
type DayPoint struct {
	Rate   float64 `json:"searches_per_second"`
	Before DayRow  `json:"before"`
	After  DayRow  `json:"hedgehop"`
}

// Add adds a scene.
func (d *Day) Add(name string, t day.Traffic, results []day.Result) {
	scene := DayScene{Name: name, Traffic: t}
	for _, r := range results {
		scene.Steps = append(scene.Steps, rowOf(r))
	}
	d.Scenes = append(d.Scenes, scene)
}

// DayPointOf compares two results at a rate.
func DayPointOf(rate float64, before, after day.Result) DayPoint {
	return DayPoint{rate, rowOf(before), rowOf(after)}
}

func rowOf(r day.Result) DayRow {
	return DayRow{
		Step: r.Step.Name, Searches: len(r.Whole), Whole: tail(r.Whole), Hits: tail(r.Hits), Misses: tail(r.Misses),
		HitShare: float64(len(r.Hits)) / float64(max(1, len(r.Whole))), CallsPerSearch: r.CallsPerSearch,
		Accuracy: r.Accuracy, Complete: r.Complete, Failed: r.Failed, Containers: r.Containers,
	}
}

func tail(s stat.Sample) [3]float64 {
	var t [3]float64
	for i, q := range []float64{0.5, 0.95, 0.99} {
		t[i] = float64(s.Quantile(q)) / float64(time.Millisecond)
	}
	return t
}

// Markdown renders the page.
func (d *Day) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The day\n\n%s\n\n", d.Conditions)
	b.WriteString("Three providers take 2 to 3 s, one answer of ten 4 to 8 s. Fares are kept for three minutes; they change without notice\n" +
		"every 20 minutes on average, and announced changes withdraw them at once. A container is added where none has a free\n" +
		"place; it starts in 2.5 s, with \"warm start\" in 0.2 s. Hedging is that of providers that do not bill requests. All steps but\n" +
		"the last are a model of a few lines; the last is the product's own search service, cache and transport. From its soft\n" +
		"limit of 3 s on it answers without a provider that is still out, which \"complete\" shows; what comes later is remembered.\n")
	for _, s := range d.Scenes {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", s.Name, about(s.Traffic), s.table())
	}
	fmt.Fprintf(&b, "\n## Against searches per second\n\n%s", d.curve())
	return b.String()
}

func about(t day.Traffic) string {
	return fmt.Sprintf("%g searches a second for %v over %d routes and dates (Zipf, exponent %g), %.0f%% of them in bursts of %d; %g announced changes a second.",
		t.Rate, t.Span, t.Questions, t.Skew, 100*t.BurstShare, t.BurstSize, t.Events)
}

func (s DayScene) table() string {
	t := NewTable("p50 / p95 / p99", "all", "misses", "hits", "hit", "provider calls per search", "fares still right", "complete", "containers")
	for _, r := range s.Steps {
		name := r.Step
		if r.Failed > 0 {
			name += fmt.Sprintf(" (%d without any fare)", r.Failed)
		}
		t.Row(name, seconds(r.Whole), seconds(r.Misses), seconds(r.Hits), percent(r.HitShare), fmt.Sprintf("%.2f", r.CallsPerSearch),
			percent(r.Accuracy), percent(r.Complete), fmt.Sprint(r.Containers))
	}
	first, last := s.Steps[0], s.Steps[len(s.Steps)-1]
	return t.String() + fmt.Sprintf("\nFrom the first to the last: p95 %.1f times as short, %.0f%% of the provider calls.\n",
		first.Whole[1]/last.Whole[1], 100*last.CallsPerSearch/first.CallsPerSearch)
}

func (d *Day) curve() string {
	t := NewTable("searches per second", "before, p95", "hedgehop, p95", "before, calls per search", "hedgehop, calls per search", "hedgehop, hits")
	for _, p := range d.Curve {
		t.Row(fmt.Sprintf("%g", p.Rate), fmt.Sprintf("%.2f s", p.Before.Whole[1]/1e3), fmt.Sprintf("%.2f s", p.After.Whole[1]/1e3),
			fmt.Sprintf("%.2f", p.Before.CallsPerSearch), fmt.Sprintf("%.2f", p.After.CallsPerSearch), percent(p.After.HitShare))
	}
	return t.String()
}

// seconds shows a tail in seconds, a dash where there is none.
func seconds(t [3]float64) string {
	if t == [3]float64{} {
		return "–"
	}
	return fmt.Sprintf("%.2f / %.2f / %.2f s", t[0]/1e3, t[1]/1e3, t[2]/1e3)
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }
