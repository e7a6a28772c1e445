package ir

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrSyntax is wrapped by every error of Parse that is about the text and not about the function.
var ErrSyntax = errors.New("ir: syntax error")

// Parse reads the text form of String and verifies the function. Errors about the text carry name:line:column. defs are the
// operations that calls may name.
func Parse(name, text string, defs ...*Def) (*Func, error) {
	p := &parser{name: name, lines: strings.Split(text, "\n"), defs: defs}
	f, err := p.parse()
	if err != nil {
		return nil, err
	}
	if err := Verify(f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func (p *parser) typ() (Type, error) {
	t, err := ParseType(p.word())
	if err != nil {
		return Invalid, p.fault("%v", err)
	}
	return t, nil
}

// parse reads one function and nothing else.
func (p *parser) parse() (*Func, error) {
	f, err := p.function()
	if err != nil {
		return nil, err
	}
	if ok, err := p.advance(); err != nil {
		return nil, err
	} else if ok {
		return nil, p.fault("text after the function")
	}
	return f, nil
}

// function reads the lines of a function.
func (p *parser) function() (*Func, error) {
	f := &Func{}
	if err := p.require("want a function"); err != nil {
		return nil, err
	}
	if err := p.header(f); err != nil {
		return nil, err
	}
	for {
		if err := p.require("the function does not end"); err != nil {
			return nil, err
		}
		if p.field[0].text == "return" {
			break
		}
		read := p.node
		if len(f.Nodes) == 0 && strings.HasPrefix(p.field[0].text, "t") {
			read = p.table
		}
		if err := read(f); err != nil {
			return nil, err
		}
	}
	p.word()
	for p.next < len(p.field) {
		v, err := p.value(f)
		if err != nil {
			return nil, err
		}
		f.Results = append(f.Results, v)
	}
	return f, p.brace()
}

// brace reads a line that is }.
func (p *parser) brace() error {
	if err := p.require("want }"); err != nil {
		return err
	}
	if err := p.expect("}"); err != nil {
		return err
	}
	return p.end()
}

func (p *parser) header(f *Func) error {
	if err := p.expect("func"); err != nil {
		return err
	}
	var err error
	if f.Name, err = p.quoted(); err != nil {
		return err
	}
	if err := p.expect("("); err != nil {
		return err
	}
	for p.next < len(p.field) && p.field[p.next].text != ")" {
		if len(f.Params) > 0 {
			if err := p.expect(","); err != nil {
				return err
			}
		}
		param := Parameter{Fact: Unknown}
		if param.Name, err = p.quoted(); err != nil {
			return err
		}
		if param.Type, err = p.typ(); err != nil {
			return err
		}
		if p.next < len(p.field) && p.field[p.next].text == "in" {
			if param.Fact, err = p.fact(); err != nil {
				return err
			}
		}
		f.Params = append(f.Params, param)
	}
	if err := p.expect(")"); err != nil {
		return err
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	return p.end()
}

// end checks that the line has no more fields.
func (p *parser) end() error {
	if p.next < len(p.field) {
		return p.fault("unexpected %q", p.word())
	}
	return nil
}

// fact reads "in [lo, hi]" and the flags.
func (p *parser) fact() (Fact, error) {
	p.word()
	var bound [2]float64
	for i, open := range []string{"[", ","} {
		if err := p.expect(open); err != nil {
			return Fact{}, err
		}
		x, err := strconv.ParseFloat(p.word(), 64)
		if err != nil || x != x {
			return Fact{}, p.fault("want a number")
		}
		bound[i] = x
	}
	if bound[0] > bound[1] {
		return Fact{}, p.fault("no number is in [%g, %g]", bound[0], bound[1])
	}
	if err := p.expect("]"); err != nil {
		return Fact{}, err
	}
	fact := Between(bound[0], bound[1])
	for p.next < len(p.field) {
		switch p.field[p.next].text {
		case "integer":
			fact.Integer = true
		case "nonzero":
			fact.NonZero = true
		default:
			return fact, nil
		}
		p.next++
	}
	return fact, nil
}

func (p *parser) value(f *Func) (Value, error) {
	w := p.word()
	n, err := strconv.ParseUint(strings.TrimPrefix(w, "v"), 10, 32)
	if err != nil || !strings.HasPrefix(w, "v") {
		return 0, p.fault("want a value such as v0, not %q", w)
	}
	if n >= uint64(len(f.Nodes)) {
		return 0, p.fault("%s is not defined yet", w)
	}
	return Value(n), nil
}

func (p *parser) node(f *Func) error {
	if w := p.word(); w != fmt.Sprintf("v%d", len(f.Nodes)) {
		return p.fault("want v%d, not %q", len(f.Nodes), w)
	}
	if err := p.expect("="); err != nil {
		return err
	}
	name, pin := strings.CutSuffix(p.word(), ".pin")
	op, err := ParseOp(name)
	if err != nil {
		return p.fault("%v", err)
	}
	n := Node{Op: op, Pin: pin}
	if n.Type, err = p.typ(); err != nil {
		return err
	}
	switch op {
	case Param:
		n.Imm, err = p.param(f)
	case Const:
		n.Imm, err = p.constant(n.Type)
	case Real:
		n.Imm, err = p.real(f)
	default:
		if op.Call() {
			n.Imm, err = p.def(f, op)
		} else if op == Lookup {
			n.Imm, err = p.tableIndex(f)
		}
		if err != nil {
			break
		}
		for i := range op.Info().Arity {
			if n.Args[i], err = p.value(f); err != nil {
				break
			}
		}
	}
	switch {
	case err != nil:
		return err
	case op == Loop:
		n.Imm, err = p.body(f)
	case op == Proj:
		n.Imm, err = strconv.ParseUint(p.word(), 10, 32)
		if err != nil {
			return p.fault("want the number of a variable")
		}
	}
	if err != nil {
		return err
	}
	if p.next < len(p.field) {
		p.word()
		return p.fault("%v takes no more operands", op)
	}
	f.Nodes = append(f.Nodes, n)
	return nil
}

func (p *parser) param(f *Func) (uint64, error) {
	name, err := p.quoted()
	if err != nil {
		return 0, err
	}
	i := len(f.Nodes)
	if i >= len(f.Params) || f.Params[i].Name != name {
		return 0, p.fault("parameter %q is out of place", name)
	}
	return uint64(i), nil
}

// body reads the body of a loop: the rest of its line, the function's lines, and }.
func (p *parser) body(f *Func) (uint64, error) {
	if err := p.expect("{"); err != nil {
		return 0, err
	}
	if err := p.end(); err != nil {
		return 0, err
	}
	if p.depth++; p.depth > maxNesting {
		return 0, p.fault("loops are nested deeper than %d", maxNesting)
	}
	body, err := p.function()
	p.depth--
	if err != nil {
		return 0, err
	}
	return f.AddBody(body), p.brace()
}

// def reads the name of the operation that op calls.
func (p *parser) def(f *Func, op Op) (uint64, error) {
	name, err := p.quoted()
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(p.defs, func(d *Def) bool { return d != nil && d.Name == name })
	if i < 0 {
		return 0, p.fault("no operation %q is defined", name)
	}
	d := p.defs[i]
	if d.Op() != op {
		return 0, p.fault("%s takes %d operands, %v has %d", name, d.Arity, op, op.Info().Arity)
	}
	return f.Define(d), nil
}
