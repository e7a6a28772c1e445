package native

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// randomFunc is a straight-line program over some types: every node takes any earlier values of the right types, so deep
// and wide programs, unused nodes and shared work all occur.
func randomFunc(r *rand.Rand, target Target, types []ir.Type) *ir.Func {
	return randomNest(r, target, types, maxDepth)
}

const maxDepth = 2 // of loops

// randomNest is randomFunc with loops nested as deep as given.
func randomNest(r *rand.Rand, target Target, types []ir.Type, depth int) *ir.Func {
	b := ir.NewBuilder("random")
	var pool [ir.NumTypes][]ir.Value
	add := func(v ir.Value) { pool[b.Type(v)] = append(pool[b.Type(v)], v) }
	pick := func(typ ir.Type) ir.Value {
		p := pool[typ]
		// The newest values are likelier, or programs would be shallow.
		return p[max(0, len(p)-1-int(r.ExpFloat64()*3))]
	}
	for i := range max(3, len(types)) {
		add(b.Param(fmt.Sprint("p", i), types[i%len(types)], ir.Unknown))
	}
	for _, typ := range types {
		if typ.Stored() {
			continue
		}
		add(b.Const(typ, r.NormFloat64()))
		add(b.Const(typ, float64(r.IntN(9)-4)))
		special := specials(typ)
		if bits := special[r.IntN(len(special))]; typ.IsInteger() {
			add(b.Int(typ, int64(bits)))
		} else {
			add(b.Const(typ, ir.BitsFloat(typ, bits)))
		}
	}
	var sign [ir.NumTypes]ir.Value
	for _, typ := range types {
		sign[typ] = pool[typ][0]
		if depth < maxDepth && typ.IsFloat() { // a parameter is a variable of the loop
			sign[typ] = b.Const(typ, -1)
		}
	}
	for range 5 + r.IntN(40) {
		op := ir.Op(1 + r.IntN(ir.NumOps-1))
		typ := types[r.IntN(len(types))]
		info := op.Info()
		if depth > 0 && typ.IsNumber() && r.IntN(10) == 0 {
			for _, v := range randomLoop(r, b, target, typ, depth, pick) {
				add(v)
			}
		}
		if op.Leaf() || !op.Takes(typ) || info.Function || op == ir.FMA && !target.FMA || op == ir.Select && len(pool[ir.Bool]) == 0 {
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
			case typ.IsInteger() && (op == ir.Div || op == ir.Rem) && i == 1: // zero is a fault
				args = append(args, b.Must(ir.Or, pick(typ), b.Int(typ, 1)))
			default:
				args = append(args, pick(typ))
			}
		}
		want := ir.Invalid
		if info.Shape == ir.ShapeConvert {
			want = types[r.IntN(len(types))]
		}
		v, err := b.Emit(op, want, args...)
		if err != nil && op == ir.Convert {
			continue // to bool, or from one stored type to another
		}
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
	inner := randomNest(r, target, []ir.Type{typ}, depth-1) // of three numbers
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
	var in, out []interp.Column
	for i, param := range f.Params {
		c := interp.MakeColumn(param.Type, n)
		for j, bits := range columns[i] {
			setBits(param.Type, c, j, bits)
		}
		in = append(in, c)
	}
	for _, v := range f.Results {
		out = append(out, interp.MakeColumn(f.Nodes[v].Type, n))
	}
	if err := p.Run(n, in, out); err != nil {
		t.Fatal(err)
	}
	results := make([][]uint64, len(out))
	for i, v := range f.Results {
		for j := range n {
			results[i] = append(results[i], getBits(f.Nodes[v].Type, out[i], j))
		}
	}
	return results
}

// setBits sets an element of a column.
func setBits(typ ir.Type, c interp.Column, j int, bits uint64) {
	switch {
	case typ == ir.Float32:
		c.F32[j] = math.Float32frombits(uint32(bits))
	case typ == ir.Float64:
		c.F64[j] = math.Float64frombits(bits)
	case typ == ir.Bool:
		c.Bool[j] = bits != 0
	case typ.IsSigned():
		reflect.ValueOf(c.Ints).Index(j).SetInt(ir.BitsInt(typ, bits))
	default:
		reflect.ValueOf(c.Ints).Index(j).SetUint(bits)
	}
}

// getBits is the inverse of setBits; every NaN is the quiet one.
func getBits(typ ir.Type, c interp.Column, j int) uint64 {
	switch {
	case typ == ir.Float32:
		return ir.ConstBits(typ, float64(c.F32[j]))
	case typ == ir.Float64:
		return ir.ConstBits(typ, c.F64[j])
	case typ == ir.Bool && c.Bool[j]:
		return 1
	case typ == ir.Bool:
		return 0
	case typ.IsSigned():
		return ir.IntBits(typ, reflect.ValueOf(c.Ints).Index(j).Int())
	}
	return reflect.ValueOf(c.Ints).Index(j).Uint()
}

// Kernels and the interpreter give the same bits, on the contiguous and on the strided path. The seed is a program and its inputs.
func FuzzInterpreter(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed)
	}
	list := runnable(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		for _, target := range list {
			r := rand.New(rand.NewPCG(seed, 13))
			againstInterpreter(t, randomFunc(r, target, typesOf(seed)), target, r)
		}
	})
}

// typesOf is what a seed's program computes with: both floats, one type, all but some.
func typesOf(seed uint64) (types []ir.Type) {
	switch seed % 6 {
	case 0:
		return []ir.Type{ir.Float32, ir.Float64}
	case 1, 2:
		return []ir.Type{ir.Float32 + ir.Type(seed%6-1)}
	case 3, 4:
		return []ir.Type{ir.Int8 + ir.Type(seed/6%8)}
	}
	for typ := ir.Bool; typ < ir.Tuple; typ++ {
		if seed>>typ&1 == 0 {
			types = append(types, typ)
		}
	}
	return append(types, ir.Float32)
}

func againstInterpreter(t *testing.T, f *ir.Func, target Target, r *rand.Rand) {
	t.Helper()
	var sets [ir.NumTypes][3][]uint64
	n := 1 << 20
	for typ := ir.Bool; typ < ir.Tuple; typ++ {
		sets[typ] = inputs(typ, 500, r)
		n = min(n, len(sets[typ][0]))
	}
	n = max(n, 700)
	for typ := ir.Bool; typ < ir.Tuple; typ++ {
		for c := range sets[typ] {
			for len(sets[typ][c]) < n {
				sets[typ][c] = append(sets[typ][c], sets[typ][c]...)
			}
		}
	}
	var columns [][]uint64
	var operands []view
	for i, p := range f.Params {
		columns = append(columns, sets[p.Type][i%3][:n])
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
