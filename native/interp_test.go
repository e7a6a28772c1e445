package native

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// randomFunc is a straight-line program over both types: every node takes any earlier values of the right types, so deep
// and wide programs, unused nodes and shared work all occur.
func randomFunc(r *rand.Rand, target Target, only ir.Type) *ir.Func {
	return randomNest(r, target, only, maxDepth)
}

const maxDepth = 2 // of loops

// randomNest is randomFunc with loops nested as deep as given.
func randomNest(r *rand.Rand, target Target, only ir.Type, depth int) *ir.Func {
	b := ir.NewBuilder("random")
	var pool [ir.Float64 + 1][]ir.Value
	add := func(v ir.Value) { pool[b.Type(v)] = append(pool[b.Type(v)], v) }
	pick := func(typ ir.Type) ir.Value {
		p := pool[typ]
		// The newest values are likelier, or programs would be shallow.
		return p[max(0, len(p)-1-int(r.ExpFloat64()*3))]
	}
	types := []ir.Type{ir.Float32, ir.Float64}
	if only != ir.Invalid {
		types = []ir.Type{only}
	}
	for i := range 3 {
		add(b.Param(fmt.Sprint("p", i), types[i%len(types)], ir.Unknown))
	}
	for _, typ := range types {
		add(b.Const(typ, r.NormFloat64()))
		add(b.Const(typ, float64(r.IntN(9)-4)))
		special := specials(typ)
		add(b.Const(typ, ir.BitsFloat(typ, special[r.IntN(len(special))])))
	}
	sign := [ir.Float64 + 1]ir.Value{}
	for _, typ := range types {
		sign[typ] = pool[typ][0]
		if depth < maxDepth { // a parameter is a variable of the loop
			sign[typ] = b.Const(typ, -1)
		}
	}
	for range 5 + r.IntN(40) {
		op := ir.Op(1 + r.IntN(ir.NumOps-1))
		typ := types[r.IntN(len(types))]
		info := op.Info()
		if depth > 0 && r.IntN(10) == 0 {
			for _, v := range randomLoop(r, b, target, typ, depth, pick) {
				add(v)
			}
		}
		if op.Leaf() || info.Function || info.Shape == ir.ShapeLoop || op == ir.FMA && !target.FMA || op == ir.Select && len(pool[ir.Bool]) == 0 {
			continue
		}
		if op == ir.Lookup {
			v, err := b.Lookup(randomTable(r, typ), pick(typ))
			if err != nil {
				panic(err)
			}
			add(v)
			continue
		}
		var args []ir.Value
		for i := range info.Arity {
			switch {
			case info.Shape == ir.ShapeSelect && i == 0:
				args = append(args, pick(ir.Bool))
			case op == ir.Copysign && i == 1:
				args = append(args, sign[typ]) // a leaf: the sign of a computed NaN is as open as its payload
			default:
				args = append(args, pick(typ))
			}
		}
		want := ir.Invalid
		if info.Shape == ir.ShapeConvert {
			want = types[r.IntN(len(types))]
		}
		v, err := b.Emit(op, want, args...)
		if err != nil {
			panic(err)
		}
		add(v)
	}
	for range 1 + r.IntN(3) {
		b.Return(pick(types[r.IntN(len(types))]))
	}
	return b.Func()
}

// randomLoop adds a loop that ends after a number of rounds which depends on the data, and returns its variables.
func randomLoop(r *rand.Rand, b *ir.Builder, target Target, typ ir.Type, depth int, pick func(ir.Type) ir.Value) []ir.Value {
	inner := randomNest(r, target, typ, depth-1) // of three numbers
	body := ir.NewBuilder("body")
	count, limit := body.Param("count", typ, ir.Unknown), body.Param("limit", typ, ir.Unknown)
	var vars []ir.Value
	for i := range 3 {
		vars = append(vars, body.Param(fmt.Sprint("v", i), typ, ir.Unknown))
	}
	next := body.Must(ir.Add, count, body.Const(typ, 1))
	body.Return(body.Must(ir.Lt, next, limit))
	body.Return(next)
	body.Return(limit)
	results := body.Inline(inner, vars...)
	for i, v := range vars {
		if i < len(results) && r.IntN(4) > 0 {
			v = results[i]
		} else if r.IntN(3) == 0 {
			v = vars[r.IntN(3)]
		}
		body.Return(v)
	}
	most := b.Const(typ, float64(r.IntN(9)))
	args := []ir.Value{b.Const(typ, 0), b.Must(ir.Min, b.Must(ir.Abs, pick(typ)), most), pick(typ), pick(typ), pick(typ)}
	last, err := b.Loop(body.Func(), args...)
	if err != nil {
		panic(err)
	}
	return last
}

// interpret runs f over contiguous operands with the interpreter.
func interpret(t *testing.T, f *ir.Func, n int, columns [][]uint64) [][]uint64 {
	t.Helper()
	p, err := interp.Compile(f)
	if err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	empty := func(typ ir.Type) interp.Column {
		if typ == ir.Float32 {
			return interp.Column{F32: make([]float32, n)}
		}
		return interp.Column{F64: make([]float64, n)}
	}
	var in, out []interp.Column
	for i, param := range f.Params {
		c := empty(param.Type)
		for j, bits := range columns[i] {
			if param.Type == ir.Float32 {
				c.F32[j] = float32(ir.BitsFloat(param.Type, bits))
			} else {
				c.F64[j] = ir.BitsFloat(param.Type, bits)
			}
		}
		in = append(in, c)
	}
	for _, v := range f.Results {
		out = append(out, empty(f.Nodes[v].Type))
	}
	if err := p.Run(n, in, out); err != nil {
		t.Fatal(err)
	}
	results := make([][]uint64, len(out))
	for i, v := range f.Results {
		typ := f.Nodes[v].Type
		for j := range n {
			if typ == ir.Float32 {
				results[i] = append(results[i], ir.ConstBits(typ, float64(out[i].F32[j])))
			} else {
				results[i] = append(results[i], ir.ConstBits(typ, out[i].F64[j]))
			}
		}
	}
	return results
}

// Kernels and the interpreter give the same bits, on the contiguous and on the strided path. The seed is a program and its inputs.
func FuzzInterpreter(f *testing.F) {
	for seed := range uint64(9) {
		f.Add(seed)
	}
	list := runnable(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		for _, target := range list {
			only := []ir.Type{ir.Invalid, ir.Float32, ir.Float64}[seed%3]
			r := rand.New(rand.NewPCG(seed, 13))
			againstInterpreter(t, randomFunc(r, target, only), target, r)
		}
	})
}

func againstInterpreter(t *testing.T, f *ir.Func, target Target, r *rand.Rand) {
	t.Helper()
	sets := [ir.Float64 + 1][3][]uint64{
		ir.Float32: inputs(ir.Float32, 500, r), ir.Float64: inputs(ir.Float64, 500, r),
	}
	n := min(len(sets[ir.Float32][0]), len(sets[ir.Float64][0]))
	var columns [][]uint64
	var operands []view
	for i, p := range f.Params {
		columns = append(columns, sets[p.Type][i][:n])
		operands = append(operands, column(p.Type, columns[i]))
	}
	want := interpret(t, f, n, columns)
	k := build(t, f, 1, target)
	for _, stride := range []int{1, 2} {
		outputs := operands[:len(f.Params):len(f.Params)]
		for _, v := range f.Results {
			o := column(f.Nodes[v].Type, make([]uint64, n*stride))
			o.stride[0] *= stride
			outputs = append(outputs, o)
		}
		call(t, k, []int{n}, outputs...)
		for i, v := range f.Results {
			typ, o := f.Nodes[v].Type, outputs[len(f.Params)+i]
			for j := range n {
				got := load(typ, o.data, j*o.stride[0])
				if same(typ, got, want[i][j]) {
					continue
				}
				var point []string
				for c, p := range f.Params {
					point = append(point, fmt.Sprintf("%v (%#x)", ir.BitsFloat(p.Type, columns[c][j]), columns[c][j]))
				}
				t.Fatalf("%s, stride %d: result %d at %v is %v (%#x), the interpreter says %v (%#x)\n%v", target.Name, stride, i, point,
					ir.BitsFloat(typ, got), got, ir.BitsFloat(typ, want[i][j]), want[i][j], f)
			}
		}
	}
}
