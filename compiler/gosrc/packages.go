package gosrc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler/elementary"
	"github.com/go-yolk/yolk/compiler/ir"
)

const (
	mathPath        = "math"
	ufuncPath       = "github.com/go-yolk/yolk/ufunc"
	constraintsPath = "golang.org/x/exp/constraints"
)

// libraryFunction is a function that a kernel may call: an operation of ir, or a row of package elementary.
type libraryFunction struct {
	op  ir.Op
	def *ir.Def
	own bool // not in package math
}

func (f libraryFunction) arity() int {
	if f.def != nil {
		return f.def.Arity
	}
	return f.op.Info().Arity
}

// unlike says why a function of package math is not the operation of its name unless an operand is a finite constant; "" if it is.
// math.Min(-Inf, NaN) is -Inf and math.Max(+Inf, NaN) is +Inf, where the operations are NaN as the builtin functions are.
func (f libraryFunction) unlike(path, name string) string {
	if path != mathPath || f.op != ir.Min && f.op != ir.Max {
		return ""
	}
	return fmt.Sprintf("math.%s of two variables is infinite for some NaN; write ufunc.%[1]s or the builtin function", name)
}

// functions are those of package math, which are over float64, and of package ufunc, which are generic, that a kernel may call.
var functions = map[string]libraryFunction{
	"Abs":         {op: ir.Abs},
	"Acos":        {def: elementary.Acos},
	"Acosh":       {def: elementary.Acosh},
	"Asin":        {def: elementary.Asin},
	"Asinh":       {def: elementary.Asinh},
	"Atan":        {def: elementary.Atan},
	"Atan2":       {def: elementary.Atan2},
	"Atanh":       {def: elementary.Atanh},
	"Cbrt":        {def: elementary.Cbrt},
	"Ceil":        {op: ir.Ceil},
	"Copysign":    {op: ir.Copysign},
	"Cos":         {def: elementary.Cos},
	"Cosh":        {def: elementary.Cosh},
	"Elu":         {def: elementary.Elu, own: true},
	"Erf":         {def: elementary.Erf},
	"Erfc":        {def: elementary.Erfc},
	"Exp":         {op: ir.Exp},
	"Exp2":        {def: elementary.Exp2},
	"Expm1":       {op: ir.Expm1},
	"FMA":         {op: ir.FMA},
	"Floor":       {op: ir.Floor},
	"Gelu":        {def: elementary.Gelu, own: true},
	"GeluTanh":    {def: elementary.GeluTanh, own: true},
	"Hypot":       {def: elementary.Hypot},
	"Ldexp":       {op: ir.Ldexp, own: true}, // package math's takes an int
	"Log":         {op: ir.Log},
	"Log10":       {def: elementary.Log10},
	"Log1p":       {def: elementary.Log1p},
	"Log2":        {def: elementary.Log2},
	"Logb":        {op: ir.Logb},
	"Max":         {op: ir.Max},
	"Min":         {op: ir.Min},
	"Mish":        {def: elementary.Mish, own: true},
	"Mod":         {def: elementary.Fmod},
	"Pow":         {op: ir.Pow},
	"Remainder":   {def: elementary.Remainder},
	"RoundToEven": {op: ir.Rint},
	"Rsqrt":       {def: elementary.Rsqrt, own: true},
	"Selu":        {def: elementary.Selu, own: true},
	"Sigmoid":     {def: elementary.Sigmoid, own: true},
	"Sign":        {def: elementary.Sign, own: true},
	"Silu":        {def: elementary.Silu, own: true},
	"Sin":         {def: elementary.Sin},
	"Sinh":        {def: elementary.Sinh},
	"Softplus":    {def: elementary.Softplus, own: true},
	"Sqrt":        {op: ir.Sqrt},
	"Tan":         {def: elementary.Tan},
	"Tanh":        {op: ir.Tanh},
	"Trunc":       {op: ir.Trunc},
}

// supported tells users which functions there are.
var supported = "of package math only " + strings.Join(slices.Sorted(maps.Keys(functions)), ", ") + ", Inf, IsInf, IsNaN, Modf, NaN, Signbit and Sincos are known"

// narrows are the functions whose float32 form is meant by float32(math.F(float64(x))). Rounding twice is exact or harmless for Abs, Ceil,
// Copysign, Floor, Logb, Max, Min, RoundToEven, Sqrt (Figueroa 1995) and Trunc, and gives the correctly rounded value of the others but for about one
// argument in 2^29. A narrowed FMA is another value.
var narrows = map[ir.Op]bool{
	ir.Abs: true, ir.Copysign: true, ir.Exp: true, ir.Expm1: true, ir.Log: true, ir.Logb: true, ir.Pow: true, ir.Rint: true,
	ir.Sqrt: true, ir.Tanh: true, ir.Min: true, ir.Max: true, ir.Floor: true, ir.Ceil: true, ir.Trunc: true,
}

// mathConstants are package math's, in the words of its documentation.
const mathConstants = `
const (
	E       = 2.71828182845904523536028747135266249775724709369995957496696763
	Pi      = 3.14159265358979323846264338327950288419716939937510582097494459
	Phi     = 1.61803398874989484820458683436563811772030917980576286213544862
	Sqrt2   = 1.41421356237309504880168872420969807856967187537694807317667974
	SqrtE   = 1.64872127070012814684865078781416357165377610071014801157507931
	SqrtPi  = 1.77245385090551602729816748334114518279754945612238712821380779
	SqrtPhi = 1.27201964951406896425242246173749149171560804184009624861664038
	Ln2     = 0.693147180559945309417232121458176568075500134360255254120680009
	Log2E   = 1 / Ln2
	Ln10    = 2.30258509299404568401799145468436420760110148862877297603332790
	Log10E  = 1 / Ln10

	MaxFloat32             = 0x1p127 * (1 + (1 - 0x1p-23))
	SmallestNonzeroFloat32 = 0x1p-126 * 0x1p-23
	MaxFloat64             = 0x1p1023 * (1 + (1 - 0x1p-52))
	SmallestNonzeroFloat64 = 0x1p-1022 * 0x1p-52

	intSize   = 32 << (^uint(0) >> 63)
	MaxInt    = 1<<(intSize-1) - 1
	MinInt    = -1 << (intSize - 1)
	MaxInt8   = 1<<7 - 1
	MinInt8   = -1 << 7
	MaxInt16  = 1<<15 - 1
	MinInt16  = -1 << 15
	MaxInt32  = 1<<31 - 1
	MinInt32  = -1 << 31
	MaxInt64  = 1<<63 - 1
	MinInt64  = -1 << 63
	MaxUint   = 1<<intSize - 1
	MaxUint8  = 1<<8 - 1
	MaxUint16 = 1<<16 - 1
	MaxUint32 = 1<<32 - 1
	MaxUint64 = 1<<64 - 1
)
`

// packages holds the packages that a kernel may import, as types only.
type packages map[string]*types.Package

// Import is that of types.Importer. Other packages are unknown, which matters only where a kernel uses them.
func (p packages) Import(path string) (*types.Package, error) {
	if pkg, ok := p[path]; ok {
		return pkg, nil
	}
	return nil, fmt.Errorf("package %s is unknown to kernels", path)
}

// newPackages leaves out users' operations of the package own, whose source is there.
func newPackages(ops operations, own string) packages {
	var m, u, b strings.Builder
	b.WriteString(bitsText())
	m.WriteString("package math\n" + mathConstants + "func Inf(sign int) float64\nfunc NaN() float64\n")
	for name, signature := range predicates {
		fmt.Fprintf(&m, "func %s%s\n", name, signature)
	}
	for name, f := range pairs {
		fmt.Fprintf(&m, "func %s%s\n", name, f.signature)
	}
	u.WriteString("package ufunc\ntype Float interface{ ~float32 | ~float64 }\n")
	for name, f := range functions {
		params := strings.Join([]string{"x", "y", "z"}[:f.arity()], ", ")
		if !f.own {
			fmt.Fprintf(&m, "func %s(%s float64) float64\n", name, params)
		}
		fmt.Fprintf(&u, "func %s[T Float](%s T) T { panic(0) }\n", name, params)
	}
	texts := map[string]*strings.Builder{mathPath: &m, ufuncPath: &u, bitsPath: &b}
	for _, op := range ops {
		if op.pkg == own {
			continue
		}
		text := texts[op.pkg]
		if text == nil {
			text = new(strings.Builder)
			text.WriteString("package " + op.pkgName + "\n")
			texts[op.pkg] = text
		}
		text.WriteString(op.declaration())
	}
	p := packages{constraintsPath: synthesise(constraintsPath, "package constraints\ntype Float interface{ ~float32 | ~float64 }\n")}
	for path, text := range texts {
		p[path] = synthesise(path, text.String())
	}
	return p
}

func synthesise(path, text string) *types.Package {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		panic("gosrc: " + err.Error())
	}
	pkg, err := new(types.Config).Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		panic("gosrc: " + err.Error())
	}
	return pkg
}
