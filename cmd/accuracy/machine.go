package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"unsafe"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// samplePoints is the size of the samples.
const samplePoints = 1 << 20

// machine compiles programs for the target of the table and runs them on the host.
type machine struct {
	target native.Target
	rules  []*egraph.Rewrite
	ring   bool
	clang  *jit.Clang
}

func newMachine(ctx context.Context) (*machine, error) {
	target, err := native.Lookup("x86-64-v4")
	if err != nil {
		return nil, err
	}
	laws, ring := rules.Default.Ring()
	m := &machine{target: target, rules: laws.Rewrites(), ring: ring}
	m.clang, _ = jit.FindClang(ctx, jit.NewEnv(nil))
	return m, nil
}

// executor runs a program natively where the host can run the target, and on the interpreter, with the same bits, where it cannot.
func (m *machine) executor(ctx context.Context, f *ir.Func) (accuracy.Executor, error) {
	host, err := native.Host()
	if err != nil || !host.Runs(m.target) || m.clang == nil || jit.Available() != nil {
		p, err := interp.Compile(f)
		if err != nil {
			return nil, err
		}
		return p.Run, nil
	}
	ll, err := native.Emit(f, 1, m.target)
	if err != nil {
		return nil, err
	}
	object, err := m.clang.Build(ctx, ll, jit.BuildOptions{Target: m.target.Triple, Level: 1})
	if err != nil {
		return nil, err
	}
	k, err := jit.Load(object, "yolk_kernel")
	if err != nil {
		return nil, err
	}
	return func(n int, in, out []interp.Column) error {
		var data []unsafe.Pointer
		var stride []int64
		for _, c := range append(slices.Clip(in), out...) {
			if c.F32 != nil {
				data, stride = append(data, unsafe.Pointer(&c.F32[0])), append(stride, 4)
			} else {
				data, stride = append(data, unsafe.Pointer(&c.F64[0])), append(stride, 8)
			}
		}
		count := int64(n)
		if fault := k.Call(&jit.Args{Data: &data[0], Count: &count, Stride: &stride[0]}); fault != jit.FaultNone {
			return fmt.Errorf("the kernel stopped with fault %d", fault)
		}
		return nil
	}, nil
}

// truth is executor for a program of package accuracy: with library functions, and without a contract.
func (m *machine) truth(ctx context.Context) func(*ir.Func) (accuracy.Executor, error) {
	return func(f *ir.Func) (accuracy.Executor, error) {
		lowered, err := compiler.Truth(ctx, f, compiler.Config{Rules: m.rules, Ring: m.ring, Costs: m.target.Costs(), Limits: compiler.DefaultLimits})
		if err != nil {
			return nil, err
		}
		return m.executor(ctx, lowered)
	}
}

// halves are the functions that are x/2 and about cx² next to zero, c being 1/4, 1/sqrt(2π) and half of sqrt(2/π): below tinyTies what follows
// is less than 2^-119 of cx², and nothing but its sign decides how the value rounds. Half of a subnormal number of odd significand is a tie.
var halves = map[string]float64{"silu": 0.25, "gelu": 0.3989422804014327, "gelu_tanh": 0.3989422804014327}

// known is what mathematics says of a function where no wide evaluation does.
func known(name string) accuracy.Known {
	if name == "exp2" { // which has a tie at -150
		return func(x float64) (interp.Value, bool) {
			return interp.Value{Hi: math.Exp2(x)}, x == math.Trunc(x) && math.Abs(x) < 1000
		}
	}
	c, ok := halves[name]
	if !ok {
		return nil
	}
	return func(x float64) (interp.Value, bool) {
		square := c * x * x
		return interp.Value{Hi: x / 2, Lo: square, Err: square / 2}, math.Abs(x) < tinyTies
	}
}

// exhaust measures rows of a float32 function of one variable at all inputs. Rows of one program share its measurement.
func (m *machine) exhaust(ctx context.Context, f function, rows []row) ([]record, error) {
	written, err := f.program(ir.Float32)
	if err != nil {
		return nil, err
	}
	var kernels []accuracy.Executor
	index := map[string]int{}
	for _, r := range rows {
		if _, ok := index[r.hash]; ok {
			continue
		}
		index[r.hash] = len(kernels)
		if r.math {
			g := math1[f.name]
			kernels = append(kernels, func(n int, in, out []interp.Column) error {
				y := out[0].F32[:n]
				for i, x := range in[0].F32[:n] {
					y[i] = float32(g(float64(x)))
				}
				return nil
			})
			continue
		}
		run, err := m.executor(ctx, r.program)
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, run)
	}
	surveys, err := accuracy.Exhaust(ctx, written, known(f.name), kernels, m.truth(ctx), func(done, all uint64) { fmt.Fprintf(os.Stderr, "\r  %3d %%", 100*done/all) })
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return nil, err
	}
	var out []record
	for _, r := range rows {
		s := surveys[index[r.hash]]
		e := r.record()
		e.points, e.exhaustive, e.maxULP, e.worst = 1<<32, true, s.MaxULP, []float64{float64(s.Worst)}
		e.wrong, e.settled = int64(s.Wrong), s.Settled
		if s.Wrong <= uint64(len(s.WrongAt)) {
			e.wrongAt = s.WrongAt
		}
		out = append(out, e)
	}
	return out, nil
}

// sample measures rows on a sample, against the wide evaluation.
func (m *machine) sample(f function, t ir.Type, rows []row) ([]record, error) {
	written, err := f.program(t)
	if err != nil {
		return nil, err
	}
	// Any error is allowed, or a measurement would end at the first that is too large.
	contract, err := accuracy.New(written, accuracy.Tolerance{Unit: accuracy.ULP, Value: math.MaxFloat64}, samplePoints)
	if err != nil {
		return nil, err
	}
	var out []record
	for _, r := range rows {
		e := r.record()
		program := r.program
		if r.math { // the function as written is package math's, rounded
			program = written
		}
		c, err := contract.Measure(program)
		if err != nil {
			fmt.Fprintf(os.Stderr, "  %s: %v\n", r.tier, err)
			c.MaxULP = math.Inf(1)
		}
		e.points, e.maxULP, e.worst, e.wrong = int64(c.Points-c.Unsettled), c.MaxULP, c.Worst, -1
		out = append(out, e)
	}
	return out, nil
}

func (r row) record() record {
	e := record{function: r.function, typ: r.typ.String(), tier: r.tier, hash: r.hash, forms: r.forms}
	if r.program != nil {
		e.operations = r.program.Arithmetic()
	}
	return e
}

// math1 and math2 are package math's functions by yolk's names.
var (
	math1 = map[string]func(float64) float64{
		"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "rint": math.RoundToEven, "sqrt": math.Sqrt,
		"exp": math.Exp, "expm1": math.Expm1, "log": math.Log, "tanh": math.Tanh, "exp2": math.Exp2, "log2": math.Log2, "log10": math.Log10,
		"log1p": math.Log1p, "cbrt": math.Cbrt, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos,
		"atan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh, "erf": math.Erf,
		"erfc": math.Erfc,
		// What users of package math write.
		"rsqrt":    func(x float64) float64 { return 1 / math.Sqrt(x) },
		"sigmoid":  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		"silu":     func(x float64) float64 { return x / (1 + math.Exp(-x)) },
		"softplus": func(x float64) float64 { return math.Log1p(math.Exp(x)) },
		"gelu":     func(x float64) float64 { return 0.5 * x * (1 + math.Erf(x/math.Sqrt2)) },
		"gelu_tanh": func(x float64) float64 {
			return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		},
		"mish": func(x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) },
	}
	math2 = map[string]bool{"pow": true, "hypot": true, "atan2": true, "fmod": true, "remainder": true, "copysign": true}
)
