package rules

import (
	"go/ast"
	"go/token"
	"math"
	"math/big"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/internal/bigfloat"
)

// number is a constant of a law: a real, or one of the values that only IEEE arithmetic has.
type number struct {
	real    *big.Float // nil for the special values; may be zero, then with its sign
	special float64    // Inf or NaN
}

// namedReals are the exact constants with names, to ir.RealPrec bits.
var namedReals = map[string]*big.Float{
	"pi":    bigfloat.Pi(ir.RealPrec),
	"ln2":   bigfloat.Ln2(ir.RealPrec),
	"log2e": bigfloat.Log2e(ir.RealPrec),
	"e_":    bigfloat.Exp(new(big.Float).SetPrec(ir.RealPrec).SetInt64(1)),
}

// maxExponent bounds the binary exponent of a literal: beyond every float64, and far from where arithmetic on big.Float
// becomes slow.
const maxExponent = 4096

// literal reads a number as Go writes it. It returns what is wrong, or "".
func literal(lit *ast.BasicLit) (number, string) {
	text := lit.Value
	if lit.Kind != token.INT && lit.Kind != token.FLOAT {
		return number{}, text + " is not a real number"
	}
	if len(text) > 1 && text[0] == '0' && '0' <= text[1] && text[1] <= '9' {
		return number{}, text + ": a number may not begin with 0"
	}
	x, _, err := big.ParseFloat(text, 0, ir.RealPrec, big.ToNearestEven)
	if err != nil {
		return number{}, text + " is not a number"
	}
	mantissa := text
	if !strings.HasPrefix(text, "0x") && !strings.HasPrefix(text, "0X") {
		mantissa, _, _ = strings.Cut(strings.ToLower(text), "e")
	} else {
		mantissa, _, _ = strings.Cut(strings.ToLower(text[2:]), "p")
	}
	if x.IsInf() || x.Sign() == 0 && strings.ContainsAny(mantissa, "123456789abcdef") || x.MantExp(nil) > maxExponent || x.MantExp(nil) < -maxExponent {
		return number{}, text + " is out of range"
	}
	return number{real: x}, ""
}

// negate returns -n.
func (n number) negate() number {
	if n.real == nil {
		return number{special: -n.special}
	}
	return number{real: new(big.Float).Neg(n.real)}
}

// constant reads the expressions that are one constant without arithmetic: literals, names and their negation.
func constant(e ast.Expr) (number, bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.BasicLit:
		n, wrong := literal(e)
		return n, wrong == ""
	case *ast.Ident:
		switch e.Name {
		case "inf":
			return number{special: math.Inf(1)}, true
		case "nan":
			return number{special: math.NaN()}, true
		}
		x, ok := namedReals[e.Name]
		return number{real: x}, ok
	case *ast.UnaryExpr:
		if n, ok := constant(e.X); ok && e.Op == token.SUB {
			return n.negate(), true
		}
	}
	return number{}, false
}
