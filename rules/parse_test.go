package rules

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/google/go-cmp/cmp"
)

// comparable patterns: guards are functions, big numbers have private parts.
var equalLaws = cmp.Options{
	cmp.Comparer(func(a, b *big.Float) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }),
	cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }),
	cmp.Comparer(func(a, b *ir.Def) bool { return a == b }),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Guard" || p.Last().String() == ".Pos" }, cmp.Ignore()),
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown function", "a: sine(x) => x", "f.rules:1:4: unknown function sine"},
		{"arity", "a: exp(x, y) => x", "f.rules:1:4: exp of 2 arguments, want 1"},
		{"unbound variable", "a: exp(x) => y", "f.rules:1:14: y is not bound on the left side"},
		{"unbound variable, continued", "# one\n\na: exp(x)\n   => x +\n   y", "f.rules:5:4: y is not bound"},
		{"unbound in reverse", "a: x - x + y = y + 0", "f.rules:1:16: an identity (=) is used from right to left too, but x is not bound"},
		{"reverse is no operation", "a: exp(x) = x", "f.rules:1:13: an identity (=)"},
		{"pin in an identity", "a: x + y = pin(y + x)", "f.rules:1:12: a pin in an identity"},
		{"pin on the left", "a: pin(x + y) => x", "f.rules:1:4: pin belongs to the right side"},
		{"pin of a variable", "a: exp(x) => pin(x)", "f.rules:1:14: pin of a variable"},
		{"left side is a variable", "a: x => x*1", "f.rules:1:4: the left side must be an operation"},
		{"left side is a constant", "a: 1 => 2", "f.rules:1:4: the left side must be an operation"},
		{"same sides", "a: x >= y => y <= x", "f.rules:1:11: both sides are the same"},
		{"duplicate name", "a: -(-x) => x\na: x*1 => x", "f.rules:2:1: the name a is taken by the law at f.rules:1"},
		{"duplicate law", "a: a*b + c => fma(a, b, c)\nb: x*y + a => fma(x, y, a)", "f.rules:2:1: b says the same as the law at f.rules:1"},
		{"duplicate law reversed", "a: a*b = b*a*a\nb: c*a*a => a*c", ""},
		{"duplicate identity reversed", "a: a + b = b + a*1\nb: d + c*1 = c + d", "f.rules:2:1: b says the same"},
		{"duplicate guard", "a: x/x => 1 where x > 1\nb: y/y => 1 where y > 1", "f.rules:2:1: b says the same"},
		{"different guard", "a: x/x => 1 where x > 1\nb: y/y => 1 where y > 2", ""},
		{"no domain", "a: exp(x) ~> x within 1 ulp", "f.rules:1:11: an approximation needs its domain"},
		{"two domains", "a: exp(x) ~> x on x < 1 everywhere within 1 ulp", "f.rules:1:11: an approximation needs its domain"},
		{"no bound", "a: exp(x) ~> x everywhere", "f.rules:1:11: an approximation needs its error bound"},
		{"bad bound", "a: exp(x) ~> x everywhere within 0 ulp", "f.rules:1:27: want \"within\", a positive number"},
		{"bad unit", "a: exp(x) ~> x everywhere within 1 ulps", "f.rules:1:27: want \"within\""},
		{"bound of an identity", "a: exp(x) => x within 1 ulp", "f.rules:1:16: within belongs to an approximation"},
		{"domain of an identity", "a: exp(x) => x on x < 1", "f.rules:1:16: on belongs to an approximation"},
		{"guard on an unbound variable", "a: exp(x) => x where n < 3", "f.rules:1:22: n is not a variable of the left side"},
		{"unknown condition", "a: exp(x) => x where prime(x)", "f.rules:1:22: unknown condition prime"},
		{"guard is no condition", "a: exp(x) => x where x", "f.rules:1:22: a condition is a comparison"},
		{"guard with arithmetic", "a: exp(x) => x where x + 1 < 2", "f.rules:1:22: a condition compares numbers"},
		{"empty guard", "a: exp(x) => x where ! reassoc", "f.rules:1:21: an expression is missing"},
		{"unknown licence", "a: exp(x) => x ! fast", "f.rules:1:18: unknown licence \"fast\""},
		{"licence twice", "a: exp(x) => x ! nsz nsz", "f.rules:1:22: the licence nsz twice"},
		{"no licence", "a: exp(x) => x !", "f.rules:1:16: no licence after !"},
		{"bool operand", "a: x + (x < 1) => x", "f.rules:1:8: add needs a float here, not a bool"},
		{"bool result", "a: exp(x) => x < 1", "f.rules:1:14: the right side is a bool, the left side a float"},
		{"float condition", "a: exp(x) => select(x, x, x)", "f.rules:1:21: select needs a bool here, not a float"},
		{"constant condition", "a: exp(x) => select(1, x, x)", "f.rules:1:21: select needs a bool here, not a float"},
		{"comparison of comparisons", "a: (x < 1) == (y < 1) => x < y", "f.rules:1:4: eq needs a float here, not a bool"},
		{"choice of comparisons", "a: select(c, x < y, y < x) => x < y", "f.rules:1:14: select needs a float here, not a bool"},
		{"sum of a condition", "a: (x < 1) + y => y", "f.rules:1:4: add needs a float here, not a bool"},
		{"condition as a number", "a: select(c, c, x) => x", "f.rules:1:14: select needs a float here, not a bool"},
		{"mixed types", "a: exp(x) => x + float64(x) for float32", "f.rules:1:18: add needs a float32 here, not a float64"},
		{"conversion without a type", "a: float32(x) => x", "f.rules:1:4: the left side is a float32: say \"for float32\""},
		{"bad type", "a: exp(x) => x for int", "f.rules:1:16: want \"for float32\" or \"for float64\""},
		{"clause twice", "a: exp(x) => x where x < 1 where x < 2", "f.rules:1:28: a second clause \"where\""},
		{"clause before the arrow", "a: exp(x) where x < 1 => x", "f.rules:1:11: where before the sign"},
		{"text after everywhere", "a: exp(x) ~> x everywhere x within 1 ulp", "f.rules:1:27: nothing may follow the word everywhere"},
		{"with without a name", "a: exp(x) => x with 1", "f.rules:1:20: want name = expression"},
		{"with of a function", "a: exp(x) => exp with exp = x", "f.rules:1:23: exp has a meaning already"},
		{"with of a variable", "a: exp(x) => x with x = 1", "f.rules:1:8: x is a name of the with clause"},
		{"with used early", "a: exp(x) => t with t = u; u = x", "f.rules:1:25: u is used before it is defined"},
		{"with of itself", "a: exp(x) => t with t = t", "f.rules:1:25: t is used before it is defined"},
		{"with twice", "a: exp(x) => t with t = x; t = x", "f.rules:1:28: t is defined twice"},
		{"with unused", "a: exp(x) => x with t = x", "f.rules:1:21: t is defined but not used"},
		{"no name", "exp(x) => x", "f.rules:1:1: a law begins with its name"},
		{"bad name", "Exp: exp(x) => x", "f.rules:1:1: a name is made of lower-case letters"},
		{"no arrow", "a: exp(x)", "f.rules:1:10: no sign =, => or ~>"},
		{"missing side", "a: exp(x) =>", "f.rules:1:13: an expression is missing"},
		{"broken side", "a: exp(x) => x + ", "f.rules:1:17: expected operand"},
		{"orphan", "  x => y", "f.rules:1:1: an indented line, but no law above it"},
		{"operator", "a: x % y => x", "f.rules:1:6: the operator % is not known here"},
		{"string", "a: exp(x) => \"x\"", "f.rules:1:14: \"x\" is not a real number"},
		{"octal", "a: exp(x) => 010", "f.rules:1:14: 010: a number may not begin with 0"},
		{"underflow", "a: exp(x) => 1e-9999999999", "f.rules:1:14: 1e-9999999999 is"},
		{"overflow", "a: exp(x) => -0x1p5000", "f.rules:1:15: 0x1p5000 is out of range"},
		{"Go comment", "a: exp(x) => x // why", "f.rules:1:16: a comment begins with #"},
		{"Go keyword", "a: exp(x) => func(){}()", "f.rules:1:14: func has no meaning here"},
		{"masked select", "a: exp(x) => _elect(x < 1, x, x)", "f.rules:1:14: _elect: names are made of"},
		{"long name", "a: exp(xy) => xy", "f.rules:1:8: unknown name xy"},
		{"lookup", "a: exp(x) => x*lookup(x + 0x1.8p23, 1, 2, 0.5, inf) for float32", ""},
		{"lookup of leading bits", "a: exp(x) => lookup(x >> 19, 1, 2, 0.5, -0.25) for float32", ""},
		{"lookup of nothing", "a: exp(x) => lookup() for float32", "f.rules:1:14: lookup of nothing"},
		{"lookup without a type", "a: exp(x) => lookup(x, 1, 2)", "f.rules:1:21: which bits choose depends on the type"},
		{"lookup of a condition", "a: exp(x) => lookup(x < 1, 1, 2) for float32", "f.rules:1:21: lookup needs a float32 here, not a bool"},
		{"lookup of three", "a: exp(x) => lookup(x, 1, 2, 3) for float32", "f.rules:1:14: a table has 3 entries"},
		{"lookup of a variable", "a: exp(x) => lookup(x, 1, x) for float32", "f.rules:1:27: entry 1 of the table is not a number"},
		{"lookup of nan", "a: exp(x) => lookup(x, nan, 1) for float32", "f.rules:1:24: entry 0 of the table is not a number"},
		{"lookup of a tenth", "a: exp(x) => lookup(x, 1, 0.1) for float64", "f.rules:1:27: entry 1 of the table is no float64"},
		{"lookup of a double", "a: exp(x) => lookup(x, 1, 0x1.000000001p0) for float32", "f.rules:1:14: entry 1 of a table"},
		{"lookup of too many bits", "a: exp(x) => lookup(x >> 32, 1, 2) for float32", "f.rules:1:14: a table is chosen by the bits from 32 on"},
		{"lookup of half a bit", "a: exp(x) => lookup(x >> 0.5, 1, 2) for float32", "f.rules:1:26: want the number of bits"},
		{"lookup on the left", "a: lookup(x, 1, 2) => x for float32", "f.rules:1:4: lookup belongs to the right side"},
		{"pinned lookup", "a: exp(x) => pin(lookup(x, 1, 2)) for float32", "f.rules:1:14: pin of a lookup"},
		{"guard on nan", "a: exp(x) => x where x == nan", "f.rules:1:27: a condition about nan never holds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := Parse("f.rules", c.text)
			if c.want == "" {
				if err != nil {
					t.Fatalf("unexpected error: %v", err)
				}
				return
			}
			if err == nil || !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one that contains %q", err, c.want)
			}
			if len(set.Names()) != 0 {
				t.Errorf("a set with laws beside the error")
			}
		})
	}
}

func TestErrorsAreCollected(t *testing.T) {
	_, err := Parse("f.rules", "a: sine(x) => cos(y)\nb: exp(x) => z\nc: exp(x) => x where m < 1 && k < 2")
	for _, want := range []string{"1:4: unknown function sine", "2:14: z is", "3:22: m is", "3:31: k is"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}

// one parses a single law.
func one(t *testing.T, text string) *egraph.Rewrite {
	t.Helper()
	set, err := Parse("f.rules", text)
	if err != nil {
		t.Fatal(err)
	}
	return set.Rewrites()[0]
}

func TestRewriteData(t *testing.T) {
	r := one(t, "# head\nfma-neg: c - a*b => fma(-a, b, c) where a < 1 for float32 ! contract nsz")
	real := func(x float64) *big.Float { return big.NewFloat(x) }
	want := &egraph.Rewrite{
		Name: "fma-neg", Kind: egraph.Directed, Vars: []string{"c", "a", "b"}, Licence: ir.Contract | ir.NoSignZero, Type: ir.Float32,
		LHS: &egraph.Pattern{Nodes: []egraph.PatternNode{
			{Var: 0}, {Var: 1}, {Var: 2}, {Op: ir.Mul, Args: [3]int{1, 2}}, {Op: ir.Sub, Args: [3]int{0, 3}}}},
		RHS: &egraph.Pattern{Nodes: []egraph.PatternNode{
			{Var: 1}, {Op: ir.Neg, Args: [3]int{0}}, {Var: 2}, {Var: 0}, {Op: ir.FMA, Args: [3]int{1, 2, 3}}}},
	}
	if d := cmp.Diff(want, r, equalLaws); d != "" {
		t.Error(d)
	}
	if r.Pos != "f.rules:2" {
		t.Errorf("position %q", r.Pos)
	}

	r = one(t, "f: exp(x) ~> select(x > 1, pin(b*b), -c) within 1e-3 rel with a = x + 0x1.8p1; b = a - -2; c = inf everywhere")
	want = &egraph.Rewrite{
		Name: "f", Kind: egraph.Approximation, Vars: []string{"x"}, Bound: egraph.Bound{Value: 1e-3, Unit: egraph.Rel},
		LHS: &egraph.Pattern{Nodes: []egraph.PatternNode{{Var: 0}, {Op: ir.Exp}}},
		RHS: &egraph.Pattern{Nodes: []egraph.PatternNode{
			{Op: ir.Real, Value: real(1)}, {Var: 0}, {Op: ir.Lt, Args: [3]int{0, 1}},
			{Op: ir.Real, Value: real(3)}, {Op: ir.Add, Args: [3]int{1, 3}}, {Op: ir.Real, Value: real(-2)}, {Op: ir.Sub, Args: [3]int{4, 5}},
			{Op: ir.Mul, Args: [3]int{6, 6}, Pin: true}, {Op: ir.Const, Const: math.Inf(1)}, {Op: ir.Neg, Args: [3]int{8}},
			{Op: ir.Select, Args: [3]int{2, 7, 9}}}},
	}
	if d := cmp.Diff(want, r, equalLaws); d != "" {
		t.Error(d)
	}
	if r.Guard != nil {
		t.Error("a guard on a form that holds everywhere")
	}
}

func TestConstants(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0.1", "0.1"}, {"-0x1p-3", "-0.125"}, {"1_000", "1000"}, {"-(-(2))", "2"},
		{"pi", "3.14159265358979323846264338327950288419716939937510582097494"},
		{"ln2", "0.693147180559945309417232121458176568075500134360255254120680"},
		{"log2e", "1.44269504088896340735992468100189213742664595415298593413545"},
		{"e_", "2.71828182845904523536028747135266249775724709369995957496697"},
	} {
		n := one(t, "a: exp(x) => "+c.text).RHS.Nodes[0]
		want, _, err := big.ParseFloat(c.want, 10, ir.RealPrec, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		// Decimal references have 60 digits, a little more than RealPrec bits.
		if n.Value == nil || n.Value.Cmp(want) != 0 || n.Value.Prec() != ir.RealPrec {
			t.Errorf("%s is %v, want %v", c.text, n.Value, want)
		}
	}
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"0", 0}, {"-0", 1 << 63}, {"-0.0", 1 << 63}, {"inf", 0x7ff0 << 48}, {"-inf", 0xfff0 << 48},
	} {
		n := one(t, "a: exp(x) => "+c.text).RHS.Nodes[0]
		if n.Op != ir.Const || math.Float64bits(n.Const) != c.want {
			t.Errorf("%s is %v %v", c.text, n.Op, n.Const)
		}
	}
	widened := one(t, "a: exp(x) => float32(float64(x) + 0.1) for float32")
	if n := widened.RHS.Nodes[2]; n.Op != ir.Real || n.Type != ir.Float64 {
		t.Errorf("the constant beside a float64 operand is %v of type %v", n.Op, n.Type)
	}
}

func TestGuards(t *testing.T) {
	point, between := ir.Exactly, ir.Between
	for _, c := range []struct {
		guard string
		fact  ir.Fact
		want  egraph.Truth
	}{
		{"x < 1", between(0, 0.5), egraph.Yes}, {"x < 1", between(0, 1), egraph.Unknown}, {"x < 1", between(1, 2), egraph.No},
		{"x <= 1", between(0, 1), egraph.Yes}, {"x <= 1", between(2, 3), egraph.No}, {"x <= 1", ir.Unknown, egraph.Unknown},
		{"1 < x", between(2, 3), egraph.Yes}, {"x > 1", between(2, 3), egraph.Yes}, {"x >= 2", between(2, 3), egraph.Yes},
		{"x == 2", point(2), egraph.Yes}, {"x == 2", point(3), egraph.No}, {"x == 2", between(1, 3), egraph.Unknown},
		{"x != 0", ir.Fact{Lo: -1, Hi: 1, NonZero: true}, egraph.Yes}, {"x != 0", point(0), egraph.No},
		{"x <= inf", ir.Unknown, egraph.Yes}, {"x < inf", ir.Unknown, egraph.Unknown}, {"x > -inf", between(0, 1), egraph.Yes},
		{"abs(x) <= 0.5", between(-0.5, 0.25), egraph.Yes}, {"abs(x) <= 0.5", between(-0.75, 0), egraph.Unknown},
		{"abs(x) <= 0.5", between(-2, -1), egraph.No}, {"abs(x) >= 1", between(-2, -1), egraph.Yes},
		{"x <= 0.1", point(0.1), egraph.Unknown}, // the float64 0.1 is above one tenth, but next to it
		{"x < 0.1", point(0.1 - 0x1p-55), egraph.Yes},
		{"integer(x)", ir.Fact{Lo: 0, Hi: 9, Integer: true}, egraph.Yes}, {"integer(x)", point(0.5), egraph.No}, {"integer(x)", between(0, 9), egraph.Unknown},
		{"even(x)", point(-4), egraph.Yes}, {"even(x)", point(3), egraph.No}, {"even(x)", point(0.5), egraph.No}, {"even(x)", ir.Fact{Lo: 2, Hi: 4, Integer: true}, egraph.Unknown},
		{"odd(x)", point(-3), egraph.Yes}, {"odd(x)", point(4), egraph.No}, {"odd(x)", point(math.Inf(1)), egraph.No},
		{"nonzero(x)", between(1, 2), egraph.Yes}, {"nonzero(x)", between(-1, 2), egraph.Unknown}, {"nonzero(x)", point(0), egraph.No},
		{"const(x)", point(0.5), egraph.Yes}, {"const(x)", between(0.1, math.Nextafter(0.1, 1)), egraph.Yes}, {"const(x)", between(0, 1), egraph.Unknown},
		{"!(x < 1)", between(1, 2), egraph.Yes}, {"!(x < 1)", between(0, 2), egraph.Unknown}, {"!nonzero(x)", point(0), egraph.Yes},
		{"x < 1 && nonzero(x)", between(-1, 0.5), egraph.Unknown}, {"x < 1 && nonzero(x)", between(2, 3), egraph.No},
		{"x < 1 || nonzero(x)", between(-1, 0.5), egraph.Yes}, {"x < 1 || x > 5", between(2, 3), egraph.No},
		{"x < 1", ir.Fact{Lo: math.NaN(), Hi: math.NaN()}, egraph.Unknown}, {"integer(x)", ir.Fact{Lo: math.NaN(), Hi: math.NaN()}, egraph.Unknown},
	} {
		if got := one(t, "a: exp(x) => x where "+c.guard).Guard([]ir.Fact{c.fact}); got != c.want {
			t.Errorf("%s at %v is %v, want %v", c.guard, c.fact, got, c.want)
		}
	}
	two := one(t, "a: x - y => x where x <= y && y < 4").Guard
	if got := two([]ir.Fact{between(0, 1), between(1, 2)}); got != egraph.Yes {
		t.Errorf("x <= y is %v", got)
	}
	if got := two([]ir.Fact{between(0, 1), between(0, 2)}); got != egraph.Unknown {
		t.Errorf("x <= y of overlapping intervals is %v", got)
	}
}

// Guards answer for every value of an interval what they answer for the interval.
func TestGuardsAreMonotone(t *testing.T) {
	values := []float64{math.Inf(-1), -7, -2.5, -1, 0, 0.84, 1, 2, 6, 6.5, 8, math.Inf(1)}
	for _, text := range []string{
		"integer(x) && 1 <= x && x <= 6", "abs(x) <= 0.84", "!(x < 1) || even(x)", "odd(x) && x > 6", "nonzero(x)", "x != 2 && x >= -1",
	} {
		g := one(t, "a: exp(x) => x where "+text).Guard
		for _, lo := range values {
			for _, hi := range values {
				answer := g([]ir.Fact{ir.Between(lo, hi)})
				for _, x := range values {
					if lo <= x && x <= hi && answer != egraph.Unknown && g([]ir.Fact{ir.Exactly(x)}) != answer {
						t.Errorf("%s: %v on [%v, %v] but not at %v", text, answer, lo, hi, x)
					}
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	entries, err := files.ReadDir(".")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, s := range []string{
		"a: select(c, x, y) => pin(x + -0x1p3)*pin(x + y) where !(x < y) && abs(x) >= 1/3 ! nsz", "a: x = y", "a: = ", "a:~>", "a: f(x)(y) => x...",
		"a: exp(x) ~> t with t = x; u = t*t\n  everywhere within 1 ulp for float32 ! afn", "a: x[1] => x.y", "a: exp(x) => inf - nan where even(x) on x < 1", "a: (((", "a: x => )", "\x00", "a: ~~x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := Parse("f.rules", text)
		if err != nil {
			if !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), "f.rules:") {
				t.Fatalf("error without sentinel or position: %v", err)
			}
			return
		}
		again, err := Parse("f.rules", set.String())
		if err != nil {
			t.Fatalf("what String writes is refused: %v\n%s", err, set)
		}
		if d := cmp.Diff(set.Rewrites(), again.Rewrites(), equalLaws); d != "" {
			t.Fatal(d)
		}
	})
}
