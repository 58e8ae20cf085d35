// Package archtest holds the architecture as data, and the checks that keep the code to it.
//
// A Policy says which package may import which, which library lives behind which package, and
// which calls belong to one place only, each with the reason. The tests of this package read the
// whole source tree, without building it, and fail with the rule and its reason. A package that
// has no row in the table fails too, so that a new one is placed before it grows.
//
// Nothing imports this package; it is not part of the program.
package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the path under which the packages of the tree import each other.
const Module = "github.com/kaoju/kaoju"

// Tree is the parsed source of a module.
type Tree struct {
	Fset     *token.FileSet
	Packages []*Package // in order of their directories
}

// Package is one directory of Go files.
type Package struct {
	Dir   string // relative to the root, with slashes: "internal/access"
	Name  string // of its production files, or of its tests if it has no other
	Files []*File
}

// File is one Go file.
type File struct {
	Path  string
	Test  bool // a _test.go file
	Lines int
	AST   *ast.File
}

// Load parses every Go file below the root of fsys. Hidden directories and testdata are left
// out, as the go command leaves them out. A file that does not parse is an error.
func Load(fsys fs.FS) (*Tree, error) {
	t := &Tree{Fset: token.NewFileSet()}
	dirs := map[string]*Package{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && module(fsys, name) {
				return fs.SkipDir // a module of its own has its own rules; the product can't import it
			}
			return skipDir(name)
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		return t.add(fsys, name, dirs)
	})
	if err != nil {
		return nil, err
	}
	for _, p := range dirs {
		t.Packages = append(t.Packages, p)
	}
	slices.SortFunc(t.Packages, func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
	return t, nil
}

// module reports whether a directory is the root of a module.
func module(fsys fs.FS, dir string) bool {
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}

// skipDir returns fs.SkipDir for directories that hold no source of the module.
func skipDir(name string) error {
	base := path.Base(name)
	if name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "kaoju-data" || base == "node_modules") {
		return fs.SkipDir
	}
	return nil
}

// add parses one file and puts it into its package.
func (t *Tree) add(fsys fs.FS, name string, dirs map[string]*Package) error {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(t.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parse %s: %w", name, err)
	}
	dir := path.Dir(name)
	p := dirs[dir]
	if p == nil {
		p = &Package{Dir: dir}
		dirs[dir] = p
	}
	f := &File{Path: name, Test: strings.HasSuffix(name, "_test.go"), Lines: lines(src), AST: parsed}
	p.Files = append(p.Files, f)
	if p.Name == "" || !f.Test {
		p.Name = strings.TrimSuffix(parsed.Name.Name, "_test")
	}
	return nil
}

func lines(src []byte) int {
	n := strings.Count(string(src), "\n")
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}

// Imports returns the import paths of a file, in order.
func (f *File) Imports() []string {
	var out []string
	for _, spec := range f.AST.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// local returns the name under which a file refers to an import path; "" if it does not import it.
func (f *File) local(importPath string) string {
	for _, spec := range f.AST.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(importPath)
	}
	return ""
}

// line returns the line of a position in its file.
func (t *Tree) line(pos token.Pos) int { return t.Fset.Position(pos).Line }

// at renders a position for a message.
func (t *Tree) at(pos token.Pos) string {
	p := t.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}
