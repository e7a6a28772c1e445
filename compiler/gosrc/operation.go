package gosrc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Call binds a user's operation to the Go function that stands for it in kernels: a declared function of float64, or any
// instance of a generic one. Calls of that function are operations; its body is not looked at. A function literal or a method has
// no name by which a kernel could call it; it is bound to nothing, which is no error.
type Call struct {
	Func any
	Def  *ir.Def
}

// operations are the bindings, in the order of the options.
type operations []bound

type bound struct {
	*ir.Def
	pkg, name string // import path, and name in it
	pkgName   string // the name in its package clause
	generic   bool
}

func bind(calls []Call) (operations, error) {
	var ops operations
	for _, c := range calls {
		if err := c.Def.Check(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
		}
		v := reflect.ValueOf(c.Func)
		if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumIn() != c.Def.Arity || v.Type().NumOut() != 1 {
			return nil, fmt.Errorf("%w: %T cannot stand for the operation %s of %d operands", ErrUnsupported, c.Func, c.Def.Name, c.Def.Arity)
		}
		sym := symbolOf(v.Pointer())
		if sym.literal() || strings.ContainsAny(sym.name, ".-") {
			continue
		}
		if d := ops.def(sym.pkg, sym.name); d != nil {
			if d != c.Def {
				return nil, fmt.Errorf("%w: %s.%s stands for two operations, %s and %s", ErrUnsupported, sym.pkg, sym.name, d.Name, c.Def.Name)
			}
			continue
		}
		ops = append(ops, bound{Def: c.Def, pkg: sym.pkg, name: sym.name, pkgName: packageName(sym), generic: sym.generic})
	}
	return ops, nil
}

// def is the operation that a function stands for, nil if there is none.
func (ops operations) def(pkg, name string) *ir.Def {
	for _, op := range ops {
		if op.pkg == pkg && op.name == name {
			return op.Def
		}
	}
	return nil
}

// declaration is the head of the Go function, for packages whose source is not read.
func (op *bound) declaration() string {
	params := strings.Join([]string{"x", "y", "z"}[:op.Arity], ", ")
	if op.generic {
		return fmt.Sprintf("func %s[T interface{ ~float32 | ~float64 }](%s T) T { panic(0) }\n", op.name, params)
	}
	return fmt.Sprintf("func %s(%s float64) float64\n", op.name, params)
}

var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

// packageName reads the name of the package that declares sym. Without its source the import path has to do.
func packageName(sym symbol) string {
	if src, err := open(sym.file, nil); err == nil {
		if text, err := src.read(src.base); err == nil {
			if file, err := parser.ParseFile(token.NewFileSet(), src.base, text, parser.PackageClauseOnly); err == nil {
				return file.Name.Name
			}
		}
	}
	name := path.Base(majorVersion.ReplaceAllString(sym.pkg, ""))
	if !token.IsIdentifier(name) {
		return "operations"
	}
	return name
}

// operate adds a call of a user's operation at expression e.
func (t *translator) operate(e ast.Node, d *ir.Def, args []ir.Value) ir.Value {
	v, err := t.b.Call(d, args...)
	if err != nil {
		t.refuse(e.Pos(), "%v", err)
	}
	t.made[v] = operation{d.Op(), d, args}
	return v
}
