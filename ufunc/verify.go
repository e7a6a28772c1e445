package ufunc

import (
	"context"
	"fmt"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// Certificate is what was measured of a kernel's accuracy: the largest errors, where, and on how many points.
type Certificate = accuracy.Certificate

// VerifyOptions say how to verify.
type VerifyOptions struct {
	// Progress is called now and then with the number of inputs done and of all; nil: not at all.
	Progress func(done, all uint64)
}

// Verify tries every float32 value of the domain of a kernel of one float32 input, special values included, on all
// processors, and returns a certificate that says so. gelu over all 2^32 inputs takes minutes on two cores. The error wraps
// ErrTolerance and names the input where the contract is broken, ErrSweep for kernels with more inputs or of
// another type, or the cause of ctx.
func (k *Kernel) Verify(ctx context.Context, o VerifyOptions) (Certificate, error) {
	e, err := k.get(ctx)
	if err != nil {
		return Certificate{}, err
	}
	run, err := e.run()
	if err != nil {
		return Certificate{}, err
	}
	contract := run.Contract.Through(run.Equal())
	certificate, err := contract.Sweep(ctx, func(in []float32, out [][]float32) error {
		operands := make([]any, 0, 1+len(out))
		operands = append(operands, in)
		for _, o := range out {
			operands = append(operands, o)
		}
		plan := k.plans.Get().(*operand.Plan)
		defer k.plans.Put(plan)
		if err := plan.Bind(&k.sig, operands); err != nil {
			return err
		}
		defer plan.Release()
		return k.execute(e, plan)
	}, o.Progress)
	if err != nil {
		return certificate, fmt.Errorf("ufunc: %s: %w", k.name, err)
	}
	return certificate, nil
}
