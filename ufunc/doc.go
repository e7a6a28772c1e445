// Package ufunc turns an ordinary Go function of scalars into a vector kernel.
//
//	var Gelu = ufunc.Vectorize(gelu, ufunc.Float32, 1)
//
//	Gelu(in, out) // []float32, blas32.Vector, blas32.General, any strides
//
// [Vectorize] finds the cheapest program for this machine whose measured error stays inside an accuracy contract, compiles
// it with the system's clang, and calls it over Go memory without cgo. Where there is no clang, the same program runs on an
// interpreter and gives the same bits; [Kernel.Report] says which of the two runs, and why.
//
// Elements are floats, integers, bools, and half precision in memory; kernels may mix them. Operands are slices, gonum's vectors and matrices, and
// [Array], a view with shape and strides; [Mask] chooses elements. Kernels of two inputs fold arrays ([Kernel.Reduce] and its like), and
// [VectorizeRows] makes kernels in which sums and extremes of a row are values.
//
// The function is either plain Go (func(x float32) float32: branches, loops, calls of math, math/bits and ufunc functions and of
// other such functions in its package), read from its source, or traced (func(x ufunc.Value) ufunc.Value), run once on
// symbolic values.
//
// Unless told otherwise a kernel promises: on every finite input its error is at most 4 ULP, or at most 4 times the largest
// error that the function as written has on inputs of the same sign and binade, whichever is larger; NaN where the function
// as written is NaN or has no real value, and nowhere else, but that there is no promise where it is NaN only because it has rounded or
// overflowed out of a domain on the way; the infinity that the mathematics has on overflow; at an infinite input what the written formula
// gives, or the limit where that is NaN. [WithinULP], [WithinAbs], [WithinRel] and
// [Domain] change the promise.
//
// A function that yolk lacks is defined with [NewOp]: its meaning as a Go function, and rules ([Rules]) that connect it to what
// yolk knows and lower it. examples/newop does that for two functions.
//
// The package owns no algorithm: front ends, optimiser, code generator and loader are packages of their own.
package ufunc
