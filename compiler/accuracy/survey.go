package accuracy

import (
	"context"
	"math"
	"math/big"
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

// Exhaust measures kernels of a function of one float32 at all 2^32 inputs, together, so that the truth is evaluated once. Each run
// computes out from in. The truth is that of Bounded; where its bound does not decide how the value rounds, the wide evaluation does.
// truth and kernels are called from several goroutines; progress, which may be nil, from one at a time.
func Exhaust(ctx context.Context, f *ir.Func, truth Truth, kernels []func(in, out []float32) error, progress func(done, all uint64)) ([]Survey, error) {
	return survey(ctx, f, truth, kernels, 0, 1<<32, progress)
}

// survey is Exhaust for a range of bit patterns.
func survey(ctx context.Context, f *ir.Func, truth Truth, kernels []func(in, out []float32) error, first, last uint64, progress func(done, all uint64)) ([]Survey, error) {
	if len(f.Params) != 1 || f.Params[0].Type != ir.Float32 || len(f.Results) != 1 || f.Nodes[f.Results[0]].Type != ir.Float32 {
		return nil, ErrSweep
	}
	program, err := interp.Compile(f)
	if err != nil {
		return nil, err
	}
	wide, err := interp.NewWide(f)
	if err != nil {
		return nil, err
	}
	const chunk = 1 << 14 // a dozen columns stay in the second-level cache
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := make([]Survey, len(kernels))
	var next, done atomic.Uint64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			s := newSurveyor(program, wide, truth, kernels, chunk)
			for ctx.Err() == nil {
				from := first + next.Add(chunk) - chunk
				if from >= last {
					break
				}
				n := min(chunk, last-from)
				if err := s.chunk(uint32(from), int(n)); err != nil {
					cancel(err)
				}
				if total := done.Add(n); progress != nil && total>>24 != (total-n)>>24 {
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
	program *interp.Program
	wide    *interp.Wide
	truth   Truth
	kernels []func(in, out []float32) error
	surveys []Survey

	x, want, got, written []float32
	real                  [][]float64
	scale                 []float64
	exact                 []interp.Value
}

func newSurveyor(program *interp.Program, wide *interp.Wide, truth Truth, kernels []func(in, out []float32) error, chunk int) *surveyor {
	f32 := func() []float32 { return make([]float32, chunk) }
	return &surveyor{
		program: program, wide: wide, truth: truth, kernels: kernels, surveys: make([]Survey, len(kernels)),
		x: f32(), want: f32(), got: f32(), written: f32(),
		real: [][]float64{make([]float64, chunk), make([]float64, chunk)}, exact: make([]interp.Value, chunk),
		scale: make([]float64, chunk),
	}
}

// chunk measures n consecutive bit patterns.
func (s *surveyor) chunk(first uint32, n int) error {
	x, want, got := s.x[:n], s.want[:n], s.got[:n]
	for i := range x {
		x[i] = math.Float32frombits(first + uint32(i))
	}
	value, bound := s.real[0][:n], s.real[1][:n]
	if err := s.truth(x, [][]float64{value, bound}); err != nil {
		return err
	}
	settled := uint64(0)
	for i, v := range value {
		e := bound[i]
		low, high := float32(v-e), float32(v+e)
		s.exact[i].Lo = 0
		switch {
		case low == high && low != 0, v != v && e == 0:
			want[i] = low
			continue
		case low == 0 && high == 0 && x[i] != 0: // what the value underflows to has its sign
			want[i] = float32(math.Copysign(0, v))
			continue
		}
		if err := s.settle(i, x[i]); err != nil {
			return err
		}
		settled++
	}
	// The errors of ordinary results in ulps are differences by a scale; the others, whose scale is 0, are looked at where they are wrong.
	scale := s.scale[:n]
	for i, v := range value {
		scale[i] = 0
		if abs := math.Abs(v); abs < math.MaxFloat32 && s.exact[i].Lo == 0 && x[i]-x[i] == 0 {
			scale[i] = 1 / ulp32(abs)
		}
	}
	for k, run := range s.kernels {
		if err := run(x, got); err != nil {
			return err
		}
		t := &s.surveys[k]
		t.Settled += settled
		largest, worst, wrong := t.MaxULP, t.Worst, uint64(0)
		for i, y := range got {
			e := math.Abs(float64(y)-value[i]) * scale[i]
			if math.Float32bits(y) != math.Float32bits(want[i]) && (y == y || want[i] == want[i]) {
				wrong++
				if len(t.WrongAt) < maxWrongAt {
					t.WrongAt = append(t.WrongAt, x[i])
				}
				switch {
				case x[i]-x[i] != 0: // an infinite input's result is right or wrong
					e = math.Inf(1)
				case scale[i] == 0 || y-y != 0:
					e = errorULP(y, want[i], interp.Value{Hi: value[i], Lo: s.exact[i].Lo})
				}
			}
			if e > largest {
				largest, worst = e, x[i]
			}
		}
		t.MaxULP, t.Worst = largest, worst
		t.Wrong += wrong
	}
	return nil
}

// errorULP is the error of y, where want is what the truth rounds to.
func errorULP(y, want float32, truth interp.Value) float64 {
	if y == want {
		if y-y != 0 || y == 0 && truth.Hi == 0 {
			return 0
		}
	}
	if want != want || truth.Hi != truth.Hi || y != y {
		return math.Inf(1)
	}
	if abs := math.Abs(truth.Hi); abs < math.MaxFloat32 && math.Abs(float64(y)) <= math.MaxFloat32 {
		return math.Abs((float64(y)-truth.Hi)-truth.Lo) / ulp32(abs)
	}
	return interp.ErrorULP(ir.Float32, float64(y), truth)
}

// settle decides the result at an input that float64 leaves open: what the function as written has at special values, and the wide
// evaluation elsewhere.
func (s *surveyor) settle(i int, x float32) error {
	in := [1]float64{float64(x)}
	var v [1]interp.Value
	if x-x == 0 && x != 0 {
		s.wide.EvalUpTo(4096, in[:], v[:])
	}
	t := v[0]
	if x-x != 0 || x == 0 || t.Hi-t.Hi != 0 || t.Hi == 0 {
		one := []float32{0}
		if err := s.program.Run(1, []interp.Column{{F32: []float32{x}}}, []interp.Column{{F32: one}}); err != nil {
			return err
		}
		s.want[i], s.real[0][i] = one[0], float64(one[0])
		return nil
	}
	s.want[i], s.real[0][i], s.exact[i].Lo = round32(t), t.Hi, t.Lo
	return nil
}

// round32 rounds the sum of both parts once.
func round32(v interp.Value) float32 {
	sum := new(big.Float).SetPrec(2200).SetFloat64(v.Hi)
	f, _ := sum.Add(sum, big.NewFloat(v.Lo)).Float32()
	return f
}
