package compiler

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

func geluFunc(fact ir.Fact) *ir.Func {
	b := ir.NewBuilder("gelu")
	x := b.Param("x", ir.Float32, fact)
	c := func(v float64) ir.Value { return b.Const(ir.Float32, v) }
	m := func(op ir.Op, a ...ir.Value) ir.Value { return b.Must(op, a...) }
	s := m(ir.Sqrt, c(2/math.Pi))
	u := m(ir.Mul, s, m(ir.Add, x, m(ir.Mul, m(ir.Mul, m(ir.Mul, c(0.044715), x), x), x)))
	b.Return(m(ir.Mul, m(ir.Mul, c(0.5), x), m(ir.Add, c(1), m(ir.Tanh, u))))
	return b.Func()
}

func TestTry(t *testing.T) {
	host, _ := native.Host()
	rs := rules.Union(rules.Default, rules.Demo)
	for _, fact := range []ir.Fact{ir.Unknown, ir.Between(0, 1)} {
		f := geluFunc(fact)
		r, err := Optimise(context.Background(), f, Config{Rules: rs.Rewrites(), Ring: true, Costs: host.Costs(), Licences: ir.DefaultLicences, Limits: DefaultLimits, Now: time.Now, Tolerance: tol(fact)})
		for _, p := range r.Programs {
			fmt.Println(p.Cost, p.Func)
		}
		for _, c := range r.Candidates {
			fmt.Println(c.Cost, c.Forms, c.Measured, c.Certificate, c.Err, c.Func)
		}
		for _, s := range r.Stages {
			fmt.Println(s)
		}
		fmt.Println(r.Saturation)
		fmt.Println(err)
		fmt.Println(r.Output)
	}
}

func tol(f ir.Fact) accuracy.Tolerance {
	if f.Finite() {
		return accuracy.Tolerance{Unit: accuracy.Rel, Value: 1e-6}
	}
	return accuracy.Tolerance{}
}
