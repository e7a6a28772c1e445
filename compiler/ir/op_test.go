package ir

import (
	"strings"
	"testing"
)

// Every operation has a complete row, and its name finds it again.
func TestTableIsComplete(t *testing.T) {
	arity := map[Shape][]int{
		ShapeLeaf: {0}, ShapeFloat: {1, 2, 3}, ShapeNumber: {1, 2}, ShapeInteger: {1, 2}, ShapeBits: {1, 2}, ShapeCompare: {2}, ShapeSelect: {3}, ShapeConvert: {1}, ShapeLoop: {0, 1, 2},
	}
	seen := map[string]Op{}
	for op := Op(1); op < NumOps; op++ {
		info := op.Info()
		if info.Name == "" || info.Name != strings.ToLower(info.Name) || strings.ContainsAny(info.Name, ". \t\"=") {
			t.Errorf("op %d has the name %q", op, info.Name)
		}
		if other, ok := seen[info.Name]; ok {
			t.Errorf("%q names op %d and op %d", info.Name, other, op)
		}
		seen[info.Name] = op
		fits := false
		for _, n := range arity[info.Shape] {
			fits = fits || info.Arity == n
		}
		if !fits || info.Arity > len(Node{}.Args) {
			t.Errorf("%v has shape %d and %d operands", op, info.Shape, info.Arity)
		}
		if info.Commutative && info.Arity < 2 {
			t.Errorf("%v is commutative with %d operands", op, info.Arity)
		}
		if info.Function && info.Shape != ShapeFloat {
			t.Errorf("%v is a function of shape %d", op, info.Shape)
		}
		if op.Leaf() != (info.Shape == ShapeLeaf) {
			t.Errorf("%v: Leaf is %v", op, op.Leaf())
		}
		if got, err := ParseOp(info.Name); got != op || err != nil {
			t.Errorf("ParseOp(%q) = %v, %v", info.Name, got, err)
		}
	}
	for _, op := range []Op{OpInvalid, NumOps, 255} {
		if got := op.String(); !strings.HasPrefix(got, "op(") || op.Info() != (Info{}) {
			t.Errorf("op %d is %q", op, got)
		}
		if _, err := op.ResultType(Float32); err == nil {
			t.Errorf("op %d has a result type", op)
		}
	}
	if _, err := ParseOp(""); err == nil {
		t.Error("the empty name is an operation")
	}
}

func TestResultType(t *testing.T) {
	for _, c := range []struct {
		op   Op
		want Type
		args []Type
		typ  Type
		err  string
	}{
		{Add, Invalid, []Type{Float32, Float32}, Float32, ""},
		{Add, Float64, []Type{Float64, Float64}, Float64, ""},
		{Add, Float64, []Type{Float32, Float32}, Invalid, "ir: add of f32 makes f32, not f64"},
		{Add, Invalid, []Type{Float32, Float64}, Invalid, "the types differ"},
		{Add, Invalid, []Type{Bool, Bool}, Invalid, "number operands, not bool"},
		{Add, Invalid, []Type{Float32}, Invalid, "takes 2 operands, not 1"},
		{Lt, Invalid, []Type{Float64, Float64}, Bool, ""},
		{Lt, Float64, []Type{Float64, Float64}, Invalid, "makes bool, not f64"},
		{Select, Invalid, []Type{Bool, Float32, Float32}, Float32, ""},
		{Select, Invalid, []Type{Float32, Float32, Float32}, Invalid, "needs a bool condition, not f32"},
		{Select, Invalid, []Type{Bool, Float32, Float64}, Invalid, "the types differ"},
		{Convert, Float64, []Type{Float32}, Float64, ""},
		{Convert, Float32, []Type{Float32}, Float32, ""},
		{Convert, Invalid, []Type{Float32}, Invalid, "cannot make a value of type invalid"},
		{Convert, Bool, []Type{Float32}, Invalid, "cannot make a value of type bool"},
		{Const, Float32, nil, Float32, ""},
		{Param, Bool, nil, Bool, ""},
		{Param, Tuple, nil, Invalid, "cannot make a value of type tuple"},
		{Const, Float16, nil, Invalid, "cannot make a value of type f16"},
		{Rem, Invalid, []Type{Float32, Float32}, Invalid, "rem needs integer operands, not f32"},
		{Add, Invalid, []Type{Uint8, Uint8}, Uint8, ""},
		{Add, Invalid, []Type{Uint8, Int8}, Invalid, "the types differ"},
		{Exp, Invalid, []Type{Int32}, Invalid, "exp needs floating-point operands, not i32"},
		{And, Invalid, []Type{Bool, Bool}, Bool, ""},
		{And, Invalid, []Type{Float32, Float32}, Invalid, "integer or bool operands, not f32"},
		{Convert, Float16, []Type{Float32}, Float16, ""},
		{Convert, Float16, []Type{Float64}, Invalid, "cannot make a value of type f16 of f64"},
		{Convert, BFloat16, []Type{Float16}, Invalid, "cannot make a value of type bf16 of f16"},
		{Real, Invalid, nil, Invalid, "cannot make a value of type invalid"},
	} {
		got, err := c.op.ResultType(c.want, c.args...)
		if got != c.typ || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v.ResultType(%v, %v) = %v, %v; want %v, %q", c.op, c.want, c.args, got, err, c.typ, c.err)
		}
	}
}

func TestTypes(t *testing.T) {
	for typ, size := range map[Type]int{Bool: 1, Float32: 4, Float64: 8} {
		if got, err := ParseType(typ.String()); got != typ || err != nil || typ.Size() != size {
			t.Errorf("%v: parsed as %v, %v; size %d", typ, got, err, typ.Size())
		}
	}
	for _, s := range []string{"", "invalid", "type(9)"} {
		if _, err := ParseType(s); err == nil {
			t.Errorf("%q is a type", s)
		}
	}
}

func TestLicences(t *testing.T) {
	all := Licence(0)
	for i, name := range licenceNames {
		l, err := ParseLicence(name)
		if err != nil || l != 1<<i || l.String() != name {
			t.Errorf("%q: %v, %v", name, l, err)
		}
		all |= l
	}
	if got := all.String(); got != strings.Join(licenceNames[:], " ") {
		t.Errorf("all licences: %q", got)
	}
	if _, err := ParseLicence("fast"); err == nil {
		t.Error("fast is a licence")
	}
	if !DefaultLicences.Has(Reassoc|Contract) || DefaultLicences.Has(Reassoc|NoNaN) || !Licence(0).Has(0) {
		t.Error("Has is not inclusion")
	}
}

func TestCost(t *testing.T) {
	for _, c := range []struct{ a, b, want Cost }{
		{1, 2, 3}, {InfiniteCost, 0, InfiniteCost}, {InfiniteCost, InfiniteCost, InfiniteCost},
		{InfiniteCost - 1, 1, InfiniteCost}, {InfiniteCost - 1, 5, InfiniteCost},
	} {
		if got := c.a.Plus(c.b); got != c.want {
			t.Errorf("%d + %d = %d, want %d", c.a, c.b, got, c.want)
		}
	}
	table := Uniform(7).Set(Tanh, 9)
	if table[Add][Float32] != 7 || table[Tanh][Float64] != 9 || table[Tanh][Bool] != 9 {
		t.Error("the table does not hold what was set")
	}
}
