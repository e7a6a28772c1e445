package ufunc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/native"
	"github.com/go-yolk/yolk/rules"
)

// Option is a part of the sentence that says what to make: Vectorize(f, Float32, 1, Domain(0, 1), WithinRel(1e-6)).
type Option func(*config)

// config is what the options say.
type config struct {
	all        *ir.Fact        // Domain
	one        map[int]ir.Fact // DomainOf
	tolerance  accuracy.Tolerance
	licences   ir.Licence
	rules      rules.Set
	ops        []*Op
	off        []string // rules left out by YOLK_DEBUG
	check      bool
	without    []string // rules left out, whatever Rules says before or after
	costs      *ir.CostTable
	target     string
	source     fs.FS
	binds      map[string]any
	name       string
	mustNative bool
	noCache    bool
	strict     bool
	portable   bool
	threads    int // 0: GOMAXPROCS
	tune       bool
	report     io.Writer
	masked     bool // the last input is a mask
	neutral    any  // WithIdentity; nil: none
	errs       []error
}

func newConfig(opts []Option) (*config, error) {
	c := &config{one: map[int]ir.Fact{}, licences: ir.DefaultLicences, rules: rules.Default, threads: 1}
	if cpu := os.Getenv("YOLK_CPU"); cpu != "" { // any Target among the options overrules it
		c.setTarget("YOLK_CPU", cpu)
	}
	c.debug(os.Getenv("YOLK_DEBUG"))
	for _, o := range opts {
		if o == nil {
			c.fault("ufunc: a nil option")
			continue
		}
		o(c)
	}
	if len(c.without) > 0 {
		set, err := c.rules.Without(c.without...)
		if err != nil {
			c.fault("ufunc: Without: %w", err)
		}
		c.rules = set
	}
	if len(c.off) == 0 {
		return c, errors.Join(c.errs...) // without reading the rules
	}
	if err := c.leaveOut(); err != nil {
		c.fault("ufunc: YOLK_DEBUG: %w", err)
	}
	return c, errors.Join(c.errs...)
}

func (c *config) fault(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// facts are the domains of n parameters.
func (c *config) facts(n int) ([]ir.Fact, error) {
	facts := make([]ir.Fact, n)
	for i := range facts {
		facts[i] = ir.Unknown
		if c.all != nil {
			facts[i] = *c.all
		}
		if f, ok := c.one[i]; ok {
			facts[i] = f
		}
	}
	for i := range c.one {
		if i >= n {
			return nil, fmt.Errorf("ufunc: DomainOf(%d, ...) of a function with %d parameters (they count from 0)", i, n)
		}
	}
	return facts, nil
}

func (c *config) domain(lo, hi float64) (ir.Fact, bool) {
	if !(lo <= hi) {
		c.fault("ufunc: the domain [%g, %g] is empty", lo, hi)
		return ir.Fact{}, false
	}
	return ir.Between(lo, hi), true
}

// Domain says that every input is in [lo, hi]. The contract holds there and only there.
func Domain(lo, hi float64) Option {
	return func(c *config) {
		if f, ok := c.domain(lo, hi); ok {
			c.all = &f
		}
	}
}

// DomainOf is Domain for input i alone, counted from 0.
func DomainOf(i int, lo, hi float64) Option {
	return func(c *config) {
		if i < 0 {
			c.fault("ufunc: DomainOf(%d, ...): inputs count from 0", i)
		} else if f, ok := c.domain(lo, hi); ok {
			c.one[i] = f
		}
	}
}

func within(unit accuracy.Unit, value float64) Option {
	return func(c *config) {
		c.tolerance = accuracy.Tolerance{Unit: unit, Value: value}
		if err := c.tolerance.Validate(); err != nil {
			c.fault("ufunc: %w", err)
		}
	}
}

// WithinULP asks for an error of at most n spacings of the type at the true value.
func WithinULP(n float64) Option { return within(accuracy.ULP, n) }

// WithinAbs asks for an absolute error of at most eps, or half an ulp where that is larger.
func WithinAbs(eps float64) Option { return within(accuracy.Abs, eps) }

// WithinRel asks for a relative error of at most eps, or half an ulp where that is larger.
func WithinRel(eps float64) Option { return within(accuracy.Rel, eps) }

// CorrectlyRounded asks for the float32 nearest to the true value at every input, the same bits on every machine. Float32
// functions are evaluated in float64 for that. A function of the library alone is right at every argument: those next to ties between two
// results, where float64 does not tell which is nearer, are tested one by one. For other kernels the promise is measured on a sample; [Kernel.Verify]
// proves it.
func CorrectlyRounded() Option { return within(accuracy.Correct, 0) }

// Strict asks for the bits of the function as written: each operation rounded once, in order, float32 library functions
// correctly rounded, float64 ones those of package math. Only rules that need no licence are used; float64 library functions
// run on the interpreter.
func Strict() Option {
	return func(c *config) {
		within(accuracy.Exact, 0)(c)
		c.strict = true
	}
}

// Portable asks for one program for all targets, so that a kernel gives the same bits on every machine. It uses no fused
// multiply-add that the function does not have, since not every target has one.
func Portable() Option { return func(c *config) { c.portable = true } }

// Allow grants licences beyond the default.
func Allow(l Licence) Option { return func(c *config) { c.licences |= l } }

// Deny takes licences back. Deny(Contract) forbids fused multiply-adds that the function does not have; Deny(Reassoc)
// keeps the order of operations as written.
func Deny(l Licence) Option { return func(c *config) { c.licences &^= l } }

// Rules replaces the rules that the optimiser uses, approximations included.
func Rules(sets ...rules.Set) Option { return func(c *config) { c.rules = rules.Union(sets...) } }

// Without leaves single rules out, by name.
func Without(names ...string) Option {
	return func(c *config) { c.without = append(c.without, names...) }
}

// Cost replaces the machine's cost table.
func Cost(m *CostModel) Option {
	return func(c *config) {
		if m == nil {
			c.fault("ufunc: Cost(nil)")
			return
		}
		c.costs = m
	}
}

// Target compiles for a named target instead of the host: x86-64-v2, x86-64-v3, x86-64-v4 or arm64. A kernel whose target
// does not run on the host cannot be called.
func Target(name string) Option { return func(c *config) { c.setTarget("Target", name) } }

func (c *config) setTarget(from, name string) {
	if _, err := native.Lookup(name); err != nil {
		c.fault("ufunc: %s: %w", from, err)
	}
	c.target = name
}

// Source gives the file system that holds the Go source of a plain function, by base name of the file or by path, for
// programs that run where their source is not.
func Source(files fs.FS) Option { return func(c *config) { c.source = files } }

// Bind gives the value of a variable that a plain function uses from outside: one that a function literal captures, or a package variable
// that something may assign. The source does not say it, and it cannot be read from the function. The value, of the variable's type, is frozen in
// the kernel; it must be the one that the function has now, which is checked like the source.
func Bind(name string, value any) Option {
	return func(c *config) {
		if _, ok := c.binds[name]; ok {
			c.fault("ufunc: two values are bound to %s", name)
		}
		if c.binds == nil {
			c.binds = map[string]any{}
		}
		c.binds[name] = value
	}
}

// Name names the kernel in reports and errors, instead of the function's own name.
func Name(s string) Option { return func(c *config) { c.name = s } }

// NoCache makes the code anew: it is neither looked for in the cache on disk and among the kernels of this process, nor kept there.
func NoCache() Option { return func(c *config) { c.noCache = true } }

// MustNative makes it an error that the kernel cannot be compiled and loaded, instead of using the interpreter, and that the source of a plain
// function cannot be read, instead of calling the function for each element.
func MustNative() Option { return func(c *config) { c.mustNative = true } }

// ReportTo writes the report to w when the kernel has been made, and what [Kernel.Check] shows.
func ReportTo(w io.Writer) Option { return func(c *config) { c.report = w } }
