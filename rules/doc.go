// Package rules holds the mathematics that the compiler may use, as text.
//
// A law is one line of a *.rules file: a name, two Go expressions with an arrow between them, and clauses that say where
// the law holds, for which type, within what error and with which licences. [Parse] reads such text into a [Set] of
// *egraph.Rewrite; the package's own files, one theory each, are the package variables [Ring], [Field] and so on.
// README.md is the handbook for whoever adds a law; package rulestest checks laws numerically.
//
//	add-zero:     x + 0     => x                                                       ! nsz
//	pow-step:     pow(x, n) => x * pow(x, n - 1)  where integer(n) && 1 <= n && n <= 6 ! reassoc
//	tanh-small:   tanh(x)   ~> x - x*x*x/3        on abs(x) <= 0.0625 within 1.3e-7 abs ! afn
//
// The package is policy only. It does not know how the e-graph matches or when lowering chooses a form, and it evaluates
// nothing: whether a law is true is rulestest's business. The notation follows the rule texts of Herbie (Panchekha et al.
// 2015) and egg (Willsey et al. 2021), with LLVM's words for the licences.
package rules
