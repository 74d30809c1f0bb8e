package chart

import (
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/lab"
	"github.com/hedgehop/hedgehop/bench/theory"
)

// delayOf draws the delay that the product chose over the time of a run, and as
// steps the constant that an oracle would choose in each window's phase.
func delayOf(folder, name, title string, r lab.Result) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "time (s)", "delay (ms)"
	p.Y.Min, p.Y.Max = 0, 160
	p.Legend.Top = true
	p.Legend.XOffs = -12 // Points; else the lines touch the edge.
	p.Add(plotter.NewGrid())
	var chosen plotter.XYs
	for _, d := range r.Delays {
		chosen = append(chosen, plotter.XY{X: d.At.Seconds(), Y: d.Delay.Seconds() * 1e3})
	}
	if err := addLine(p, "chosen by hedgehop, every 100 ms", chosen, contender.Product, 2.2); err != nil {
		return fmt.Errorf("chart %s: %w", name, err)
	}
	if err := addLine(p, "best constant for the law of the moment", oracleOf(r), "oracle", 1); err != nil {
		return fmt.Errorf("chart %s: %w", name, err)
	}
	return p.Save(width, height*2/3, filepath.Join(folder, name+".svg"))
}

func addLine(p *plot.Plot, label string, xys plotter.XYs, contender string, points float64) error {
	line, err := plotter.NewLine(xys)
	if err != nil {
		return err
	}
	line.Color, line.Width = colorOf(contender), vg.Points(points)
	p.Add(line)
	p.Legend.Add(label, line)
	return nil
}

// oracleOf is a step for each window: from the end of the one before to its own.
func oracleOf(r lab.Result) plotter.XYs {
	var xys plotter.XYs
	from := 0.0
	for _, w := range r.Windows {
		best := theory.BestConstant(w.Window.Law, lab.Allowance).Seconds() * 1e3
		xys = append(xys, plotter.XY{X: from, Y: best}, plotter.XY{X: w.Window.To.Seconds(), Y: best})
		from = w.Window.To.Seconds()
	}
	return xys
}
