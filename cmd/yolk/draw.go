package main

import (
	"fmt"
	"html/template"
	"io"
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
	y := p.logAxis(least, top)
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

// plotTemplate writes a plot as a file of its own.
var plotTemplate = template.Must(template.New("plot").Parse(`<svg xmlns="http://www.w3.org/2000/svg" width="{{.Width}}" height="{{.Height}}" viewBox="0 0 {{.Width}} {{.Height}}" font-family="sans-serif" font-size="11" fill="#555">
<rect width="100%" height="100%" fill="#fff"/>
{{- $p := .}}
{{range .Grid}}<line x1="{{$p.Left}}" x2="{{$p.Right}}" y1="{{printf "%.1f" .At}}" y2="{{printf "%.1f" .At}}" stroke="#e4e1d8"/><text x="{{$p.Left}}" dx="-6" y="{{printf "%.1f" .At}}" dy="4" text-anchor="end">{{.Text}}</text>
{{end}}
{{- range .Ticks}}<text x="{{printf "%.1f" .At}}" y="{{$p.Bottom}}" dy="18" text-anchor="middle">{{.Text}}</text>
{{end}}
{{- range $i, $c := .Curves}}<path fill="none" stroke-width="1.6" stroke="{{if eq .Class "kernel"}}#2f6fb5{{else}}#c2566e{{end}}" d="{{.Path}}"/><text x="{{$p.Right}}" y="{{$p.Bottom}}" dy="38" dx="{{if $i}}0{{else}}-80{{end}}" text-anchor="end" fill="{{if eq .Class "kernel"}}#2f6fb5{{else}}#c2566e{{end}}">{{.Name}}</text>
{{end}}<text x="{{.Left}}" y="{{.Bottom}}" dy="38">{{.XLabel}}</text><text x="{{.Left}}" dx="-6" text-anchor="end" y="12">{{.YLabel}}</text>
</svg>
`))

// write writes the plot as SVG.
func (p *plot) write(name string) error {
	return writeFile(name, func(w io.Writer) error { return plotTemplate.Execute(w, p) })
}

// logAxis is the vertical axis: powers of ten from least to top.
func (p *plot) logAxis(least, top float64) (y func(float64) float64) {
	y = func(v float64) float64 {
		l := math.Max(least, math.Log10(v))
		return float64(p.Bottom) - (l-least)/(top-least)*float64(p.Bottom-p.Top)
	}
	step := math.Max(1, math.Ceil((top-least)/7))
	for l := least; l <= top; l += step {
		p.Grid = append(p.Grid, tick{y(math.Pow(10, l)), strconv.FormatFloat(math.Pow(10, l), 'g', 4, 64)})
	}
	return y
}

// timePlot shows the time per element at every size.
func timePlot(rows []benchRow) *plot {
	p := &plot{Width: 560, Height: 260, Left: 48, Top: 26, Right: 530, Bottom: 212, XLabel: "elements", YLabel: "ns each"}
	least, most := math.Inf(1), 0.
	for _, r := range rows {
		least, most = math.Min(least, math.Min(r.Plain, r.Kernel)), math.Max(most, math.Max(r.Plain, r.Kernel))
	}
	y := p.logAxis(math.Floor(math.Log10(least)), math.Max(math.Floor(math.Log10(least))+1, math.Ceil(math.Log10(most))))
	first, last := math.Log(float64(rows[0].Size)), math.Log(float64(rows[len(rows)-1].Size))
	x := func(size int) float64 {
		if last <= first {
			return float64(p.Left+p.Right) / 2
		}
		return float64(p.Left) + (math.Log(float64(size))-first)/(last-first)*float64(p.Right-p.Left)
	}
	var plain, kernel strings.Builder
	for i, r := range rows {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&plain, "%s%.1f %.1f ", command, x(r.Size), y(r.Plain))
		fmt.Fprintf(&kernel, "%s%.1f %.1f ", command, x(r.Size), y(r.Kernel))
		p.Ticks = append(p.Ticks, tick{x(r.Size), strconv.Itoa(r.Size)})
	}
	p.Curves = []curve{{"Go loop", "written", plain.String()}, {"kernel", "kernel", kernel.String()}}
	return p
}

// printErrors draws the error over the domain with characters: a column for equally many numbers, a row for a power of ten.
func printErrors(w io.Writer, buckets []ufunc.ErrorBucket) {
	const columns, least = 64, -2 // 0.01 ulp
	top := 1
	height := func(e float64) int {
		return max(least, int(math.Ceil(math.Log10(math.Max(e, 0x1p-40))-0.5)))
	}
	kernel, written := make([]int, columns), make([]int, columns)
	for c := range columns {
		kernel[c], written[c] = least, least
		for i := c * len(buckets) / columns; i < (c+1)*len(buckets)/columns; i++ {
			kernel[c], written[c] = max(kernel[c], height(buckets[i].Kernel)), max(written[c], height(buckets[i].Written))
		}
		top = max(top, kernel[c], written[c])
	}
	fmt.Fprintln(w, "\nerror over the domain in ulp, equally many numbers a column (# kernel, . as written):")
	for row := top; row >= least; row-- {
		line := []byte(strings.Repeat(" ", columns))
		for c := range columns {
			switch row {
			case kernel[c]:
				line[c] = '#'
			case written[c]:
				line[c] = '.'
			}
		}
		fmt.Fprintf(w, "%7.4g |%s\n", math.Pow(10, float64(row)), strings.TrimRight(string(line), " "))
	}
	lo, mid, hi := number(buckets[0].Lo), number(buckets[len(buckets)/2].Lo), number(buckets[len(buckets)-1].Hi)
	fmt.Fprintf(w, "        |%-*s%-*s%*s\n", columns/2, lo, columns/2-len(hi), mid, len(hi), hi)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
