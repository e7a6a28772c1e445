package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const ufuncPath = "github.com/go-yolk/yolk/ufunc"

// listed is what go list says about a package.
type listed struct {
	ImportPath, Name, Dir     string
	Deps                      []string // import paths, all the way down
	GoFiles, CgoFiles         []string
	TestGoFiles, XTestGoFiles []string
	Module                    *struct {
		Main    bool
		Replace *struct{ Version string }
	}
	Error *struct{ Err string }
}

// own reports whether the package's directory is one that the user works in, and not the standard library or a module cache.
func (p *listed) own() bool {
	m := p.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// function is what PACKAGE.FUNC names.
type function struct {
	spelled string // as the user spells it
	name    string
	dir     string // where go commands about it run
	pkg     listed
	hidden  []string      // files of the package that are left out
	beside  bool          // the package cannot be given a test that uses it: it is not the user's, or yolk is made of it
	decl    *ast.FuncDecl // nil if it is a variable
}

// locate finds the function that the user spells.
func locate(ctx context.Context, spelled string) (*function, error) {
	dot := strings.LastIndexByte(spelled, '.')
	if dot < 0 || !token.IsIdentifier(spelled[dot+1:]) {
		return nil, misused("%q is not PACKAGE.FUNC, such as ./examples/gelu.gelu or example.com/module/package.Func", spelled)
	}
	f := &function{spelled: spelled, name: spelled[dot+1:]}
	if err := f.locatePackage(ctx, spelled[:dot]); err != nil {
		return nil, err
	}
	return f, f.find()
}

// locatePackage finds the package that the user spells; "" is that of the working directory.
func (f *function) locatePackage(ctx context.Context, pattern string) error {
	if pattern == "" {
		pattern = "."
	}
	if strings.Contains(pattern, "...") || strings.HasPrefix(pattern, "-") {
		return misused("%q is not one package", pattern)
	}
	if directory(pattern) {
		if info, err := os.Stat(pattern); err != nil || !info.IsDir() {
			return misused("there is no directory %s (PACKAGE.FUNC is split at its last dot; methods cannot be kernels)", pattern)
		}
		f.dir, pattern = pattern, "."
	}
	return f.list(ctx, pattern)
}

// directory reports whether PACKAGE is spelled as one, by the rules of the go command.
func directory(pattern string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(pattern), "/")
	return first == "." || first == ".." || filepath.IsAbs(pattern)
}

// list asks the go command for the package, and whether ufunc is there for what will import it.
func (f *function) list(ctx context.Context, pattern string) error {
	args := []string{"list", "-e"}
	if len(f.hidden) > 0 {
		overlay, remove, err := f.withoutHidden()
		if err != nil {
			return err
		}
		defer remove()
		args = append(args, "-overlay", overlay)
	}
	text, err := goCommand(ctx, f.dir, append(args, "-json=ImportPath,Name,Dir,Deps,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Module,Error",
		"--", pattern, ufuncPath)...)
	if err != nil {
		return err
	}
	var packages []listed // one, if the package is ufunc
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		return fmt.Errorf("go list says nothing about %s", pattern)
	}
	i := slices.IndexFunc(packages, func(p listed) bool { return p.ImportPath == ufuncPath })
	if i < 0 {
		return fmt.Errorf("go list says nothing about %s", ufuncPath)
	}
	ufunc := packages[i]
	f.pkg = packages[(i+1)%len(packages)]
	if e := f.pkg.Error; e != nil {
		return usageError{errors.New(e.Err)}
	}
	if e := ufunc.Error; e != nil {
		return fmt.Errorf("the module of %s does not see yolk: run go get %s there (%s)", f.pkg.ImportPath, ufuncPath, e.Err)
	}
	f.beside = !f.pkg.own() || f.pkg.ImportPath == ufuncPath || slices.Contains(ufunc.Deps, f.pkg.ImportPath)
	return nil
}

// withoutHidden writes an overlay for the go command in which the hidden files are not there.
func (f *function) withoutHidden() (path string, remove func(), err error) {
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return "", nil, err
	}
	replace := map[string]string{}
	for _, base := range f.hidden {
		replace[filepath.Join(dir, base)] = ""
	}
	temp, err := os.MkdirTemp("", "yolk-")
	if err != nil {
		return "", nil, err
	}
	path, err = writeOverlay(temp, replace)
	if err != nil {
		os.RemoveAll(temp)
		return "", nil, err
	}
	return path, func() { os.RemoveAll(temp) }, nil
}

// writeOverlay writes what the flag -overlay of the go command reads.
func writeOverlay(dir string, replace map[string]string) (path string, err error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}

// find looks for the declaration.
func (f *function) find() error {
	var candidates []string
	variable := false
	fset := token.NewFileSet()
	for _, base := range slices.Concat(f.pkg.GoFiles, f.pkg.CgoFiles) {
		file, err := parser.ParseFile(fset, filepath.Join(f.pkg.Dir, base), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					continue
				}
				if d.Name.Name == f.name {
					f.decl = d
				}
				if likely(d) && (!f.beside || d.Name.IsExported()) {
					candidates = append(candidates, d.Name.Name)
				}
			case *ast.GenDecl:
				variable = variable || d.Tok == token.VAR && declares(d, f.name)
			}
		}
	}
	switch {
	case f.decl == nil && !variable && len(candidates) == 0:
		return misused("package %s has no function %s, and no function of floats", f.pkg.ImportPath, f.name)
	case f.decl == nil && !variable:
		slices.Sort(candidates)
		return misused("package %s has no function %s; functions of floats there are: %s", f.pkg.ImportPath, f.name, strings.Join(candidates, ", "))
	case f.name == "_" || f.decl != nil && f.name == "init":
		return misused("%s cannot be named", f.name)
	case f.beside && !token.IsExported(f.name):
		return misused("%s is not exported, and package %s is not in your module, or a part of yolk", f.name, f.pkg.ImportPath)
	case f.beside && f.pkg.Name == "main":
		return misused("package %s is a program of another module, which cannot be imported", f.pkg.ImportPath)
	}
	return nil
}

func declares(d *ast.GenDecl, name string) bool {
	for _, spec := range d.Specs {
		for _, n := range spec.(*ast.ValueSpec).Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}

// likely reports whether a function has parameters and results, all of the types that kernels have or of its own type
// parameters.
func likely(d *ast.FuncDecl) bool {
	known := append([]string{"float32", "float64", "ufunc.Value"}, names(d.Type.TypeParams)...)
	for _, fields := range []*ast.FieldList{d.Type.Params, d.Type.Results} {
		if fields.NumFields() == 0 {
			return false
		}
		for _, t := range spread(fields) {
			if !slices.Contains(known, t) {
				return false
			}
		}
	}
	return true
}

// names are those that a field list declares.
func names(fields *ast.FieldList) []string {
	var all []string
	if fields != nil {
		for _, f := range fields.List {
			for _, n := range f.Names {
				all = append(all, n.Name)
			}
		}
	}
	return all
}

// spread is the type of every parameter or result; "" where it is neither a name nor package.Name.
func spread(fields *ast.FieldList) []string {
	var all []string
	for _, f := range fields.List {
		text := ""
		switch t := f.Type.(type) {
		case *ast.Ident:
			text = t.Name
		case *ast.SelectorExpr:
			if p, ok := t.X.(*ast.Ident); ok {
				text = p.Name + "." + t.Sel.Name
			}
		}
		for range max(1, len(f.Names)) {
			all = append(all, text)
		}
	}
	return all
}

// instance checks the type arguments of -type against the declaration and returns them.
func (f *function) instance(types string) ([]string, error) {
	var params []string
	if f.decl != nil {
		params = names(f.decl.Type.TypeParams)
	}
	var args []string
	if types != "" {
		args = strings.Split(types, ",")
	}
	for i, a := range args {
		args[i] = strings.TrimSpace(a)
		if !token.IsIdentifier(args[i]) {
			return nil, misused("-type %s: %q is not the name of a type", types, a)
		}
	}
	switch {
	case len(params) == 0 && len(args) > 0:
		return nil, misused("%s is not generic: leave -type out", f.spelled)
	case len(params) > 0 && len(args) == 0:
		return nil, misused("%s is generic in %s: say for which types with -type, such as -type %s", f.spelled, strings.Join(params, ", "),
			strings.TrimSuffix(strings.Repeat("float32,", len(params)), ","))
	case len(params) != len(args):
		return nil, misused("%s has %d type parameters, -type gives %d", f.spelled, len(params), len(args))
	}
	return args, nil
}

// goCommand runs the go command and returns what it prints.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("the go command is needed to build the function: %w", err)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
