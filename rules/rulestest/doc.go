// Package rulestest checks laws by numbers, before anyone may use them.
//
// A set of laws goes in, findings come out: a law that is false, one whose licences are not those that it needs, an
// approximation that exceeds its bound, a law that can never fire, each with the arguments that show it. A law without a
// licence must hold bit for bit (NaN payloads apart). nnan, ninf and nsz are inferred from the counterexamples and must
// be exactly those declared. A law with reassoc, arcp, contract or afn must hold over the reals, may not lose a value
// that its left side has, and may not swallow a NaN argument. An approximation is measured against the truth over its
// whole domain. In the sense of this package "checked" is a sample, dense at the special values and at the ends of
// domains; [Options] makes it denser.
//
// The method is that of property testing against exact arithmetic, as Herbie (Panchekha et al. 2015) samples inputs by
// their bits and Alive-NJ (Menendez and Nagarakatte 2017) infers the weakest licences. The package knows no law.
package rulestest
