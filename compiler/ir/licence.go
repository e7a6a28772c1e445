package ir

import (
	"fmt"
	"strings"
)

// Licence is a set of liberties that a rewrite takes with floating-point semantics, in LLVM's words
// (LLVM Language Reference, "Fast-Math Flags"). A rule carries the set that it needs, a contract the set that it grants.
type Licence uint8

// The licences.
const (
	NoNaN       Licence = 1 << iota // nnan: no operand and no result is NaN
	NoInf                           // ninf: no operand and no result is infinite
	NoSignZero                      // nsz: the sign of zero does not matter
	ARecip                          // arcp: a/b may become a*(1/b)
	Contract                        // contract: a*b + c may be rounded once
	ApproxFunc                      // afn: a function may be replaced by an approximation
	Reassoc                         // reassoc: identities over the reals may move rounding
	numLicences = iota
)

// DefaultLicences is what a kernel grants unless told otherwise: rounding may move, special values may not change.
const DefaultLicences = Reassoc | Contract | ARecip | ApproxFunc

var licenceNames = [numLicences]string{"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}

// Has reports whether every licence of need is in l.
func (l Licence) Has(need Licence) bool { return l&need == need }

// String lists the licences, separated by a space.
func (l Licence) String() string {
	var names []string
	for i, name := range licenceNames {
		if l&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// ParseLicence reads one licence by LLVM's name.
func ParseLicence(name string) (Licence, error) {
	for i, n := range licenceNames {
		if n == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("ir: unknown licence %q (want one of %s)", name, strings.Join(licenceNames[:], ", "))
}
