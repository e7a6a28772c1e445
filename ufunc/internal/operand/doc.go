// Package operand turns what a user hands to a kernel into loops over memory.
//
// In go Go values: slices, gonum vectors and matrices, scalars. [Describe] makes
// an [Operand] of each, an element type with a shape and signed byte strides;
// a [Plan] broadcasts the operands of one call against each other by NumPy's
// rules, copies the inputs that overlap an output, merges loops and gives the
// result out in two forms: [Plan.Args], the argument block of a native kernel,
// and [Plan.Walk], contiguous columns for an interpreter.
//
// The package never writes to a user's memory except in Walk, reads it only to
// copy or to fill columns, and knows nothing of what a kernel computes or of how
// it is run.
//
// Whether two operands share memory is decided exactly, as a bounded linear
// Diophantine equation, up to a work limit; the same approach serves NumPy's
// shares_memory.
package operand

import "errors"

// The errors of this package wrap one of these. The text that follows names the
// operand by role and position, counted from 1.
var (
	ErrCount   = errors.New("ufunc: wrong number of operands")
	ErrOperand = errors.New("ufunc: unsupported operand")
	ErrDType   = errors.New("ufunc: wrong element type")
	ErrShape   = errors.New("ufunc: shapes do not fit")
	ErrOverlap = errors.New("ufunc: output written twice")
)
