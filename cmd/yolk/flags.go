package main

import (
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-yolk/yolk/native"
)

// kernelFlags say how a kernel is to be made, in the words of ufunc's options.
type kernelFlags struct {
	dtype     string // float32, float64; "": the type of the first parameter
	types     string // type arguments of a generic function, separated by commas
	target    string
	domain    interval
	tolerance []string // options, at most one
}

func (k *kernelFlags) declare(flags *flag.FlagSet) {
	flags.StringVar(&k.types, "type", "", "type arguments of a generic function: `TYPES` such as float32, separated by commas")
	flags.Func("dtype", "element `TYPE`, float32 or float64 (default: that of the first parameter; float32 for traced functions)", func(s string) error {
		if s != "float32" && s != "float64" {
			return fmt.Errorf("want float32 or float64")
		}
		k.dtype = s
		return nil
	})
	flags.Func("target", "compile for the target `NAME` instead of the host: "+strings.Join(targetNames(), ", "), func(s string) error {
		_, err := native.Lookup(s)
		k.target = s
		return err
	})
	flags.Var(&k.domain, "domain", "every input is in the interval `LO,HI`; inf and -inf are bounds, too")
	for _, t := range []struct{ name, option, help string }{
		{"ulp", "WithinULP", "ask for an error of at most `N` ulp"},
		{"abs", "WithinAbs", "ask for an absolute error of at most `EPS`"},
		{"rel", "WithinRel", "ask for a relative error of at most `EPS`"},
	} {
		flags.Func(t.name, t.help, func(s string) error {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil || !(x > 0 && x <= math.MaxFloat64) {
				return fmt.Errorf("want a positive number")
			}
			k.tolerance = append(k.tolerance, fmt.Sprintf("yolkUfunc.%s(%s)", t.option, goFloat(x)))
			return nil
		})
	}
}

// options are the Go expressions of the options asked for.
func (k *kernelFlags) options() ([]string, error) {
	var options []string
	if k.target != "" {
		options = append(options, fmt.Sprintf("yolkUfunc.Target(%q)", k.target))
	}
	if k.domain.set {
		options = append(options, fmt.Sprintf("yolkUfunc.Domain(%s, %s)", goFloat(k.domain.lo), goFloat(k.domain.hi)))
	}
	if len(k.tolerance) > 1 {
		return nil, misused("one of -ulp, -abs and -rel at a time")
	}
	return append(options, k.tolerance...), nil
}

func targetNames() []string {
	var names []string
	for _, t := range native.Targets() {
		names = append(names, t.Name)
	}
	return names
}

// interval is the flag LO,HI.
type interval struct {
	lo, hi float64
	set    bool
}

func (i *interval) String() string {
	if i == nil || !i.set {
		return ""
	}
	return fmt.Sprintf("%g,%g", i.lo, i.hi)
}

func (i *interval) Set(s string) error {
	lo, hi, ok := strings.Cut(s, ",")
	var err error
	if ok {
		if i.lo, err = strconv.ParseFloat(lo, 64); err == nil {
			i.hi, err = strconv.ParseFloat(hi, 64)
		}
	}
	switch {
	case !ok || err != nil:
		return fmt.Errorf("want LO,HI: two numbers")
	case !(i.lo <= i.hi):
		return fmt.Errorf("the interval is empty")
	}
	i.set = true
	return nil
}

// finite reports whether inputs can be drawn from the interval.
func (i interval) finite() bool { return !math.IsInf(i.hi-i.lo, 0) && !math.IsInf(i.lo, 0) }

// goFloat is a float64 as a Go expression.
func goFloat(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "yolkMath.Inf(1)"
	case math.IsInf(x, -1):
		return "yolkMath.Inf(-1)"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
