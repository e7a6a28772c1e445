package accuracy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
)

// Survey is what a kernel of one float32 has been measured at over every bit pattern, without a contract.
type Survey struct {
	MaxULP  float64 // largest error, in ulps at the true value; +Inf where a result is infinite or NaN and should not be, or the reverse
	Worst   float32 // an input of that error
	Wrong   uint64  // results other than the correctly rounded one, the sign of zero included
	WrongAt []float32
	Settled uint64 // inputs whose correctly rounded result took more than float64
}

// maxWrongAt is how many inputs with a wrong result are listed, in order.
const maxWrongAt = 64

// Executor runs a program over columns, in and out by its parameters and results, as interp.Program.Run does. Inputs and outputs may
// be the same columns.
type Executor func(n int, in, out []interp.Column) error

// Known is what mathematics says of a function at arguments other than zero where no number of digits, or too many, would tell how its value
// rounds: where the value is a tie, or next to one for every other argument. nil: there are no such.
type Known func(x float64) (interp.Value, bool)

// ErrUndecided is returned for an input at which even the wide evaluation leaves open how the value rounds.
var ErrUndecided = errors.New("accuracy: the rounding of the truth is not decided")

// Exhaust measures kernels of a function of one float32 at all 2^32 inputs, together, so that the truth is evaluated once. The truth is
// that of Bounded; where its bound does not decide how the value rounds, known or the wide evaluation does, or it is ErrUndecided. compile makes the
// programs run that evaluate the truth, whose library functions it may replace by forms within FormULPs, and that look for the largest
// errors. Executors are called from several goroutines; progress, which may be nil, from one at a time.
func Exhaust(ctx context.Context, f *ir.Func, known Known, kernels []Executor, compile func(*ir.Func) (Executor, error), progress func(done, all uint64)) ([]Survey, error) {
	return survey(ctx, f, known, kernels, compile, 0, 1<<32, progress)
}

// chunkLen is how many inputs are measured at a time: a dozen columns stay in the second-level cache.
const chunkLen = 1 << 14

// survey is Exhaust for a range of bit patterns.
func survey(ctx context.Context, f *ir.Func, known Known, kernels []Executor, compile func(*ir.Func) (Executor, error), first, last uint64, progress func(done, all uint64)) ([]Survey, error) {
	if len(f.Params) != 1 || f.Params[0].Type != ir.Float32 || len(f.Results) != 1 || f.Nodes[f.Results[0]].Type != ir.Float32 {
		return nil, ErrSweep
	}
	common := surveyor{kernels: kernels, known: known}
	var err error
	if common.program, err = interp.Compile(f); err != nil {
		return nil, err
	}
	if common.wide, err = interp.NewWide(f); err != nil {
		return nil, err
	}
	truth, err := roundedTruth(f)
	if err != nil {
		return nil, err
	}
	for _, p := range []struct {
		to   *Executor
		make *ir.Func
	}{{&common.truth, truth}, {&common.judge, judgeProgram()}, {&common.fold, foldProgram()}} {
		if *p.to, err = compile(p.make); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := make([]Survey, len(kernels))
	var next, done atomic.Uint64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			s := common.worker()
			for ctx.Err() == nil {
				from := first + next.Add(chunkLen) - chunkLen
				if from >= last {
					break
				}
				n := min(chunkLen, last-from)
				if err := s.chunk(uint32(from), int(n)); err != nil {
					cancel(err)
				}
				if total := done.Add(n); progress != nil && total>>26 != (total-n)>>26 {
					mu.Lock()
					progress(total, last-first)
					mu.Unlock()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for k := range all {
				all[k].merge(&s.surveys[k])
			}
		})
	}
	wg.Wait()
	for k := range all {
		slices.SortFunc(all[k].WrongAt, func(a, b float32) int { return int(int64(math.Float32bits(a)) - int64(math.Float32bits(b))) })
		all[k].WrongAt = all[k].WrongAt[:min(maxWrongAt, len(all[k].WrongAt))]
	}
	return all, context.Cause(ctx)
}

// roundedTruth is Bounded of f with what its value rounds to: it returns the value, 1/ulp at it (0 where an error in ulps has no meaning: at
// infinite arguments and where float32 overflows), the rounded value, and 1 where the bound leaves open what that is, else 0.
func roundedTruth(f *ir.Func) (*ir.Func, error) {
	g, err := Bounded(f)
	if err != nil {
		return nil, err
	}
	b := extend(g)
	x, v, e := ir.Value(0), g.Results[0], g.Results[1]
	wide := func(c float64) ir.Value { return b.constant(ir.Float64, c) }
	narrow := func(c float64) ir.Value { return b.constant(ir.Float32, c) }
	size := b.op(ir.Abs, ir.Float64, v)
	exponent := b.op(ir.Max, ir.Float64, b.op(ir.Logb, ir.Float64, size), wide(-126))
	scale := b.op(ir.Ldexp, ir.Float64, wide(1), b.op(ir.Sub, ir.Float64, wide(23), exponent))
	scale = b.op(ir.Select, ir.Float64, b.op(ir.Lt, ir.Bool, size, wide(math.MaxFloat32)), scale, wide(0))
	scale = b.op(ir.Select, ir.Float64, b.op(ir.Lt, ir.Bool, b.op(ir.Abs, ir.Float32, x), narrow(math.Inf(1))), scale, wide(0))
	low := b.op(ir.Convert, ir.Float32, b.op(ir.Sub, ir.Float64, v, e))
	high := b.op(ir.Convert, ir.Float32, b.op(ir.Add, ir.Float64, v, e))
	none := b.op(ir.Select, ir.Float32, b.op(ir.Eq, ir.Bool, v, v), narrow(1), // NaN without error: there is no value
		b.op(ir.Select, ir.Float32, b.op(ir.Eq, ir.Bool, e, wide(0)), narrow(0), narrow(1)))
	open := b.op(ir.Select, ir.Float32, b.op(ir.Eq, ir.Bool, low, high), narrow(0), none)
	open = b.op(ir.Select, ir.Float32, b.op(ir.Eq, ir.Bool, x, narrow(0)), narrow(1), open) // the sign of a zero is the function's own
	g.Results = []ir.Value{v, scale, b.op(ir.Convert, ir.Float32, v), open}
	return g, nil
}

// judgeProgram takes a result, what it should be, the value and the scale, and returns the error in ulps, NaN where that needs a closer look, and 1
// where the result is wrong.
func judgeProgram() *ir.Func {
	b := ir.NewBuilder("judge")
	y, want := b.Param("y", ir.Float32, ir.Unknown), b.Param("want", ir.Float32, ir.Unknown)
	v, scale := b.Param("v", ir.Float64, ir.Unknown), b.Param("scale", ir.Float64, ir.Unknown)
	c := func(x float64) ir.Value { return b.Const(ir.Float32, x) }
	choose := func(cond, x, z ir.Value) ir.Value { return b.Must(ir.Select, cond, x, z) }
	sign := func(x ir.Value) ir.Value { return b.Must(ir.Copysign, c(1), x) }
	same := choose(b.Must(ir.Eq, y, want), choose(b.Must(ir.Eq, sign(y), sign(want)), c(0), c(1)), c(1))
	wrong := choose(b.Must(ir.Eq, y, y), same, choose(b.Must(ir.Eq, want, want), c(1), c(0)))
	off := b.Must(ir.Abs, b.Must(ir.Sub, must(b.Emit(ir.Convert, ir.Float64, y)), v))
	ulps := must(b.Emit(ir.Convert, ir.Float32, b.Must(ir.Mul, off, scale)))
	odd := choose(b.Must(ir.Eq, scale, b.Const(ir.Float64, 0)), c(1), choose(b.Must(ir.Lt, b.Must(ir.Abs, y), c(math.Inf(1))), c(0), c(1)))
	special := choose(b.Must(ir.Eq, wrong, c(0)), c(0), c(math.NaN()))
	b.Return(choose(b.Must(ir.Eq, odd, c(0)), ulps, special))
	b.Return(wrong)
	return b.Func()
}

// foldProgram takes two columns of what judgeProgram returns and returns the larger errors and the sums.
func foldProgram() *ir.Func {
	b := ir.NewBuilder("fold")
	var p [4]ir.Value
	for i, name := range []string{"a", "b", "c", "d"} {
		p[i] = b.Param(name, ir.Float32, ir.Unknown)
	}
	b.Return(b.Must(ir.Max, p[0], p[1]))
	b.Return(b.Must(ir.Add, p[2], p[3]))
	return b.Func()
}

// extension adds nodes to a finished function.
type extension struct{ f *ir.Func }

func extend(f *ir.Func) extension { return extension{f} }

func (x extension) op(op ir.Op, t ir.Type, args ...ir.Value) ir.Value {
	n := ir.Node{Op: op, Type: t}
	copy(n.Args[:], args)
	return x.node(n)
}

func (x extension) constant(t ir.Type, c float64) ir.Value {
	return x.node(ir.Node{Op: ir.Const, Type: t, Imm: ir.ConstBits(t, c)})
}

func (x extension) node(n ir.Node) ir.Value {
	x.f.Nodes = append(x.f.Nodes, n)
	return ir.Value(len(x.f.Nodes) - 1)
}

func (s *Survey) merge(t *Survey) {
	if t.MaxULP > s.MaxULP || t.MaxULP == s.MaxULP && math.Float32bits(t.Worst) < math.Float32bits(s.Worst) {
		s.MaxULP, s.Worst = t.MaxULP, t.Worst
	}
	s.Wrong += t.Wrong
	s.Settled += t.Settled
	s.WrongAt = append(s.WrongAt, t.WrongAt...)
}

// surveyor measures one chunk after the other.
type surveyor struct {
	program            *interp.Program
	wide               *interp.Wide
	known              Known
	truth, judge, fold Executor
	kernels            []Executor
	surveys            []Survey

	x, want, got, open, ulps, wrong []float32
	value, scale, low               []float64 // low: what the value is off from the real one by, where that was settled
}

// worker is a surveyor with columns of its own.
func (s surveyor) worker() *surveyor {
	s.surveys = make([]Survey, len(s.kernels))
	for _, c := range []*[]float32{&s.x, &s.want, &s.got, &s.open, &s.ulps, &s.wrong} {
		*c = make([]float32, chunkLen)
	}
	for _, c := range []*[]float64{&s.value, &s.scale, &s.low} {
		*c = make([]float64, chunkLen)
	}
	return &s
}

func f32(x []float32) interp.Column { return interp.Column{F32: x} }
func f64(x []float64) interp.Column { return interp.Column{F64: x} }

// chunk measures n consecutive bit patterns.
func (s *surveyor) chunk(first uint32, n int) error {
	x, want, got := s.x[:n], s.want[:n], s.got[:n]
	for i := range x {
		x[i] = math.Float32frombits(first + uint32(i))
	}
	value, scale, low, open := s.value[:n], s.scale[:n], s.low[:n], s.open[:n]
	if err := s.truth(n, []interp.Column{f32(x)}, []interp.Column{f64(value), f64(scale), f32(want), f32(open)}); err != nil {
		return err
	}
	copy(s.wrong, open)
	_, settled, err := s.folded(open, s.wrong[:n])
	if err != nil {
		return err
	}
	clear(low)
	if settled > 0 {
		// folded has used up its columns.
		if err := s.truth(n, []interp.Column{f32(x)}, []interp.Column{f64(value), f64(scale), f32(want), f32(open)}); err != nil {
			return err
		}
		for i, o := range open {
			if o != 0 {
				if err := s.settle(i); err != nil {
					return err
				}
			}
		}
	}
	for k, run := range s.kernels {
		if err := run(n, []interp.Column{f32(x)}, []interp.Column{f32(got)}); err != nil {
			return err
		}
		ulps, wrong := s.ulps[:n], s.wrong[:n]
		if err := s.judge(n, []interp.Column{f32(got), f32(want), f64(value), f64(scale)}, []interp.Column{f32(ulps), f32(wrong)}); err != nil {
			return err
		}
		largest, count, err := s.folded(ulps, wrong)
		if err != nil {
			return err
		}
		t := &s.surveys[k]
		t.Settled += settled
		t.Wrong += count
		if !(largest <= t.MaxULP) || count > 0 && len(t.WrongAt) < maxWrongAt || settled > 0 {
			s.look(t, n)
		}
	}
	return nil
}

// folded reduces two columns to the maximum of one and the sum of the other, and spoils them.
func (s *surveyor) folded(a, b []float32) (largest float64, sum uint64, err error) {
	for len(a) >= 128 && len(a)%2 == 0 {
		m := len(a) / 2
		if err := s.fold(m, []interp.Column{f32(a[:m]), f32(a[m:]), f32(b[:m]), f32(b[m:])}, []interp.Column{f32(a[:m]), f32(b[:m])}); err != nil {
			return 0, 0, err
		}
		a, b = a[:m], b[:m]
	}
	for i := range a {
		largest = math.Max(largest, float64(a[i]))
		sum += uint64(b[i])
	}
	return largest, sum, nil
}

// look goes through the results of a chunk one by one.
func (s *surveyor) look(t *Survey, n int) {
	for i, y := range s.got[:n] {
		want, x := s.want[i], s.x[i]
		wrong := math.Float32bits(y) != math.Float32bits(want) && (y == y || want == want)
		if wrong && len(t.WrongAt) < maxWrongAt {
			t.WrongAt = append(t.WrongAt, x)
		}
		e := 0.0
		switch {
		case x-x == 0:
			e = errorULP(y, want, interp.Value{Hi: s.value[i], Lo: s.low[i]})
		case wrong: // at an infinite input
			e = errorULP(y, want, interp.Value{Hi: float64(want)})
		}
		if e > t.MaxULP {
			t.MaxULP, t.Worst = e, x
		}
	}
}

// errorULP is the error of y, where want is what the truth rounds to.
func errorULP(y, want float32, truth interp.Value) float64 {
	switch {
	case y == want && (y-y != 0 || truth.Hi == 0), y != y && want != want:
		return 0
	case want != want || truth.Hi != truth.Hi || y != y:
		return math.Inf(1)
	}
	if abs := math.Abs(truth.Hi); abs < math.MaxFloat32 && math.Abs(float64(y)) <= math.MaxFloat32 {
		return math.Abs((float64(y)-truth.Hi)-truth.Lo) / ulp32(abs)
	}
	return interp.ErrorULP(ir.Float32, float64(y), truth)
}

// settle decides the result at an input that float64 leaves open: what the function as written has at special values, and the wide
// evaluation elsewhere.
func (s *surveyor) settle(i int) error {
	x := s.x[i]
	var t interp.Value
	if x-x == 0 && x != 0 {
		t = s.real(float64(x))
	}
	s.scale[i] = 0
	if x-x != 0 || x == 0 || t.Hi-t.Hi != 0 || t.Hi == 0 {
		one := []float32{0}
		if err := s.program.Run(1, []interp.Column{f32([]float32{x})}, []interp.Column{f32(one)}); err != nil {
			return err
		}
		s.want[i], s.value[i] = one[0], float64(one[0])
		return nil
	}
	want, ok := round32(t)
	if !ok {
		return fmt.Errorf("%w at %x", ErrUndecided, x)
	}
	s.want[i], s.value[i], s.low[i] = want, t.Hi, t.Lo
	return nil
}

// real is the value at a finite argument other than zero.
func (s *surveyor) real(x float64) interp.Value {
	if s.known != nil {
		if v, ok := s.known(x); ok {
			return v
		}
	}
	var v [1]interp.Value
	s.wide.Eval([]float64{x}, v[:])
	return v[0]
}

// round32 rounds the sum of both parts once, and reports whether all numbers within the error of it round alike.
func round32(v interp.Value) (float32, bool) {
	y := roundOnce(v.Hi, v.Lo)
	if v.Err == 0 {
		return y, true
	}
	low, high := math.Nextafter(v.Lo-v.Err, math.Inf(-1)), math.Nextafter(v.Lo+v.Err, math.Inf(1))
	return y, roundOnce(v.Hi, low) == roundOnce(v.Hi, high)
}

// roundOnce rounds hi+lo, |lo| <= |hi|, to float32: to odd in float64, whose 29 bits more then tell every tie from what is next to it (Boldo
// and Melquiond, When double rounding is odd, 2005).
func roundOnce(hi, lo float64) float32 {
	sum := hi + lo
	rest := lo - (sum - hi)
	if rest != 0 && math.Float64bits(sum)&1 == 0 {
		sum = math.Nextafter(sum, math.Copysign(math.Inf(1), rest))
	}
	return float32(sum)
}
