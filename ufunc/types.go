package ufunc

import (
	"errors"

	"github.com/go-yolk/yolk/compiler/accuracy"
	"github.com/go-yolk/yolk/compiler/extract"
	"github.com/go-yolk/yolk/compiler/gosrc"
	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/compiler/trace"
	"github.com/go-yolk/yolk/jit"
	"github.com/go-yolk/yolk/ufunc/internal/operand"

	"github.com/go-yolk/yolk/compiler"
)

// DType is an element type.
type DType = ir.Type

// The element types.
const (
	Bool     DType = ir.Bool
	Int8     DType = ir.Int8
	Int16    DType = ir.Int16
	Int32    DType = ir.Int32
	Int64    DType = ir.Int64
	Uint8    DType = ir.Uint8
	Uint16   DType = ir.Uint16
	Uint32   DType = ir.Uint32
	Uint64   DType = ir.Uint64
	Float16  DType = ir.Float16  // stored alone: see F16
	BFloat16 DType = ir.BFloat16 // stored alone: see BF16
	Float32  DType = ir.Float32
	Float64  DType = ir.Float64
)

// Number is the Go types of elements that arithmetic is done in.
type Number interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// F16 is an element of a Float16 operand. A kernel for Float16 is one of float32: its inputs are widened when they are loaded, and its
// outputs rounded, once, when they are stored.
type F16 = ir.F16

// BF16 is an element of a BFloat16 operand: a float32 without the lower half of its bits. Kernels for BFloat16 are as those for Float16.
type BF16 = ir.BF16

// ToF16 rounds to the nearest F16, ties to even.
func ToF16(x float32) F16 { return ir.ToF16(x) }

// ToBF16 rounds to the nearest BF16, ties to even.
func ToBF16(x float32) BF16 { return ir.ToBF16(x) }

// Value is a scalar of a traced function. Its methods build the function's expression: x.Mul(y), x.Tanh().
type Value = trace.Value

// Const is a constant in a traced function. It takes the type of the values that it meets.
func Const(x float64) Value { return trace.Const(x) }

// Where is a where cond holds and b elsewhere, in a traced function; cond comes from a comparison, such as x.Less(y).
func Where(cond, a, b Value) Value { return trace.Where(cond, a, b) }

// While is a loop in a traced function: vars are first, and become body(vars) as long as cond(vars) holds, for each element. cond and body are run
// once, on Values that stand for the variables; they may use Values from outside. Where cond never fails the kernel does not end.
//
//	steps := ufunc.While(
//		func(v []ufunc.Value) ufunc.Value { return v[0].Greater(ufunc.Const(1)) },
//		func(v []ufunc.Value) []ufunc.Value { return []ufunc.Value{v[0].Mul(ufunc.Const(0.5)), v[1].Add(ufunc.Const(1))} },
//		x, ufunc.Const(0))[1]
func While(cond func(vars []Value) Value, body func(vars []Value) []Value, first ...Value) []Value {
	return trace.While(cond, body, first...)
}

// Licence is a set of liberties with floating-point semantics, in LLVM's words; see [Allow] and [Deny].
type Licence = ir.Licence

// The licences. The default grants Reassoc, Contract, ARecip and ApproxFunc.
const (
	Reassoc    Licence = ir.Reassoc    // identities over the reals may move rounding
	Contract   Licence = ir.Contract   // a*b + c may be rounded once
	ARecip     Licence = ir.ARecip     // a/b may become a*(1/b)
	ApproxFunc Licence = ir.ApproxFunc // a function may be replaced by an approximation
	NoNaN      Licence = ir.NoNaN      // no NaN occurs
	NoInf      Licence = ir.NoInf      // no infinity occurs
	NoSignZero Licence = ir.NoSignZero // the sign of zero does not matter
)

// CostModel gives the cost of every operation; see [Cost].
type CostModel = ir.CostTable

// DemoCosts is the cost model of the published GELU demonstration: tanh 100, square root and power 50, anything else 1.
func DemoCosts() *CostModel {
	return ir.Uniform(1).Set(ir.Tanh, 100).Set(ir.Sqrt, 50).Set(ir.Pow, 50)
}

// The errors that calls wrap; Func panics with the same values.
var (
	ErrCount       = operand.ErrCount      // wrong number of operands
	ErrOperand     = operand.ErrOperand    // an operand of a kind that kernels do not take, or nil
	ErrDType       = operand.ErrDType      // wrong element type
	ErrShape       = operand.ErrShape      // shapes that do not broadcast, or too many dimensions
	ErrOverlap     = operand.ErrOverlap    // an output element written twice
	ErrNoForm      = extract.ErrNoForm     // a function that no rule can turn into machine operations
	ErrSource      = gosrc.ErrSource       // the Go source of a function cannot be found or is not what was compiled
	ErrUnsupported = gosrc.ErrUnsupported  // a construct of Go that kernels do not support
	ErrTrace       = trace.ErrTrace        // a traced function that cannot be traced
	ErrAccuracy    = compiler.ErrAccuracy  // no program keeps the accuracy contract
	ErrNative      = jit.ErrUnavailable    // native code cannot be loaded on this platform
	ErrTolerance   = accuracy.ErrTolerance // an input at which a kernel breaks its contract
	ErrSweep       = accuracy.ErrSweep     // Verify of a kernel with too many inputs to try them all
	ErrNoClang     = jit.ErrNoClang        // no clang that can be used
	ErrTarget      = errors.New("ufunc: this machine does not run the target")
	ErrDivide      = errors.New("ufunc: integer division by zero") // the outputs are undefined
)
