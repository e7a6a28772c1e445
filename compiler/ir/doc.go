// Package ir is the typed scalar program that every stage of the compiler reads and writes.
//
// A [Func] is the λ of an RVSDG (Reissmann et al. 2020): pure operations in
// topological order over float32, float64 and bool. Front ends build it, the e-graph is filled from it and extracted
// to it, interp evaluates it, native prints it as LLVM IR; before and after optimisation it is the same type, so one
// printer, parser and verifier serve every stage.
//
// The package holds the table of operations ([Op]: one row each) and nothing that depends on a rule, a cost or a machine. Users'
// operations ([Def]) are no rows: their definitions travel with the functions that call them.
package ir
