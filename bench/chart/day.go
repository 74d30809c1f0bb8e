package chart

import (
	"errors"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/report"
)

// Day draws p95 and provider calls against searches per second, before and with the
// product, into a folder that it makes.
func Day(folder string, points []report.DayPoint) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return errors.Join(
		dayCurve(folder, "day-p95", "p95 of a search (s)", points, func(r report.DayRow) float64 { return r.Whole[1] / 1e3 }),
		dayCurve(folder, "day-calls", "provider calls per search", points, func(r report.DayRow) float64 { return r.CallsPerSearch }),
	)
}

func dayCurve(folder, name, label string, points []report.DayPoint, of func(report.DayRow) float64) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "searches per second", label
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Y.Min = 0
	p.Legend.Top = true
	p.Legend.XOffs = -12 // Points; else the lines touch the edge.
	p.Add(plotter.NewGrid())
	var before, after plotter.XYs
	for _, point := range points {
		before = append(before, plotter.XY{X: point.Rate, Y: of(point.Before)})
		after = append(after, plotter.XY{X: point.Rate, Y: of(point.After)})
	}
	err := errors.Join(
		addLine(p, "before: one after the other, no cache", before, "no hedging", 1.5),
		addLine(p, "hedgehop", after, contender.Product, 2.5),
	)
	if err != nil {
		return err
	}
	return p.Save(width, height*2/3, filepath.Join(folder, name+".svg"))
}
