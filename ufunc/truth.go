package ufunc

import (
	"context"

	"github.com/go-yolk/yolk/compiler"
	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// compiledTruth compiles the program that bounds the contract's function, for sweeps. It has none for kernels that run on the interpreter
// and for functions that no such program can be made of.
func (k *Kernel) compiledTruth(ctx context.Context, e *executor, contract *accuracy.Contract) (accuracy.Truth, bool) {
	if e.native == nil {
		return nil, false
	}
	target, err := native.Host()
	if err != nil {
		return nil, false
	}
	bounded, err := contract.Bounded()
	if err != nil {
		return nil, false
	}
	laws, ring := rules.Default.Ring()
	f, err := compiler.Truth(ctx, bounded, compiler.Config{
		Rules: laws.Rewrites(), Ring: ring, Costs: target.Costs(), Limits: compiler.DefaultLimits,
	})
	if err != nil {
		return nil, false
	}
	sig := operand.Signature{Inputs: 1, Dims: k.sig.Dims, Types: []DType{Float32}}
	for range f.Results {
		sig.Types = append(sig.Types, Float64)
	}
	truth := &executor{target: target, symbols: alone}
	b := newBuild(ctx, k.sig.Dims, f, target, nil)
	defer b.end()
	if err := b.finish(truth, f); err != nil {
		return nil, false
	}
	return func(in []float32, out [][]float64) error { return evaluate(k, truth, &sig, in, out) }, true
}

// evaluate runs an executor on contiguous columns.
func evaluate[T Float](k *Kernel, e *executor, sig *operand.Signature, in []float32, out [][]T) error {
	operands := make([]any, 0, 1+len(out))
	operands = append(operands, in)
	for _, o := range out {
		operands = append(operands, o)
	}
	plan := k.plans.Get().(*operand.Plan)
	defer k.plans.Put(plan)
	if err := plan.Bind(sig, operands); err != nil {
		return err
	}
	defer plan.Release()
	return k.execute(e, plan)
}
