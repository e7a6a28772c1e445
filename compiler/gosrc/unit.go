package gosrc

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// unit is what has been parsed and checked of a package.
type unit struct {
	fset  *token.FileSet
	files []*ast.File // the function's file first
	pkg   *types.Package
	info  *types.Info
	errs  []types.Error // of the type checker: only those in the kernel matter
	decls map[types.Object]*ast.FuncDecl
	ops   operations

	complete bool                       // all files of the package have been parsed
	changes  map[types.Object]token.Pos // where package variables may be changed, as far as that has been asked
}

func parse(src *source) (*unit, error) {
	u := &unit{fset: token.NewFileSet()}
	return u, u.parseFile(src, src.base)
}

func (u *unit) parseFile(src *source, base string) error {
	text, err := src.read(base)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	file, err := parser.ParseFile(u.fset, src.display+base, text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	u.files = append(u.files, file)
	return nil
}

// parseSiblings parses the rest of the package and reports whether there is any. Test files belong to it only if the function's file is one.
func (u *unit) parseSiblings(src *source) (bool, error) {
	entries, err := fs.ReadDir(src.fsys, src.dir)
	if err != nil {
		return false, nil // a file system without directories has no siblings
	}
	context := buildContext()
	context.JoinPath = path.Join
	context.OpenFile = func(name string) (io.ReadCloser, error) { return src.fsys.Open(name) }
	first := u.files[0].Name.Name
	for _, e := range entries {
		name := e.Name()
		if name == src.base || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(src.base, "_test.go") {
			continue
		}
		if match, err := context.MatchFile(src.dir, name); err != nil || !match {
			continue
		}
		if err := u.parseFile(src, name); err != nil {
			return false, err
		}
		if last := len(u.files) - 1; u.files[last].Name.Name != first {
			u.files = u.files[:last]
		}
	}
	return len(u.files) > 1, nil
}

// buildContext is what decided which files are part of this program. The go command writes it into the program.
func buildContext() build.Context {
	context := build.Default
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return context
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "-tags":
			context.BuildTags = append(context.BuildTags, strings.Split(s.Value, ",")...)
		case "-race", "-msan", "-asan":
			if s.Value == "true" {
				context.BuildTags = append(context.BuildTags, s.Key[1:])
			}
		case "CGO_ENABLED":
			context.CgoEnabled = s.Value == "1"
		}
	}
	return context
}

// check finds the types of everything that can be typed.
func (u *unit) check(path string) {
	u.info = &types.Info{
		Types:     map[ast.Expr]types.TypeAndValue{},
		Defs:      map[*ast.Ident]types.Object{},
		Uses:      map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	u.errs, u.changes = nil, map[types.Object]token.Pos{}
	config := types.Config{
		Importer:    newPackages(u.ops, path),
		FakeImportC: true,
		Error:       func(err error) { u.errs = append(u.errs, err.(types.Error)) },
	}
	u.pkg, _ = config.Check(path, u.fset, u.files, u.info) // the errors are in u.errs
	u.decls = map[types.Object]*ast.FuncDecl{}
	for _, file := range u.files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				u.decls[u.info.Defs[fn.Name]] = fn
			}
		}
	}
}

func (u *unit) position(pos token.Pos) token.Position { return u.fset.Position(pos) }

// function is a declaration or a literal.
type function struct {
	name string
	sig  *types.Signature
	body *ast.BlockStmt
	obj  types.Object // of a declaration
	lit  *ast.FuncLit
}

// find returns the function that sym names, which is in the first file.
func (u *unit) find(sym symbol) (*function, error) {
	if sym.literal() {
		return u.findLiteral(sym)
	}
	for _, d := range u.files[0].Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != sym.name {
			continue
		}
		if fn.Body == nil {
			return nil, fmt.Errorf("%w: %v: %s has no body: it is written in assembly", ErrSource, u.position(fn.Pos()), sym.name)
		}
		obj := u.info.Defs[fn.Name]
		return &function{name: sym.name, sig: obj.Type().(*types.Signature), body: fn.Body, obj: obj}, nil
	}
	return nil, fmt.Errorf("%w: %s declares no function %s; it has changed since the program was built",
		ErrSource, u.position(u.files[0].Package).Filename, sym.name)
}

// findLiteral returns the innermost literal around the line of sym. Two that start on one line cannot be told apart.
func (u *unit) findLiteral(sym symbol) (*function, error) {
	var best []*ast.FuncLit
	ast.Inspect(u.files[0], func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		start, end := u.position(lit.Pos()).Line, u.position(lit.End()).Line
		if start > sym.line || sym.line > end {
			return true
		}
		if len(best) > 0 && u.position(best[0].Pos()).Line < start {
			best = best[:0]
		}
		best = append(best, lit)
		return true
	})
	at := fmt.Sprintf("%s:%d", u.position(u.files[0].Package).Filename, sym.line)
	switch len(best) {
	case 0:
		return nil, fmt.Errorf("%w: %s: no function literal there; the file has changed since the program was built", ErrSource, at)
	case 1:
	default:
		return nil, fmt.Errorf("%w: %s: %d function literals start on this line and share a position; give each its own line, or a name",
			ErrUnsupported, at, len(best))
	}
	sig, ok := u.info.Types[best[0]].Type.(*types.Signature)
	if !ok {
		return nil, fmt.Errorf("%w: %s: the literal has no type", ErrSource, at)
	}
	start := u.position(best[0].Pos())
	name := fmt.Sprintf("%s:%d", filepath.Base(start.Filename), start.Line)
	return &function{name: name, sig: sig, body: best[0].Body, lit: best[0]}, nil
}
