package archtest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// tree is the Go code of one module.
type tree struct {
	module string
	files  []file
}

// file is one Go file, parsed.
type file struct {
	path, dir string
	test      bool
	generated bool
	lines     int
	set       *token.FileSet
	syntax    *ast.File
}

// load parses every Go file of the module at the root of tree, in the order of
// their paths. Modules below it, test data and hidden folders are not part of it.
func load(root fs.FS) (tree, error) {
	module, err := moduleName(root)
	if err != nil {
		return tree{}, err
	}
	t := tree{module: module}
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && foreign(root, name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		f, err := parse(root, name)
		t.files = append(t.files, f)
		return err
	})
	return t, err
}

func moduleName(root fs.FS) (string, error) {
	text, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", errors.New("go.mod names no module")
}

// foreign follows the go command: it leaves out what it cannot build into this
// module.
func foreign(root fs.FS, dir string) bool {
	base := path.Base(dir)
	if base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil
}

func parse(root fs.FS, name string) (file, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return file{}, err
	}
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return file{}, fmt.Errorf("parse: %w", err)
	}
	return file{
		path: name, dir: path.Dir(name), set: set, syntax: syntax,
		test: strings.HasSuffix(name, "_test.go"), generated: ast.IsGenerated(syntax), lines: bytes.Count(text, []byte("\n")),
	}, nil
}

// imports are the paths that the file imports.
func (f file) imports() []string {
	var paths []string
	for _, spec := range f.syntax.Imports {
		// The parser has checked that it is a quoted string.
		imported, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, imported)
	}
	return paths
}

// functions are the functions and methods that the file declares.
func (f file) functions() []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, declaration := range f.syntax.Decls {
		if fn, ok := declaration.(*ast.FuncDecl); ok {
			all = append(all, fn)
		}
	}
	return all
}

// handwritten are the files that people write and that become part of a binary.
func (t tree) handwritten() []file {
	var files []file
	for _, f := range t.files {
		if !f.test && !f.generated {
			files = append(files, f)
		}
	}
	return files
}

// at is where a node stands, as an editor opens it.
func (f file) at(node ast.Node) string {
	return fmt.Sprintf("%s:%d", f.path, f.set.Position(node.Pos()).Line)
}

// span counts the lines of a node.
func (f file) span(node ast.Node) int {
	return f.set.Position(node.End()).Line - f.set.Position(node.Pos()).Line + 1
}
