package accuracy

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// horner adds up n terms by Horner's rule, and counts them.
const horner = `func "horner"("x" f32 in [-2, 2], "n" i32 in [0, 20]) {
	v0 = param f32 "x"
	v1 = param i32 "n"
	v2 = const f32 0x1p+00 # 1
	v3 = const i32 0
	v4 = empty tuple
	v5 = append tuple v4 v0
	v6 = append tuple v5 v1
	v7 = append tuple v6 v2
	v8 = append tuple v7 v3
	v9 = loop tuple v8 {
		func "round"("x" f32, "n" i32, "y" f32, "i" i32) {
			v0 = param f32 "x"
			v1 = param i32 "n"
			v2 = param f32 "y"
			v3 = param i32 "i"
			v4 = lt bool v3 v1
			v5 = convert f32 v3
			v6 = const i32 1
			v7 = add i32 v3 v6
			STEP
			v11 = select f32 v4 v10 v2
			return v4 v0 v1 v11 v7
		}
	}
	v10 = proj f32 v9 2
	v11 = proj i32 v9 3
	return v10 v11
}
`

const asWritten = "v8 = const f32 0x1.0001p+00\n\t\t\tv9 = mul f32 v2 v0\n\t\t\tv10 = add f32 v9 v5"

func parse(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWhole(t *testing.T) {
	step := func(text string) *ir.Func { return parse(t, strings.Replace(horner, "STEP", text, 1)) }
	f := step(asWritten)
	for _, test := range []struct {
		name string
		g    *ir.Func
		ok   bool
	}{
		{"itself", f, true},
		{"contracted", step("v8 = const f32 0x1p+00\n\t\t\tv9 = neg f32 v8\n\t\t\tv10 = fma f32 v2 v0 v5"), true},
		{"a little off", step("v8 = const f32 0x1.0001p+00\n\t\t\tv9 = fma f32 v2 v0 v5\n\t\t\tv10 = mul f32 v9 v8"), false},
		{"another count", parse(t, strings.Replace(strings.Replace(horner, "STEP", asWritten, 1), "v7 = add i32 v3 v6", "v7 = sub i32 v3 v6", 1)), false},
		{"one round more", parse(t, strings.Replace(strings.Replace(horner, "STEP", asWritten, 1), "v4 = lt bool v3 v1", "v4 = le bool v3 v1", 1)), false},
		{"NaN", step("v8 = const f32 0x1p+00\n\t\t\tv9 = sub f32 v2 v2\n\t\t\tv10 = div f32 v9 v9"), false},
	} {
		err := Whole(f, test.g, Tolerance{})
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
		var v *Violation
		if err != nil && (!errors.As(err, &v) || len(v.Inputs) != 2) {
			t.Errorf("%s: %v is no violation", test.name, err)
		}
	}
	// Nothing is known of a loop that does not end.
	endless := parse(t, strings.Replace(strings.Replace(horner, "STEP", asWritten, 1), "v4 = lt bool v3 v1", "v4 = eq bool v1 v1", 1))
	if err := Whole(endless, endless, Tolerance{}); !errors.Is(err, ErrUnknown) {
		t.Errorf("of a loop without an end: %v", err)
	}
}

// The bound of a function as written holds: the truth is at most that far from what it computes.
func TestWithError(t *testing.T) {
	for name, text := range map[string]string{
		"horner": strings.Replace(horner, "STEP", asWritten, 1),
		"straight": `func "f"("x" f32 in [0.25, 4], "y" f64 in [-3, 3]) {
	v0 = param f32 "x"
	v1 = param f64 "y"
	v2 = exp f64 v1
	v3 = convert f32 v2
	v4 = mul f32 v3 v0
	v5 = log f32 v4
	v6 = sqrt f32 v0
	v7 = div f32 v5 v6
	v8 = tanh f32 v7
	v9 = pow f32 v0 v8
	v10 = expm1 f32 v9
	v11 = fma f32 v10 v9 v8
	v12 = neg f32 v6
	v13 = lt bool v8 v0
	v14 = select f32 v13 v11 v12
	v15 = max f32 v14 v12
	v16 = sub f32 v15 v4
	return v16 v9
}
`,
	} {
		f := parse(t, text)
		wide, err := interp.NewWide(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := interp.Compile(withError(f))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 8))
		positive, tight := 0, 0
		for range 2000 {
			var bits []uint64
			var in []float64
			for _, q := range f.Params {
				b := ir.ConstBits(q.Type, q.Fact.Lo+(q.Fact.Hi-q.Fact.Lo)*rng.Float64())
				bits, in = append(bits, b), append(in, ir.BitsFloat(q.Type, b))
			}
			out, truth := make([]uint64, 2*len(f.Results)), make([]interp.Value, len(f.Results))
			if err := p.Eval(bits, out); err != nil {
				t.Fatal(err)
			}
			wide.Eval(in, truth)
			for r := range truth {
				got, bound := ir.BitsFloat(f.Nodes[f.Results[r]].Type, out[r]), math.Float64frombits(out[r+len(truth)])
				d := distance(got, truth[r])
				if d > bound*(1+1e-5) {
					t.Fatalf("%s%v: result %d is off by %g, at most %g it says", name, in, r, d, bound)
				}
				if d > 0 {
					positive++
				}
				if d > bound/30 {
					tight++
				}
			}
		}
		if tight < positive/4 {
			t.Errorf("%s: %d of %d bounds are near the error", name, tight, positive)
		}
	}
}
