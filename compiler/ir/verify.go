package ir

import (
	"errors"
	"fmt"
)

// ErrInvalid is wrapped by every error of Verify.
var ErrInvalid = errors.New("ir: invalid function")

// Verify checks that f is well formed: parameters first and in order, operands before uses, types by the operations' rules,
// indices in range, definitions complete and of different names, at least one result. The error names the node.
func Verify(f *Func) error { return verify(f, 0) }

func verify(f *Func, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("%w %q: loops are nested deeper than %d", ErrInvalid, f.Name, maxNesting)
	}
	for i, body := range f.Bodies {
		if body == nil {
			return fmt.Errorf("%w %q: body %d does not exist", ErrInvalid, f.Name, i)
		}
		if err := verify(body, depth+1); err != nil {
			return err
		}
	}
	fault := func(v int, format string, args ...any) error {
		return fmt.Errorf("%w %q: v%d: %s", ErrInvalid, f.Name, v, fmt.Sprintf(format, args...))
	}
	if err := verifyDefs(f); err != nil {
		return err
	}
	for i, n := range f.Nodes {
		if n.Op == OpInvalid || n.Op >= NumOps {
			return fault(i, "%v is not an operation", n.Op)
		}
		var types [3]Type
		for j, a := range n.Operands() {
			if int(a) >= i {
				return fault(i, "operand %d is v%d, which comes later", j, a)
			}
			types[j] = f.Nodes[a].Type
		}
		for _, a := range n.Args[n.Op.Info().Arity:] {
			if a != 0 {
				return fault(i, "%v has a spare operand", n.Op)
			}
		}
		if _, err := n.Op.ResultType(n.Type, types[:n.Op.Info().Arity]...); err != nil {
			return fault(i, "%v", err)
		}
		if n.Type == Invalid {
			return fault(i, "%v has no type", n.Op)
		}
		if i < len(f.Params) && n.Op != Param {
			return fault(i, "%v comes before parameter %d", n.Op, i)
		}
		switch n.Op {
		case Param:
			if int(n.Imm) != i || i >= len(f.Params) || f.Params[i].Type != n.Type {
				return fault(i, "parameter %d is out of place or of another type", n.Imm)
			}
		case Const:
			if bits := 8 * n.Type.Size(); bits < 64 && n.Imm>>bits != 0 || n.Type == Bool && n.Imm > 1 {
				return fault(i, "a constant of type %v has bits %#x", n.Type, n.Imm)
			}
		case Real:
			if n.Imm >= uint64(len(f.Reals)) || f.Reals[n.Imm] == nil || f.Reals[n.Imm].IsInf() || f.Reals[n.Imm].Sign() == 0 {
				return fault(i, "exact constant %d does not exist, is infinite or zero", n.Imm)
			}
		case Call1, Call2, Call3:
			if n.Imm >= uint64(len(f.Defs)) {
				return fault(i, "definition %d does not exist", n.Imm)
			}
			if d := f.Defs[n.Imm]; d.Op() != n.Op {
				return fault(i, "%v of %s, which takes %d operands", n.Op, d.Name, d.Arity)
			}
		case Lookup:
			if n.Imm >= uint64(len(f.Tables)) {
				return fault(i, "table %d does not exist", n.Imm)
			}
			if err := f.Tables[n.Imm].Check(n.Type); err != nil {
				return fault(i, "%v", err)
			}
		case Append, Loop, Proj:
			if n.Op == Append && n.Imm != 0 {
				return fault(i, "%v has an immediate", n.Op)
			}
			if err := verifyLoop(f, n); err != nil {
				return fault(i, "%v", err)
			}
		default:
			if n.Imm != 0 {
				return fault(i, "%v has an immediate", n.Op)
			}
		}
		switch {
		case n.Pin && n.Op.Leaf():
			return fault(i, "a leaf is pinned")
		case n.Pin && n.Op.Info().Shape == ShapeLoop:
			return fault(i, "%v is pinned", n.Op)
		}
	}
	if len(f.Nodes) < len(f.Params) {
		return fmt.Errorf("%w %q: %d parameters but %d nodes", ErrInvalid, f.Name, len(f.Params), len(f.Nodes))
	}
	if len(f.Results) == 0 {
		return fmt.Errorf("%w %q: no result", ErrInvalid, f.Name)
	}
	for i, r := range f.Results {
		if int(r) >= len(f.Nodes) {
			return fmt.Errorf("%w %q: result %d is v%d, which does not exist", ErrInvalid, f.Name, i, r)
		}
		if f.Nodes[r].Type == Tuple {
			return fmt.Errorf("%w %q: result %d is a tuple", ErrInvalid, f.Name, i)
		}
	}
	return nil
}
