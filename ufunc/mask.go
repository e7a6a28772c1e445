package ufunc

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// mask is what Mask makes.
type mask struct{ v any }

// Mask is an operand besides those of the kernel: bools, broadcast with the inputs, that say which elements are computed. No
// other element of an output is touched, and no other can fault. A kernel makes other code for calls with a mask, at the first one.
func Mask(m any) any { return mask{m} }

// splitMask takes the mask out of operands, if there is one, and puts it behind the inputs.
func splitMask(operands []any, inputs int) (all []any, masked bool, err error) {
	if !slices.ContainsFunc(operands, func(v any) bool { _, ok := v.(mask); return ok }) {
		return operands, false, nil
	}
	var m any
	for _, v := range operands {
		if w, ok := v.(mask); ok {
			if masked {
				return nil, false, fmt.Errorf("%w: two masks", ErrCount)
			}
			m, masked = w.v, true
			continue
		}
		all = append(all, v)
	}
	if len(all) < inputs {
		return nil, true, fmt.Errorf("%w: %d given, but the kernel takes %d inputs", ErrCount, len(all), inputs)
	}
	withMask := append(append(append([]any{}, all[:inputs]...), m), all[inputs:]...)
	return withMask, true, nil
}

// masked is the kernel for calls with a mask.
func (k *Kernel) masked() *Kernel {
	k.maskOnce.Do(func() {
		start := time.Now()
		c := *k.config
		c.masked, c.report = true, nil
		m := &Kernel{config: &c, plans: sync.Pool{New: func() any { return new(operand.Plan) }}, divisions: sync.Pool{New: func() any { return new(division) }}}
		m.function = &function{name: k.name, input: withMask(k.input), sig: k.sig}
		m.sig.Masked, m.sig.Inputs = true, k.sig.Inputs+1
		m.sig.Types = append(append(append([]DType{}, k.sig.Types[:k.sig.Inputs]...), Bool), k.sig.Types[k.sig.Inputs:]...)
		m.frontend = stage{Name: "frontend", Duration: time.Since(start), Before: "mask", After: fmt.Sprintf("%d nodes", len(m.input.Nodes))}
		m.code = process.codeOf(m)
		k.withMask = m
	})
	return k.withMask
}

// withMask is f with one more parameter.
func withMask(f *ir.Func) *ir.Func {
	b := ir.NewBuilder(f.Name)
	args := make([]ir.Value, len(f.Params))
	for i, p := range f.Params {
		args[i] = b.Param(p.Name, p.Type, p.Fact)
	}
	b.Param("mask", Bool, ir.Unknown)
	for _, r := range b.Inline(f, args...) {
		b.Return(r)
	}
	return b.Func()
}

// runChosen interprets the runs of elements that a mask chooses.
func runChosen(p *interp.Program, chosen []bool, in, out []interp.Column) error {
	for i := 0; i < len(chosen); {
		j := i
		for j < len(chosen) && chosen[j] == chosen[i] {
			j++
		}
		if chosen[i] {
			part := func(columns []interp.Column) []interp.Column {
				parts := make([]interp.Column, len(columns))
				for k, c := range columns {
					parts[k] = c.Slice(i, j)
				}
				return parts
			}
			if err := p.Run(j-i, part(in), part(out)); err != nil {
				return err
			}
		}
		i = j
	}
	return nil
}
