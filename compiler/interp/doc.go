// Package interp gives an [ir.Func] its meaning, four times.
//
//   - [Program] executes it bit by bit: every operation rounds once in its type. It is the reference for native code and
//     the executor where there is none.
//   - [Wide] computes the truth: the function over the reals, with a bound on the error of the answer.
//   - [FoldReal] and [FoldTyped] evaluate one operation on constants, over the reals and in the type.
//   - [Transfer] evaluates one operation on intervals.
//
// A user's operation has its meaning from its [ir.Def]; [FoldCallReal] and [FoldCallTyped] fold it.
//
// In goes a verified function; nothing here knows of rules, costs or machines. A function may hold operations that no
// machine has (exp, pow, ...).
//
// Program's elementary functions are package math's, in float32 computed in float64 and rounded. Wide works in
// double-double arithmetic (Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic", TOMS 2017) and, where its bound is too wide, in balls with a midpoint of up to 4096 bits.
package interp
