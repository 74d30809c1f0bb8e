package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// Bounds of hand-written code outside tests. What outgrows them has two
// subjects.
const (
	maxFileLines = 400
	maxFuncLines = 70
)

// shapeless are package names that say where code was put and not what it is.
var shapeless = []string{
	"util", "utils", "common", "type", "types", "model", "models", "helper", "helpers", "misc", "shared", "base", "core", "lib",
}

// packageNames reports names that fit everything.
func packageNames(t tree) []string {
	var faults []string
	for _, f := range t.files {
		if name := strings.TrimSuffix(f.syntax.Name.Name, "_test"); slices.Contains(shapeless, name) {
			faults = append(faults, fmt.Sprintf("%s: package %s says nothing; name it after what it owns, or move its code to its one user", f.path, name))
		}
	}
	return faults
}

// packageComments reports packages that do not say what they are for.
func packageComments(t tree) []string {
	documented := map[string]bool{}
	var order []string
	for _, f := range t.files {
		if f.test {
			continue
		}
		if _, seen := documented[f.dir]; !seen {
			order = append(order, f.dir)
		}
		documented[f.dir] = documented[f.dir] || text(f.syntax.Doc) != ""
	}
	var faults []string
	for _, dir := range order {
		if !documented[dir] {
			faults = append(faults, dir+": the package has no comment; say above its package clause what it owns")
		}
	}
	return faults
}

// initFunctions reports code that runs because something was imported.
func initFunctions(t tree) []string {
	var faults []string
	for _, f := range t.files {
		if f.generated {
			continue
		}
		for _, fn := range f.functions() {
			if fn.Recv == nil && fn.Name.Name == "init" {
				faults = append(faults, f.at(fn)+": func init runs unasked; build the value in a constructor")
			}
		}
	}
	return faults
}

// sleeps reports tests that sleep in real time: they are slow where they pass and
// fail where the machine is slow. In a bubble of testing/synctest sleep costs nothing.
func sleeps(t tree) []string {
	var faults []string
	for _, f := range t.files {
		if !f.test || slices.Contains(f.imports(), "testing/synctest") {
			continue
		}
		for node := range ast.Preorder(f.syntax) {
			if call, ok := node.(*ast.SelectorExpr); ok && isSleep(call) {
				faults = append(faults, f.at(call)+": time.Sleep in real time; wait for the event, or use testing/synctest")
			}
		}
	}
	return faults
}

func isSleep(call *ast.SelectorExpr) bool {
	from, ok := call.X.(*ast.Ident)
	return ok && from.Name == "time" && call.Sel.Name == "Sleep"
}

// sizes reports files and functions that are too long to have one subject.
func sizes(t tree) []string {
	var faults []string
	for _, f := range t.handwritten() {
		if f.lines > maxFileLines {
			faults = append(faults, fmt.Sprintf("%s: %d lines, at most %d; give each subject a file", f.path, f.lines, maxFileLines))
		}
		for _, fn := range f.functions() {
			if lines := f.span(fn); lines > maxFuncLines {
				faults = append(faults, fmt.Sprintf("%s: %s has %d lines, at most %d; name its steps", f.at(fn), fn.Name.Name, lines, maxFuncLines))
			}
		}
	}
	return faults
}

// documentation reports exported names without a comment. A comment above a
// group of constants or variables counts for all of it.
func documentation(t tree) []string {
	var faults []string
	for _, f := range t.handwritten() {
		for _, declaration := range f.syntax.Decls {
			for _, name := range undocumented(declaration) {
				faults = append(faults, fmt.Sprintf("%s: %s has no comment; say what it means", f.at(name), name.Name))
			}
		}
	}
	return faults
}

func undocumented(declaration ast.Decl) []*ast.Ident {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && receiverIsExported(d) && text(d.Doc) == "" {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		return undocumentedSpecs(d)
	}
	return nil
}

func undocumentedSpecs(d *ast.GenDecl) []*ast.Ident {
	var names []*ast.Ident
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			// A comment above a group of types is not one about each of them.
			if text(s.Doc, s.Comment) == "" && (d.Lparen.IsValid() || text(d.Doc) == "") {
				names = append(names, s.Name)
			}
			if contract, ok := s.Type.(*ast.InterfaceType); ok && s.Name.IsExported() {
				names = append(names, undocumentedMethods(contract)...)
			}
		case *ast.ValueSpec:
			if text(d.Doc, s.Doc, s.Comment) == "" {
				names = append(names, s.Names...)
			}
		}
	}
	return slices.DeleteFunc(names, func(name *ast.Ident) bool { return !name.IsExported() })
}

// undocumentedMethods holds interfaces of more than one method to a comment for
// each: they are contracts. The comment of the type is that of a single method.
func undocumentedMethods(contract *ast.InterfaceType) []*ast.Ident {
	if contract.Methods.NumFields() < 2 {
		return nil
	}
	var names []*ast.Ident
	for _, method := range contract.Methods.List {
		if text(method.Doc, method.Comment) == "" {
			names = append(names, method.Names...)
		}
	}
	return names
}

func receiverIsExported(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	receiver := fn.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return true
		}
	}
}

// text is the prose of comments; directives are none.
func text(groups ...*ast.CommentGroup) string {
	var all strings.Builder
	for _, group := range groups {
		all.WriteString(group.Text())
	}
	return strings.TrimSpace(all.String())
}
