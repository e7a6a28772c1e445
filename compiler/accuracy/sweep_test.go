package accuracy

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

func exp32(in []float32, out [][]float32) error {
	for i, x := range in {
		out[0][i] = float32(math.Exp(float64(x)))
	}
	return nil
}

// A sweep sees every input, and finds the one at which a kernel is wrong.
func TestSweep(t *testing.T) {
	fact := ir.Between(-1.0001, -1) // some 840 numbers
	f := define(ir.Float32, fact, 1, apply(ir.Exp))
	contract, err := New(f, Tolerance{}, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[float32]bool{}
	one := make(chan struct{}, 1)
	var last, all uint64
	cert, err := contract.Sweep(context.Background(), func(in []float32, out [][]float32) error {
		one <- struct{}{}
		for _, x := range in {
			seen[x] = true
		}
		<-one
		return exp32(in, out)
	}, func(done, total uint64) { last, all = max(last, done), total })
	want := int(math.Float32bits(-1.0001)-math.Float32bits(-1)) + 1
	if err != nil || !cert.Exhaustive || len(seen) < want-1 || last != all || int(all) < want-1 {
		t.Errorf("%v, %v; %d inputs seen of %d, progress %d of %d", cert, err, len(seen), want, last, all)
	}
	if cert.MaxULP > 0.501 {
		t.Errorf("exp rounded from float64 is off by %g ulp", cert.MaxULP)
	}
	for x := range seen {
		_, err := contract.Sweep(context.Background(), func(in []float32, out [][]float32) error {
			if i := slices.Index(in, x); i >= 0 {
				defer func() { out[0][i] *= 1.0001 }()
			}
			return exp32(in, out)
		}, nil)
		var v *Violation
		if !errors.As(err, &v) || float32(v.Inputs[0]) != x {
			t.Errorf("wrong at %v: %v", x, err)
		}
		break
	}
}

// A large sweep agrees with what is known, is stopped by its context, and passes on the kernel's error.
func TestSweepWhole(t *testing.T) {
	f := define(ir.Float32, ir.Between(-110, -0.5), 1, apply(ir.Exp))
	contract, err := New(f, Tolerance{ULP, 0.51}, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := contract.Sweep(context.Background(), exp32, nil)
	if err != nil || !cert.Exhaustive || cert.Points < 60<<20 {
		t.Errorf("%v, %v", cert, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := contract.Sweep(ctx, exp32, func(uint64, uint64) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	broken := errors.New("broken")
	if _, err := contract.Sweep(context.Background(), func([]float32, [][]float32) error { return broken }, nil); !errors.Is(err, broken) {
		t.Errorf("a kernel that fails: %v", err)
	}
}

func TestSweepRefuses(t *testing.T) {
	for _, f := range []*ir.Func{
		define(ir.Float32, ir.Unknown, 2, apply(ir.Add)),
		define(ir.Float64, ir.Unknown, 1, apply(ir.Exp)),
	} {
		contract, err := New(f, Tolerance{}, 16)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := contract.Sweep(context.Background(), exp32, nil); !errors.Is(err, ErrSweep) {
			t.Errorf("%v", err)
		}
	}
}

// The truth may come from a program that is equal and better conditioned, not from one that is not equal.
func TestThrough(t *testing.T) {
	c := func(b *ir.Builder, x float64) ir.Value { return b.Const(ir.Float32, x) }
	written := define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value { // 1 + tanh(x)
		return b.Must(ir.Add, c(b, 1), b.Must(ir.Tanh, x[0]))
	})
	fraction := func(two float64) *ir.Func { // two/(1 + exp(-2x))
		return define(ir.Float32, ir.Unknown, 1, func(b *ir.Builder, x []ir.Value) ir.Value {
			return b.Must(ir.Div, c(b, two), b.Must(ir.Add, c(b, 1), b.Must(ir.Exp, b.Must(ir.Mul, c(b, -2), x[0]))))
		})
	}
	contract, err := New(written, Tolerance{}, 1<<12)
	if err != nil {
		t.Fatal(err)
	}
	if got := contract.Through([]*ir.Func{fraction(2.0000002)}); got.equal != nil {
		t.Error("a program that is not equal is taken for the truth")
	}
	good := fraction(2)
	if got := contract.Through([]*ir.Func{written, good}); got.equal != good {
		t.Error("a better conditioned program is passed over")
	}
}
