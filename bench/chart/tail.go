package chart

import (
	"fmt"
	"image/color"
	"math"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/hedgehop/hedgehop/bench/contender"
	"github.com/hedgehop/hedgehop/bench/lab"
)

const (
	width  = 22 * vg.Centimeter
	height = 11 * vg.Centimeter
	// rarest is the share of searches at the lower edge of a tail chart: one in
	// three thousand, of which a run has seen a few.
	rarest = 1.0 / 3000
)

// palette gives each contender, in the order of [contender.All], one colour of
// Okabe and Ito's set, which colour-blind readers can tell apart.
func palette() []color.Color {
	return []color.Color{
		color.RGBA{0x88, 0x88, 0x88, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0xcc, 0x79, 0xa7, 0xff},
		color.RGBA{0x56, 0xb4, 0xe9, 0xff}, color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0x00, 0x00, 0x00, 0xff},
		color.RGBA{0xd5, 0x5e, 0x00, 0xff},
	}
}

// colorOf returns the contender's colour.
func colorOf(name string) color.Color {
	for i, c := range contender.All(0) {
		if c.Name == name {
			return palette()[i]
		}
	}
	return color.Black
}

// Tail draws for each contender the share of searches (vertical, logarithmic) that
// took longer than a latency (horizontal), to <name>.svg in a folder.
func Tail(folder, name, title string, r lab.WindowResult) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "latency (ms)", "share of searches that take longer"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1050, rarest, 1
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, shares{}
	p.Legend.Top = true
	p.Legend.XOffs = -12 // Points; else the lines touch the edge.
	p.Legend.TextStyle.Font.Size = font.Length(9)
	p.Add(plotter.NewGrid())
	for _, row := range r.Rows {
		line, err := plotter.NewLine(tailOf(row.Figures))
		if err != nil {
			return fmt.Errorf("chart %s: %s: %w", name, row.Contender, err)
		}
		line.Color, line.Width = colorOf(row.Contender), vg.Points(1.2)
		if row.Contender == contender.Product {
			line.Width = vg.Points(2.6)
		}
		p.Add(line)
		p.Legend.Add(row.Contender, line)
	}
	return p.Save(width, height, filepath.Join(folder, name+".svg"))
}

// tailOf samples the curve at shares evenly spread over the logarithm.
func tailOf(f lab.Figures) plotter.XYs {
	const points = 300
	var xys plotter.XYs
	for i := range points + 1 {
		share := math.Pow(rarest, float64(i)/points)
		ms := float64(f.All.Quantile(1-share)) / 1e6
		xys = append(xys, plotter.XY{X: ms, Y: share})
	}
	return xys
}

// shares marks the quantiles that people ask for.
type shares struct{}

// Ticks returns the marks.
func (shares) Ticks(_, _ float64) []plot.Tick {
	return []plot.Tick{
		{Value: 1, Label: "all"}, {Value: 0.5, Label: "50% (p50)"}, {Value: 0.1, Label: "10% (p90)"},
		{Value: 0.05, Label: "5% (p95)"}, {Value: 0.01, Label: "1% (p99)"}, {Value: 0.001, Label: "0.1% (p99.9)"},
	}
}
