package ufunc

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/rules/fit"
)

// ErrFit is wrapped by the errors of [Fit]; those about the function or its tolerance are a [*FitError] for each type.
var ErrFit = fit.ErrFit

// FitForm is a form that [Fit] has made, with what was measured of it: pieces, degree, operations, the largest error, where, and
// on how many points.
type FitForm = fit.Form

// FitError says why there is no form: the function jumps or is not finite inside of the domain, or the best form that was
// reached, with its error and the place.
type FitError = fit.Error

// Fit makes an operation of any Go function of one variable, with loops, tables and branches as it likes. The domain must be
// given, by [Domain]; the tolerance is that of [WithinAbs], [WithinRel] or [WithinULP], by default 4 ulp; [Name] names the
// operation, which is otherwise fit_ and the name of the function. Other options are about kernels and do nothing here.
//
//	j0, err := ufunc.Fit(math.J0, ufunc.Domain(0, 20), ufunc.WithinAbs(1e-6))
//	f := ufunc.Vectorize(func(x ufunc.Value) ufunc.Value { return j0.Of(x.Abs()) }, ufunc.Float32, 1, ufunc.Domain(-20, 20), ufunc.WithinAbs(2e-6))
//
// The operation has a form for float32 and one for float64, as far as the tolerance allows, and brings them along: kernels
// that use it need no option [Rules]. A form is a piecewise polynomial, the cheapest that was found, and where that takes fewer
// operations one whose coefficients are looked up in tables of 8 to 32 entries, and a quotient of polynomials; the machine decides
// between them. See package fit for their cost. A form promises the tolerance on the domain, measured on some 20 000 points, and nothing outside of it, so
// a kernel can use it only where the domains of its inputs show that the operand is inside. NaN gives NaN, whatever f makes of it.
//
// f must be pure and safe for concurrent use; it is called some 100 000 times. Its float64 values are the truth: a tolerance below
// their own errors, which are large relative to values near a zero, cannot be kept in float64. Discontinuities are refused. A kernel's
// error is that of the operation on top of its own rounding, so it needs a tolerance ([WithinAbs] and so on) at least as
// large as that of the fit. Two operations of one name cannot be in one kernel: see [Name].
func Fit(f func(float64) float64, opts ...Option) (*Op, error) {
	o, err := newFitted(f, opts)
	if err != nil {
		return nil, fmt.Errorf("ufunc: Fit: %w", err)
	}
	return o, nil
}

// fitted is what a fitted operation carries with it, in [ir.Def.Laws].
type fitted struct {
	lo, hi  float64
	forms   []*FitForm
	refused []error // for types without a form
	rules   rules.Set
}

func newFitted(f func(float64) float64, opts []Option) (*Op, error) {
	c, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	facts, err := c.facts(1)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return nil, fmt.Errorf("%w: no function", ErrFit)
	case !facts[0].Finite():
		return nil, fmt.Errorf("%w: the domain is missing or not finite; give it with Domain", ErrFit)
	}
	name := c.name
	if name == "" {
		name = "fit_" + opName(funcName(f))
	}
	o, err := newOp(OpSpec{Name: name, Func: f})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOp, err)
	}
	bound := egraph.Bound{Value: c.tolerance.Value}
	switch c.tolerance.Unit {
	case accuracy.Default:
		bound.Value = 4 // as kernels promise
	case accuracy.Abs:
		bound.Unit = egraph.Abs
	case accuracy.Rel:
		bound.Unit = egraph.Rel
	}
	made := &fitted{lo: facts[0].Lo, hi: facts[0].Hi}
	var laws strings.Builder
	for _, t := range []DType{Float32, Float64} {
		form, err := fit.Problem{F: f, Lo: made.lo, Hi: made.hi, Type: t, Tolerance: bound}.Solve()
		if err != nil {
			made.refused = append(made.refused, err)
			continue
		}
		made.forms = append(made.forms, form)
		laws.WriteString(form.Law(strings.ReplaceAll(name, "_", "-")+"-"+t.GoName(), name))
	}
	if len(made.forms) == 0 {
		return nil, errors.Join(made.refused...)
	}
	if made.rules, err = rules.Parse(name+".rules", laws.String(), o.def); err != nil {
		return nil, err
	}
	o.def.Laws = made
	return o, nil
}

// opName makes a name for an operation of that of a function.
func opName(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments
	name := strings.ToLower(function[strings.LastIndexByte(function, '.')+1:])
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

// Forms are the forms of a fitted operation, those for float32 first, in each type that with selects first; nil if [Fit] has not made it.
func (o *Op) Forms() []*FitForm {
	if f, ok := o.def.Laws.(*fitted); ok {
		return slices.Clone(f.forms)
	}
	return nil
}

// Rules are the rules that lower a fitted operation, as text and for use elsewhere; kernels that use it have them
// already. They are none if [Fit] has not made it.
func (o *Op) Rules() rules.Set {
	if f, ok := o.def.Laws.(*fitted); ok {
		return f.rules
	}
	return rules.Set{}
}

// addFitted adds the rules of the fitted operations that a kernel uses.
func (c *config) addFitted(k *ir.Func) {
	for _, d := range k.Defs {
		if f, ok := d.Laws.(*fitted); ok {
			c.rules = rules.Union(c.rules, f.rules)
		}
	}
}

// explainFitted says of fitted operations without a form why that may be.
func explainFitted(err error) error {
	var none *extract.NoFormError
	if !errors.As(err, &none) {
		return err
	}
	for _, d := range none.Defs {
		if f, ok := d.Laws.(*fitted); ok {
			err = fmt.Errorf("%w; %s is fitted on [%g, %g]: the domains of the inputs must show that its operand is inside (see Domain)", err, d.Name, f.lo, f.hi)
			for _, r := range f.refused {
				err = fmt.Errorf("%w; %w", err, r)
			}
		}
	}
	return err
}
