// Package piecewise makes programs for a function of one variable as a whole: polynomials on pieces of equal width, their
// coefficients looked up in small tables.
//
// In: a [Problem], that is a function by its values in double-double precision, its domain, a floating-point type and the
// error allowed at each point. Out: [Form]s, each of which writes its operations into an [ir.Builder]. A form is a proposal:
// its error is estimated where it is made, and measured by whoever uses it.
//
// What makes a function fit is found out from its values, not from how it is written:
//
//   - lines that it approaches at infinity, or at the ends of a wide domain: pieces are needed only in between;
//   - symmetry: even, odd, or even but for a ramp max(x, 0): pieces for |x| serve both halves;
//   - a zero of order one at 0: the polynomials are multiplied with x, or the piece around 0 has no constant term, so that the
//     relative error is small there and signs of zero are right.
//
// The pieces are centred on multiples of their width, so that 0 is a centre. The piece's number is in the last bits of
// x·s + 1.5·2^(p-1), p being the bits of a significand; what that rounds away is the polynomial's variable. Beyond an end that is a line
// the piece is constant and exact, so that infinite arguments give the limit.
//
// The polynomials are interpolated at Chebyshev's points in double-double and economised, which is within a few per cent of
// the best where the next term dominates, as it does on small pieces (L. N. Trefethen, Approximation Theory and
// Approximation Practice, 2013, chapters 4 and 16). It takes some hundred evaluations and well under a millisecond.
//
// The package is pure and deterministic. It knows no rule, no machine and no name of a function.
package piecewise
