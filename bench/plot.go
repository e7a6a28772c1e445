//go:build linux

package main

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colours tell lengths apart: four of the palette of Okabe and Ito, safe for the colour-blind.
var colours = []color.Color{
	color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xcc, 0x79, 0xa7, 0xff},
}

// drawPlot draws a dot for each peer and length: its time over yolk's, on a logarithmic axis.
func drawPlot(path string, f *function, rows []row) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	names := peersOf(rows)
	slices.Reverse(names) // the fastest on top
	p := plot.New()
	p.Title.Text = f.name + ": time relative to yolk's"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.NominalY(names...)
	p.Add(plotter.NewGrid())
	line, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.5}, {X: 1, Y: float64(len(names)) - 0.5}})
	if err != nil {
		return err
	}
	p.Add(line)
	for i, n := range sizesOf(rows) {
		var dots plotter.XYs
		for y, name := range names {
			if r, ok := find(rows, name, n); ok {
				dots = append(dots, plotter.XY{X: r.Ratio, Y: float64(y)})
			}
		}
		s, err := plotter.NewScatter(dots)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: colours[i%len(colours)], Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
		p.Add(s)
		p.Legend.Add(fmt.Sprintf("%s elements", spaced(n)), s)
	}
	return p.Save(16*vg.Centimeter, vg.Length(len(names)+5)*0.55*vg.Centimeter, path)
}
