// Package accuracy decides whether a program keeps its contract, by measurement.
//
// The meaning of a function is its value over the reals (interp.Wide). A [Contract] is made from the function as written
// and a [Tolerance]; it draws a stratified sample of the domain, evaluates the truth there, and judges candidate programs,
// which come as *ir.Func, or outputs that a kernel has produced. What comes out is a [Certificate], or a [*Violation] that
// names the input.
//
// The package knows nothing of rules, costs or machines: it neither makes candidates nor chooses among them.
package accuracy
