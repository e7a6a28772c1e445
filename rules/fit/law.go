package fit

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Law is the form as a law in the notation of package rules: of a name, for the operation called op.
func (f *Form) Law(name, op string) string {
	if f.program != nil {
		return f.programLaw(name, op)
	}
	w := writer{arg: "x", cuts: f.cuts()}
	var with []string
	x, result := "x", "%s"
	if f.Arithmetic != f.Type {
		x, w.arg, result = "w", "w", typeName(f.Type)+"(%s)"
		with = append(with, "w = "+typeName(f.Arithmetic)+"(x)")
	}
	if f.fold != none {
		w.arg = "a"
		with = append(with, "a = abs("+x+")")
	}
	u := w.arg
	if shift := w.tree(f.column(func(c piece) float64 { return c.shift })); shift != "0" {
		u = "(" + u + " - " + shift + ")"
	}
	if f.scale != 1 {
		u += "*" + number(f.scale)
	}
	if u != w.arg && f.Degree > 0 {
		with = append(with, "u = "+u)
		u = "u"
	}
	coef := func(k int) string { return w.tree(f.column(func(c piece) float64 { return c.coefs[k] })) }
	y := coef(f.Degree)
	if f.Degree == 0 {
		y = fmt.Sprintf("select(%s == %[1]s, %s, %[1]s)", w.arg, y) // NaN stays NaN
	}
	for k := f.Degree - 1; k >= 0; k-- {
		v := fmt.Sprint("y", k)
		with = append(with, fmt.Sprintf("%s = fma(%s, %s, %s)", v, u, y, coef(k)))
		y = v
	}
	if n := len(with); f.Degree > 0 {
		_, y, _ = strings.Cut(with[n-1], " = ") // the last step stands on the right side itself
		with = with[:n-1]
	}
	if f.fold == odd {
		y = "copysign(1, " + x + ")*" + y
	}
	if f.zero {
		y = fmt.Sprintf("select(%s == 0, %s, %s)", x, zeroText(f.F, x), y)
	}
	y = fmt.Sprintf(result, y)
	return f.lawText(name, op, y, with)
}

// lawText is the law that op of x is a term in the definitions that follow it.
func (f *Form) lawText(name, op, term string, with []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s(x) ~> %s\n", name, op, term)
	for i, d := range with {
		lead, end := "     ", ";"
		if i == 0 {
			lead = "with "
		}
		if i == len(with)-1 {
			end = ""
		}
		fmt.Fprintf(&b, "  %s%s%s\n", lead, d, end)
	}
	fmt.Fprintf(&b, "  for %s on %s <= x && x <= %s within %s %s ! afn\n", typeName(f.Type), number(f.Lo), number(f.Hi),
		strconv.FormatFloat(f.Tolerance.Value, 'g', -1, 64), unit(f.Tolerance.Unit))
	return b.String()
}

// zeroText is a zero with the signs that the function's zero at 0 has, where v is the argument.
func zeroText(f func(float64) float64, v string) string {
	plus, minus := math.Signbit(f(0)), math.Signbit(f(math.Copysign(0, -1)))
	switch {
	case !plus && minus:
		return v
	case plus && !minus:
		return "-" + v
	case plus:
		return "-0"
	}
	return "0"
}

// ops counts the operations of the pieces.
func (f *Form) ops() int {
	w := writer{cuts: f.cuts(), compared: map[int]bool{}}
	n := f.Degree
	if w.tree(f.column(func(c piece) float64 { return c.shift })) != "0" {
		n++
	}
	if f.scale != 1 {
		n++
	}
	if f.Degree == 0 {
		n = 2
		w.selects, w.compared = 0, map[int]bool{}
	}
	for k := range f.Degree + 1 {
		w.tree(f.column(func(c piece) float64 { return c.coefs[k] }))
	}
	if f.zero {
		n += 2
	}
	return n + w.selects + len(w.compared)
}

// cuts are the joints between the pieces.
func (f *Form) cuts() []float64 {
	var cuts []float64
	for _, c := range f.pieces[1:] {
		cuts = append(cuts, c.lo)
	}
	return cuts
}

// column is a number of every piece.
func (f *Form) column(of func(piece) float64) []float64 {
	var out []float64
	for _, c := range f.pieces {
		out = append(out, of(c))
	}
	return out
}

// writer writes choices by the argument and counts what they take.
type writer struct {
	arg      string
	cuts     []float64
	selects  int
	compared map[int]bool // cuts that are asked for; nil: not counted
}

// tree chooses among a number for every piece by halves, and does not choose among equal ones.
func (w *writer) tree(values []float64) string { return w.part(values, 0) }

func (w *writer) part(values []float64, first int) string {
	same := true
	for _, v := range values {
		same = same && math.Float64bits(v) == math.Float64bits(values[0])
	}
	if same {
		return number(values[0])
	}
	m := len(values) / 2
	w.selects++
	if w.compared != nil {
		w.compared[first+m-1] = true
	}
	return fmt.Sprintf("select(%s < %s, %s, %s)", w.arg, number(w.cuts[first+m-1]), w.part(values[:m], first), w.part(values[m:], first+m))
}

// number writes a number exactly: short decimals as such, everything else in hexadecimal.
func number(v float64) string {
	if v == 0 {
		return strconv.FormatFloat(v, 'f', -1, 64) // 0 or -0
	}
	const short = 8
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if r, ok := new(big.Rat).SetString(text); ok && len(text) <= short && r.Cmp(new(big.Rat).SetFloat64(v)) == 0 {
		return text
	}
	return strconv.FormatFloat(v, 'x', -1, 64)
}
