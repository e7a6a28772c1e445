// Command newop adds two operations to yolk without touching it: softsign, which is arithmetic, and the Bessel function J0,
// which is not and gets a polynomial form that the program computes itself.
//
// It checks the operations and their rules as yolk's own are checked, shows what the check says of wrong rules, and uses the
// operations in plain and traced kernels, which are then held against the definitions.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/rules/rulestest"
	"github.com/go-yolk/yolk/ufunc"
)

// rings is the brightness of a pattern of rings at distance r from its middle.
func rings(r float32) float32 { return 0.5 * (1 + Softsign(2*J0(r))) }

// tracedRings is rings for tracing.
func tracedRings(r ufunc.Value) ufunc.Value {
	s := softsign.Of(j0.Of(r).Mul(ufunc.Const(2)))
	return ufunc.Const(0.5).Mul(ufunc.Const(1).Add(s))
}

// thereAndBack undoes softsign. The rules know that nothing is left.
func thereAndBack(x float32) float32 {
	s := -Softsign(-x)
	return s / (1 - ufunc.Abs(s))
}

// wrong holds laws that are not true.
const wrong = `
softsign-halved:  softsign(x/2)  =  softsign(x)/2     ! reassoc
softsign-small:   softsign(x)    ~> x  on abs(x) <= 0.01 within 2 ulp ! afn
`

func main() {
	log.SetFlags(0)
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	mine, err := softsignRules()
	if err != nil {
		return err
	}
	bessel, err := besselRules()
	if err != nil {
		return err
	}
	bad, err := rules.Parse("wrong.rules", wrong, softsign.Def())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%v%v\n", mine, bessel)
	for _, set := range []rules.Set{mine, bessel, bad} {
		findings := rulestest.Check(set, rulestest.Options{})
		fmt.Fprintf(w, "%s: %d laws, %d findings\n", set.Name(), len(set.Names()), len(findings))
		for _, f := range findings {
			fmt.Fprintln(w, "  ", f)
		}
	}
	with := []ufunc.Option{ufunc.Rules(rules.Default, mine, bessel), ufunc.Ops(softsign, j0), ufunc.ReportTo(w)}
	near := append(with, ufunc.Domain(0, 8), ufunc.WithinAbs(1e-6))
	in := make([]float32, 1000)
	for i := range in {
		in[i] = float32(i) * 8 / float32(len(in))
	}
	for _, k := range []ufunc.Func{
		ufunc.Vectorize(rings, ufunc.Float32, 1, near...),
		ufunc.Vectorize(tracedRings, ufunc.Float32, 1, near...),
		ufunc.Vectorize(thereAndBack, ufunc.Float32, 1, with...),
	} {
		fmt.Fprintln(w)
		if err := k.Kernel().Check(in); err != nil {
			return err
		}
	}
	return nil
}
