package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/ufunc"
)

// drawing is an e-graph laid out: a box for each class, in rows by the longest way to a leaf, and an arrow for each operand of a term.
type drawing struct {
	Width, Height int
	Boxes         []box
	Arrows        []arrow
}

type box struct {
	X, Y, W, H int
	Name, Fact string
	Value      int
	Root       bool
	Lines      []boxLine
}

type boxLine struct {
	Y    int
	Text string
}

// arrow is a path from a class to an operand.
type arrow struct {
	Path     string
	From, To int // values
}

// Sizes in pixels, of a monospaced font of 11 pixels.
const (
	charWidth, lineHeight = 6.7, 15
	boxPadding, boxHead   = 8, 16
	gapX, gapY            = 16, 34
	rowWidth              = 900
)

func drawClasses(classes []ufunc.ClassText) *drawing {
	level := make([]int, len(classes))
	for i, c := range classes {
		// The term by which the class was complete: its operands come before it. Others may close cycles.
		term := slices.IndexFunc(c.Nodes, func(n ufunc.NodeText) bool {
			return !slices.ContainsFunc(n.Args, func(a int) bool { return a >= i })
		})
		for _, a := range c.Nodes[max(term, 0)].Args {
			if a < i {
				level[i] = max(level[i], level[a]+1)
			}
		}
	}
	deepest := 0
	for _, l := range level {
		deepest = max(deepest, l)
	}
	d := &drawing{}
	at := make([]int, len(classes)) // class -> box
	y := gapY / 2
	for l := deepest; l >= 0; l-- {
		x, tallest := gapX, 0
		for i, c := range classes {
			if level[i] != l {
				continue
			}
			b := box{Name: c.Name, Fact: c.Fact, Value: c.Value, Root: c.Root}
			widest := len(c.Name) + 2
			if c.Root {
				widest = len(c.Name + " · result")
			}
			for j, n := range c.Nodes {
				b.Lines = append(b.Lines, boxLine{boxHead + lineHeight*(j+1) - 3, n.Text})
				widest = max(widest, len([]rune(n.Text)))
			}
			b.W, b.H = int(float64(widest)*charWidth)+2*boxPadding, boxHead+lineHeight*len(c.Nodes)+boxPadding
			if x > gapX && x+b.W > rowWidth {
				x, y, tallest = gapX, y+tallest+gapY/2, 0
			}
			b.X, b.Y = x, y
			x += b.W + gapX
			tallest = max(tallest, b.H)
			d.Width, d.Height = max(d.Width, x), max(d.Height, y+b.H+gapY/2)
			at[i] = len(d.Boxes)
			d.Boxes = append(d.Boxes, b)
		}
		y += tallest + gapY
	}
	for i, c := range classes {
		from := d.Boxes[at[i]]
		seen := map[int]bool{}
		for _, n := range c.Nodes {
			for _, a := range n.Args {
				if a == i || seen[a] {
					continue
				}
				seen[a] = true
				to := d.Boxes[at[a]]
				x1, y1 := from.X+from.W/2, from.Y+from.H
				x2, y2 := to.X+to.W/2, to.Y
				if y2 <= y1 { // up: into the bottom
					y1, y2 = from.Y, to.Y+to.H
				}
				bend := (y2 - y1) / 2
				d.Arrows = append(d.Arrows, arrow{fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, x1, y1+bend, x2, y2-bend, x2, y2), c.Value, to.Value})
			}
		}
	}
	return d
}

// plot is a chart over a line of numbers: curves with a logarithmic scale.
type plot struct {
	Width, Height  int
	Curves         []curve
	Ticks          []tick // below
	Grid           []tick // at the left
	Left, Top      int
	Right, Bottom  int
	XLabel, YLabel string
}

type curve struct{ Name, Class, Path string }

type tick struct {
	At   float64
	Text string
}

// errorPlot shows the error of a kernel and of the function as written over the domain, each binade with the same width.
func errorPlot(buckets []ufunc.ErrorBucket) *plot {
	p := &plot{Width: 560, Height: 260, Left: 48, Top: 26, Right: 530, Bottom: 212, XLabel: "input; equal widths hold equally many numbers", YLabel: "ulp"}
	most := 1.
	for _, b := range buckets {
		most = math.Max(most, math.Max(b.Kernel, b.Written))
	}
	const least = -2 // 0.01 ulp
	top := math.Max(1, math.Ceil(math.Log10(most)))
	y := func(e float64) float64 {
		l := math.Max(least, math.Log10(e))
		return float64(p.Bottom) - (l-least)/(top-least)*float64(p.Bottom-p.Top)
	}
	x := func(i int) float64 { return float64(p.Left) + float64(i)/float64(len(buckets))*float64(p.Right-p.Left) }
	for _, c := range []struct {
		name, class string
		of          func(ufunc.ErrorBucket) float64
	}{
		{"as written", "written", func(b ufunc.ErrorBucket) float64 { return b.Written }},
		{"kernel", "kernel", func(b ufunc.ErrorBucket) float64 { return b.Kernel }},
	} {
		var path strings.Builder
		for i, b := range buckets {
			command := "L"
			if i == 0 {
				command = "M"
			}
			fmt.Fprintf(&path, "%s%.1f %.1f L%.1f %.1f ", command, x(i), y(c.of(b)), x(i+1), y(c.of(b)))
		}
		p.Curves = append(p.Curves, curve{c.name, c.class, path.String()})
	}
	step := math.Max(1, math.Ceil((top-least)/7))
	for l := float64(least); l <= top; l += step {
		text := strconv.FormatFloat(math.Pow(10, l), 'g', 4, 64)
		p.Grid = append(p.Grid, tick{y(math.Pow(10, l)), text})
	}
	const ticks = 6
	for t := range ticks + 1 {
		i := t * len(buckets) / ticks
		v := buckets[min(i, len(buckets)-1)].Lo
		if i == len(buckets) {
			v = buckets[i-1].Hi
		}
		p.Ticks = append(p.Ticks, tick{x(i), strconv.FormatFloat(v, 'g', 3, 64)})
	}
	return p
}
