package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// CheckCalls finds uses of standard names outside the packages that may use them. It looks at
// production code; a mention of the name is enough, also as a value.
func (p Policy) CheckCalls(t *Tree) []Violation {
	var out []Violation
	for _, pkg := range t.Packages {
		row, _ := p.row(pkg.Dir)
		for _, f := range pkg.Files {
			if f.Test || row.TestOnly {
				continue
			}
			for _, c := range p.Calls {
				if !matches(c.Inside, pkg.Dir) {
					out = append(out, uses(t, f, c)...)
				}
			}
		}
	}
	return out
}

// uses returns the places where a file names what the call rule keeps elsewhere.
func uses(t *Tree, f *File, c Call) []Violation {
	local := f.local(c.Import)
	if local == "" {
		return nil
	}
	var out []Violation
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if star, ok := n.(*ast.StarExpr); ok && slices.Contains(c.Given, named(star.X, local)) {
			return false
		}
		if e, ok := n.(ast.Expr); ok && slices.Contains(c.Names, named(e, local)) {
			out = append(out, Violation{t.at(n.Pos()), "uses " + c.Import + "." + named(e, local), c.Reason})
		}
		return true
	})
	return out
}

// named returns the name that an expression takes from a package; "" if it takes none.
func named(e ast.Expr, local string) string {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if id, ok := sel.X.(*ast.Ident); ok && id.Name == local {
		return sel.Sel.Name
	}
	return ""
}

// CheckForm finds what no package may have: an init function, an import into its own names, no
// package comment, an exported name without one, a test that skips without saying why, or one that
// sleeps on the real clock.
func (p Policy) CheckForm(t *Tree) []Violation {
	var out []Violation
	for _, pkg := range t.Packages {
		documented, production := false, false
		for _, f := range pkg.Files {
			if f.Test {
				out = append(out, testForm(t, f)...)
				continue
			}
			production = true
			documented = documented || f.AST.Doc != nil
			out = append(out, fileForm(t, f)...)
		}
		if production && !documented {
			out = append(out, Violation{pkg.Dir, "has no package comment", "Every package opens with a paragraph that a newcomer can read."})
		}
	}
	return out
}

func fileForm(t *Tree, f *File) []Violation {
	var out []Violation
	undocumented := func(pos token.Pos, name string) {
		out = append(out, Violation{t.at(pos), "exported " + name + " has no comment", "What others may use says what it is and what it promises."})
	}
	for _, spec := range f.AST.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			out = append(out, Violation{f.Path, "imports " + spec.Path.Value + " into its own names", "Where a name comes from must be visible, also to these checks."})
		}
	}
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "init" && d.Recv == nil {
				out = append(out, Violation{t.at(d.Pos()), "declares init", "Work at import time can't be ordered, configured, or tested."})
			}
			if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
				undocumented(d.Pos(), d.Name.Name)
			}
		case *ast.GenDecl:
			if d.Tok != token.IMPORT && d.Doc == nil {
				for _, name := range bare(d) {
					undocumented(name.Pos(), name.Name)
				}
			}
		}
	}
	return out
}

// bare returns the exported names of a declaration's specs that have no comment of their own.
func bare(d *ast.GenDecl) []*ast.Ident {
	var out []*ast.Ident
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Doc == nil && s.Comment == nil && s.Name.IsExported() {
				out = append(out, s.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if s.Doc == nil && s.Comment == nil && name.IsExported() {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// exportedReceiver reports whether a function is a plain one, or a method of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// testForm looks at one test file for skips without a sentence, and for sleeps that no comment on
// their line explains.
func testForm(t *Tree, f *File) []Violation {
	var out []Violation
	clock, bubble, explained := f.local("time"), f.local("testing/synctest") != "", t.commented(f)
	ast.Inspect(f.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, _ := sel.X.(*ast.Ident)
		switch {
		case sel.Sel.Name == "SkipNow", (sel.Sel.Name == "Skip" || sel.Sel.Name == "Skipf") && id != nil && len(id.Name) <= 2 && !sentence(call):
			out = append(out, Violation{t.at(call.Pos()), "skips without a reason", "A skipped test says what is missing and how to get it."})
		case sel.Sel.Name == "Sleep" && id != nil && clock != "" && id.Name == clock && !bubble && !explained[t.line(call.Pos())]:
			out = append(out, Violation{t.at(call.Pos()), "sleeps on the real clock", "A test that waits for time is slow on one machine and wrong on another; testing/synctest has a clock of its own."})
		}
		return true
	})
	return out
}

// commented returns the lines of a file on which a comment ends: it may say why a line is as it is.
func (t *Tree) commented(f *File) map[int]bool {
	out := map[int]bool{}
	for _, group := range f.AST.Comments {
		out[t.line(group.End())] = true
	}
	return out
}

// sentence reports whether the first argument of a call is something longer than a word.
func sentence(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	return !ok || strings.Contains(lit.Value, " ")
}

// count writes a number with its noun.
func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, noun) }
