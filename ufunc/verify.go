package ufunc

import (
	"context"
	"fmt"

	"github.com/go-yolk/yolk/compiler/accuracy"
)

// Certificate is what was measured of a kernel's accuracy: the largest errors, where, and on how many points.
type Certificate = accuracy.Certificate

// VerifyOptions say how to verify.
type VerifyOptions struct {
	// Progress is called now and then with the number of inputs done and of all; nil: not at all.
	Progress func(done, all uint64)
}

// Verify tries every float32 value of the domain of a kernel of one float32 input, special values included, on all
// processors, and returns a certificate that says so. gelu over all 2^32 inputs takes a minute on two cores. The error wraps
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
	if run.Contract == nil {
		return Certificate{}, fmt.Errorf("%w: %s has more than floats", ErrSweep, k.name)
	}
	contract := run.Contract.Through(run.Equal())
	if truth, ok := k.compiledTruth(ctx, e, contract); ok {
		contract = contract.Using(truth)
	}
	certificate, err := contract.Sweep(ctx, func(in []float32, out [][]float32) error {
		return evaluate(k, e, &k.sig, in, out)
	}, o.Progress)
	if err != nil {
		return certificate, fmt.Errorf("ufunc: %s: %w", k.name, err)
	}
	return certificate, nil
}
