package ufunc

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/interp"
	"github.com/go-yolk/yolk/ufunc/internal/operand"
)

// checkRows is how many elements Check shows.
const checkRows = 10

// Check runs the kernel over the inputs and compares every output with the reference: the value over the reals. Inputs
// outside of the domain are shown, but not judged: nothing is promised there. It writes the first elements (arguments, output, expected output) and the largest error to the writer of [ReportTo], by default
// standard output, and returns an error that wraps accuracy.ErrTolerance if the contract is broken anywhere, or one of those of
// [Kernel.Call].
func (k *Kernel) Check(inputs ...any) error {
	e, err := k.get(context.Background())
	if err != nil {
		return err
	}
	points, got, err := k.runOn(e, inputs)
	if err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	judged, judgedGot := k.insideDomain(points, got)
	run, err := e.run()
	if err != nil {
		return err
	}
	if run.Contract == nil {
		return fmt.Errorf("%w: %s: integers, bools and stored floats are computed as written, which Check does not compare", ErrUnsupported, k.name)
	}
	certificate, broken := run.Contract.Judge(judged, judgedGot)
	want, err := run.Contract.Reference(points)
	if err != nil {
		return err
	}
	w := k.config.report
	if w == nil {
		w = os.Stdout
	}
	if err := k.show(w, points, got, want, certificate, broken); err != nil {
		return err
	}
	if broken != nil {
		return fmt.Errorf("ufunc: %s: %w", k.name, broken)
	}
	return nil
}

// insideDomain returns the points whose inputs are all in their domain, with their outputs.
func (k *Kernel) insideDomain(in accuracy.Points, got [][]float64) (accuracy.Points, [][]float64) {
	inside := func(i int) bool {
		for j, p := range k.input.Params {
			x := in[j][i]
			if x != x && p.Fact.Finite() || x < p.Fact.Lo || x > p.Fact.Hi {
				return false
			}
		}
		return true
	}
	columns := append(slices.Clip([][]float64(in)), got...)
	kept := make([][]float64, len(columns))
	for i := range in.Len() {
		if inside(i) {
			for j, c := range columns {
				kept[j] = append(kept[j], c[i])
			}
		}
	}
	return kept[:len(in)], kept[len(in):]
}

// runOn calls the kernel with outputs of its own and returns inputs and outputs element by element.
func (k *Kernel) runOn(e *executor, inputs []any) (accuracy.Points, [][]float64, error) {
	operands := make([]operand.Operand, len(inputs))
	for i, v := range inputs {
		var err error
		if operands[i], err = operand.Describe(v, false); err != nil {
			return nil, nil, fmt.Errorf("input %d: %w", i+1, err)
		}
	}
	outputs, err := k.sig.Outputs(operands)
	if err != nil {
		return nil, nil, err
	}
	operands = append(operands, outputs...)
	var plan operand.Plan
	if err := plan.BindOperands(&k.sig, operands); err != nil {
		return nil, nil, err
	}
	defer plan.Release()
	if err := k.execute(e, &plan); err != nil {
		return nil, nil, err
	}
	columns := make([][]float64, len(k.sig.Types))
	for i := range columns {
		columns[i] = plan.Values(i)
	}
	return columns[:k.sig.Inputs], columns[k.sig.Inputs:], nil
}

func (k *Kernel) show(w io.Writer, in accuracy.Points, got, want [][]float64, c accuracy.Certificate, broken error) error {
	n := min(checkRows, len(got[0]))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range k.input.Params {
		fmt.Fprintf(t, "%s\t", p.Name)
	}
	for r := range got {
		suffix := ""
		if len(got) > 1 {
			suffix = fmt.Sprint(" ", r+1)
		}
		fmt.Fprintf(t, "output%s\texpected%[1]s\terror/ulp\t", suffix)
	}
	fmt.Fprintln(t)
	for i := range n {
		for j := range in {
			fmt.Fprintf(t, "%.9g\t", in[j][i])
		}
		for r := range got {
			typ := k.sig.Types[k.sig.Inputs+r]
			truth := interp.Value{Hi: want[r][i]}
			fmt.Fprintf(t, "%.9g\t%.9g\t%.2g\t", got[r][i], want[r][i], interp.ErrorULP(typ, got[r][i], truth))
		}
		fmt.Fprintln(t)
	}
	if more := len(got[0]) - n; more > 0 {
		fmt.Fprintf(t, "(%d more)\n", more)
	}
	if outside := len(got[0]) - c.Points; outside > 0 {
		fmt.Fprintf(t, "(%d outside of the domain, not judged)\n", outside)
	}
	verdict := "the contract holds"
	if broken != nil {
		verdict = "THE CONTRACT IS BROKEN: " + broken.Error()
	}
	fmt.Fprintf(t, "%s: %s; %v\n", k.name, verdict, c)
	return t.Flush()
}
