package ufunc

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Explanation is what a page about a kernel shows beside its [Report]: the programs on the way, the e-graph, the error over the domain. What is the same
// value in several places has the same number there: equal over the reals, or but for roundings and approximations, at some points of the domain.
type Explanation struct {
	Programs []ProgramText
	Classes  []ClassText   // of the saturated e-graph, operands first; empty if it is large
	Errors   []ErrorBucket // of kernels of one floating-point input, along the domain; see [Kernel.Errors]
}

// ProgramText is the program as a stage leaves it.
type ProgramText struct {
	Stage, Title string
	Lines        []LineText
}

// LineText is a line of a program: one value.
type LineText struct {
	Text  string
	Value int // its number; 0: none is known
}

// ClassText is a class of the e-graph: terms that are equal over the reals.
type ClassText struct {
	Name  string
	Value int
	Root  bool // a result of the function
	Fact  string
	Nodes []NodeText
}

// NodeText is a term. Args are indices of classes.
type NodeText struct {
	Text string
	Args []int
}

// maxClasses is how large an e-graph may be to be drawn.
const maxClasses = 80

// Explain makes the explanation.
func (k *Kernel) Explain(ctx context.Context) (*Explanation, error) {
	e, err := k.get(ctx)
	if err != nil {
		return nil, err
	}
	run, err := e.run()
	if err != nil {
		return nil, err
	}
	x := new(Explanation)
	same := newValues(k.input.Params)
	for _, s := range run.Steps() {
		p := ProgramText{Stage: s.Stage, Title: s.Title}
		if s.Stage == "" {
			p.Stage = "frontend"
		}
		numbers := same.number(s.Func)
		for i, line := range bodyLines(s.Func) {
			p.Lines = append(p.Lines, LineText{line, numbers[i]})
		}
		x.Programs = append(x.Programs, p)
	}
	x.Classes = classTexts(run, same)
	if len(k.sig.Types) == 2 && run.Contract != nil {
		if x.Errors, err = k.Errors(ctx, 200); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// bodyLines are the lines of the nodes in a function's text.
func bodyLines(f *ir.Func) []string {
	var lines []string
	for line := range strings.Lines(f.String()) {
		line = strings.TrimRight(line, "\n")
		if name, _, ok := strings.Cut(line, " = "); ok && strings.HasPrefix(name, "\tv") && len(lines) < len(f.Nodes) && name[2:] == fmt.Sprint(len(lines)) {
			lines = append(lines, decimal(line[1:]))
		}
	}
	for len(lines) < len(f.Nodes) {
		lines = append(lines, "")
	}
	return lines
}

// decimal shows a constant by its decimal alone.
func decimal(line string) string {
	front, number, ok := strings.Cut(line, " # ")
	if !ok {
		return line
	}
	return front[:strings.LastIndexByte(front, ' ')+1] + number
}

// values tells values apart, across programs, by what they are at some points.
type values struct {
	points [][]float64 // [point][parameter]
	known  [][]float64 // [number-1][point]
}

// valuePoints is enough for different values of one kernel to differ somewhere.
const valuePoints = 24

func newValues(params []ir.Parameter) *values {
	v := &values{}
	for i := range valuePoints {
		var at []float64
		for j, p := range params {
			lo, hi := -4., 4.
			if p.Fact.Finite() {
				lo, hi = p.Fact.Lo, p.Fact.Hi
			} else if p.Fact.Lo > lo {
				lo, hi = p.Fact.Lo, p.Fact.Lo+8
			} else if p.Fact.Hi < hi {
				lo, hi = p.Fact.Hi-8, p.Fact.Hi
			}
			// Additive recurrences of different slopes: no two parameters are proportional.
			_, u := math.Modf(0.5 + float64(i+1)*math.Sqrt(float64(5+3*j)))
			x := lo + (hi-lo)*u
			if p.Type == Float32 {
				x = float64(float32(x))
			}
			at = append(at, x)
		}
		v.points = append(v.points, at)
	}
	return v
}

// number returns the number of every node of f.
func (v *values) number(f *ir.Func) []int {
	numbers := make([]int, len(f.Nodes))
	every := *f
	every.Results = nil
	var nodes []int
	for i, n := range f.Nodes {
		if n.Type.IsFloat() {
			every.Results = append(every.Results, ir.Value(i))
			nodes = append(nodes, i)
		}
	}
	columns := v.evaluate(&every)
	if columns == nil {
		return numbers
	}
	for i, node := range nodes {
		numbers[node] = v.numberOf(columns[i])
	}
	return numbers
}

// evaluate returns the results at the points, [result][point], as the program computes them: rounding may be meant. It is nil if they cannot be had.
func (v *values) evaluate(f *ir.Func) [][]float64 {
	f = f.Rounded()
	program, err := interp.Compile(f)
	if err != nil {
		return nil
	}
	columns := make([][]float64, len(f.Results))
	in, out := make([]uint64, len(f.Params)), make([]uint64, len(f.Results))
	for _, at := range v.points {
		for i, p := range f.Params {
			in[i] = ir.ConstBits(p.Type, at[i])
		}
		program.Eval(in, out)
		for i, r := range f.Results {
			columns[i] = append(columns[i], ir.BitsFloat(f.Nodes[r].Type, out[i]))
		}
	}
	return columns
}

// numberOf returns the number of a value, a new one if it is new.
func (v *values) numberOf(column []float64) int {
	if slices.IndexFunc(column, func(x float64) bool { return x == x }) < 0 {
		return 0
	}
	i := slices.IndexFunc(v.known, func(known []float64) bool { return alike(known, column) })
	if i < 0 {
		v.known = append(v.known, column)
		i = len(v.known) - 1
	}
	return i + 1
}

// alike reports whether two values are the same but for an approximation.
func alike(a, b []float64) bool {
	var scale float64
	for _, x := range a {
		if ax := math.Abs(x); ax < math.Inf(1) {
			scale = math.Max(scale, ax)
		}
	}
	for i, x := range a {
		y := b[i]
		if x == y || x != x && y != y {
			continue
		}
		if !(math.Abs(x-y) <= 1e-5*math.Abs(x)+1e-6*scale) {
			return false
		}
	}
	return true
}

// classTexts draws the e-graph of a run up if it is small and has no loops.
func classTexts(run *compiler.Run, same *values) []ClassText {
	g := run.Graph
	if g == nil || g.NumClasses() > maxClasses { // a function of more than floats has one for each of its parts
		return nil
	}
	b := ir.NewBuilder("classes")
	for _, p := range run.Input.Params {
		b.Param(p.Name, p.Type, p.Fact)
	}
	index := map[egraph.ClassID]int{} // in the order in which classes are complete
	var order []egraph.ClassID
	var nodes []ir.Value // of one term of each
	for again := true; again; {
		again = false
		for c := range g.Classes() {
			if _, done := index[c]; done {
				continue
			}
			for _, n := range g.Class(c) {
				v, ok := term(run, b, n, index, nodes)
				if !ok {
					continue
				}
				index[c] = len(order)
				order, nodes, again = append(order, c), append(nodes, v), true
				break
			}
		}
	}
	if len(order) < g.NumClasses() {
		return nil
	}
	f := b.Func()
	for _, v := range nodes {
		b.Return(v)
	}
	numbers := same.number(f)
	roots := map[egraph.ClassID]bool{}
	for _, r := range run.Roots {
		roots[g.Find(r)] = true
	}
	texts := make([]ClassText, len(order))
	for i, c := range order {
		texts[i] = ClassText{Name: fmt.Sprintf("c%d", i), Value: numbers[nodes[i]], Root: roots[c]}
		if fact := g.Fact(c); fact != ir.Unknown {
			texts[i].Fact = fact.String()
		}
		for _, n := range g.Class(c) {
			t := NodeText{}
			for _, a := range n.Operands() {
				t.Args = append(t.Args, index[g.Find(a)])
			}
			t.Text = nodeText(run, n, t.Args)
			texts[i].Nodes = append(texts[i].Nodes, t)
		}
	}
	return texts
}

// term builds a node of the e-graph whose operands' classes are complete.
func term(run *compiler.Run, b *ir.Builder, n egraph.Node, index map[egraph.ClassID]int, nodes []ir.Value) (ir.Value, bool) {
	g := run.Graph
	var args []ir.Value
	for _, a := range n.Operands() {
		i, ok := index[g.Find(a)]
		if !ok {
			return 0, false
		}
		args = append(args, nodes[i])
	}
	switch {
	case n.Op == ir.Param:
		return ir.Value(n.Imm), true
	case n.Op == ir.Const:
		return b.Const(n.Type, ir.BitsFloat(n.Type, g.Value(n).Bits)), true
	case n.Op == ir.Real:
		return b.Real(n.Type, g.Value(n).Real), true
	case n.Op.Call():
		v, err := b.Call(g.Def(n), args...)
		return v, err == nil
	case n.Op == ir.Lookup:
		v, err := b.Lookup(g.Table(n), args[0])
		return v, err == nil
	}
	v, err := b.Emit(n.Op, n.Type, args...)
	return v, err == nil
}

func nodeText(run *compiler.Run, n egraph.Node, args []int) string {
	g := run.Graph
	name := n.Op.String()
	switch {
	case n.Op == ir.Param:
		return run.Input.Params[n.Imm].Name
	case n.Op == ir.Const:
		return fmt.Sprintf("%.6g", ir.BitsFloat(n.Type, g.Value(n).Bits))
	case n.Op == ir.Real:
		x, _ := g.Value(n).Real.Float64()
		return fmt.Sprintf("%.6g", x)
	case n.Op.Call():
		name = g.Def(n).Name
	}
	if symbol := n.Op.Info().Symbol; symbol != "" && len(args) == 2 {
		return fmt.Sprintf("c%d %s c%d", args[0], symbol, args[1])
	}
	var names []string
	for _, a := range args {
		names = append(names, fmt.Sprintf("c%d", a))
	}
	return name + "(" + strings.Join(names, ", ") + ")"
}

// ErrorBucket is a part of a kernel's domain with the largest errors that were seen there, in ulps at the true value, of the kernel and
// of the function as written. Errors without a bound are 1e30.
type ErrorBucket struct{ Lo, Hi, Kernel, Written float64 }

// bucketPoints is how many inputs of a bucket are tried.
const bucketPoints = 24

// Errors measures a kernel of one floating-point input on n parts of its domain with equally many numbers of the type each, which means that
// binades have equal width. Results other than the first are not measured. The error wraps [ErrSweep] for other kernels.
func (k *Kernel) Errors(ctx context.Context, n int) ([]ErrorBucket, error) {
	e, err := k.get(ctx)
	if err != nil {
		return nil, err
	}
	p := k.input.Params[0]
	run, err := e.run()
	if err != nil {
		return nil, err
	}
	if k.sig.Inputs != 1 || n < 1 || run.Contract == nil {
		return nil, fmt.Errorf("ufunc: %s: %w", k.name, ErrSweep)
	}
	line := numberLine{p.Type == Float64}
	first, last := line.at(math.Max(p.Fact.Lo, -line.max())), line.at(math.Min(p.Fact.Hi, line.max()))
	var column []float64
	buckets := make([]ErrorBucket, n)
	bound := func(i int) int64 { return between(first, last, float64(i)/float64(n)) }
	for i := range buckets {
		lo, hi := bound(i), bound(i+1)
		buckets[i] = ErrorBucket{Lo: line.value(lo), Hi: line.value(hi)}
		for j := range int64(bucketPoints) {
			column = append(column, line.value(between(lo, hi, (float64(j)+0.5)/bucketPoints)))
		}
	}
	var in any = column
	if p.Type == Float32 {
		narrow := make([]float32, len(column))
		for i, x := range column {
			narrow[i] = float32(x)
		}
		in = narrow
	}
	points, got, err := k.runOn(e, []any{in})
	if err != nil {
		return nil, fmt.Errorf("ufunc: %s: %w", k.name, err)
	}
	kernel, written, err := run.Contract.ULPs(accuracy.Points(points), got[:1])
	if err != nil {
		return nil, err
	}
	for i := range buckets {
		for j := range bucketPoints {
			at := i*bucketPoints + j
			buckets[i].Kernel = math.Max(buckets[i].Kernel, math.Min(kernel[0][at], 1e30))
			buckets[i].Written = math.Max(buckets[i].Written, math.Min(written[0][at], 1e30))
		}
	}
	return buckets, nil
}

// between is the number that is a part of the way from a to b, whose distance may be beyond an int64.
func between(a, b int64, part float64) int64 {
	switch part {
	case 0:
		return a
	case 1:
		return b
	}
	return int64(float64(a)*(1-part) + float64(b)*part)
}

// numberLine counts the numbers of a type from zero, up and down.
type numberLine struct{ wide bool }

func (l numberLine) max() float64 {
	if l.wide {
		return math.MaxFloat64
	}
	return math.MaxFloat32
}

func (l numberLine) at(x float64) int64 {
	var bits int64
	if l.wide {
		bits = int64(math.Float64bits(math.Abs(x)))
	} else {
		bits = int64(math.Float32bits(float32(math.Abs(x))))
	}
	if x < 0 {
		return -bits
	}
	return bits
}

func (l numberLine) value(i int64) float64 {
	size := i
	if i < 0 {
		size = -i
	}
	x := float64(math.Float32frombits(uint32(size)))
	if l.wide {
		x = math.Float64frombits(uint64(size))
	}
	if i < 0 {
		return -x
	}
	return x
}
