// Command day-lab plays a travel site's day in virtual time, from a service without
// any of the product's means to the product, and draws how waiting and provider
// calls depend on the traffic.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/hedgehop/hedgehop/bench/bubble"
	"github.com/hedgehop/hedgehop/bench/chart"
	"github.com/hedgehop/hedgehop/bench/day"
	"github.com/hedgehop/hedgehop/bench/report"
)

func main() {
	out := flag.String("out", "results", "folder for tables and JSON")
	charts := flag.String("charts", "", "folder for charts; empty: none")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "unknown argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	bubble.Main(func(enclose func(func())) error { return run(*out, *charts, enclose) })
}

// lab plays days.
type lab struct{ enclose func(func()) }

func (l lab) play(t day.Traffic, s day.Step) (r day.Result, err error) {
	l.enclose(func() { r, err = day.Play(t, s) })
	return r, err
}

func run(out, charts string, enclose func(func())) error {
	l := lab{enclose}
	page := report.Day{Conditions: report.ConditionsNow("Virtual time: waiting is exact, computing takes none.")}
	for _, scene := range []struct {
		name    string
		traffic day.Traffic
	}{{"The case's own traffic", day.Usual()}, {"Most searches hit", day.Busy()}} {
		results, err := l.steps(scene.traffic)
		if err != nil {
			return err
		}
		page.Add(scene.name, scene.traffic, results)
	}
	curve, err := l.curve()
	if err != nil {
		return err
	}
	page.Curve = curve
	text := page.Markdown()
	fmt.Print(text)
	if err := report.Save(out, "day", text, page); err != nil {
		return err
	}
	if charts == "" {
		return nil
	}
	return chart.Day(charts, curve)
}

func (l lab) steps(t day.Traffic) ([]day.Result, error) {
	var results []day.Result
	for _, step := range day.Steps() {
		r, err := l.play(t, step)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.Name, err)
		}
		results = append(results, r)
	}
	return results, nil
}

// curve plays before and the product at rising traffic.
func (l lab) curve() ([]report.DayPoint, error) {
	steps := day.Steps()
	var points []report.DayPoint
	for _, rate := range []float64{0.1, 0.3, 1, 3, 10, 30} {
		t := day.Usual()
		t.Rate, t.Span = rate, 20*time.Minute
		before, err := l.play(t, steps[0])
		if err != nil {
			return nil, err
		}
		after, err := l.play(t, steps[len(steps)-1])
		if err != nil {
			return nil, err
		}
		points = append(points, report.DayPointOf(rate, before, after))
	}
	return points, nil
}
