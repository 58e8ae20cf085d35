package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// Limits are the sizes at which a check fails.
type Limits struct {
	File, TestFile, Function, Package, Methods, Parameters int
}

// Stop holds the sizes past which code has to be taken apart.
var Stop = Limits{File: 800, TestFile: 1000, Function: 100, Package: 5000, Methods: 10, Parameters: 8}

// Measure is the size of one package.
type Measure struct {
	Package             string
	Production, Test    int // lines
	Functions, Long     int // Long: over 60 lines
	LongestName         string
	Longest, LargerFile int
}

// Measures returns the size of each package, and what is past the limits. Files that import
// testing count as tests, whatever their name.
func Measures(t *Tree, limits Limits) ([]Measure, []Violation) {
	var all []Measure
	var out []Violation
	for _, pkg := range t.Packages {
		m := Measure{Package: pkg.Dir}
		for _, f := range pkg.Files {
			limit := limits.File
			if f.Test || slices.Contains(f.Imports(), "testing") {
				limit = limits.TestFile
				m.Test += f.Lines
			} else {
				m.Production += f.Lines
				m.LargerFile = max(m.LargerFile, f.Lines)
				out = append(out, m.functions(t, f, limits)...)
			}
			if f.Lines > limit {
				out = append(out, past(f.Path, count(f.Lines, "lines"), limit))
			}
		}
		if m.Production > limits.Package {
			out = append(out, past(pkg.Dir, count(m.Production, "lines"), limits.Package))
		}
		all = append(all, m)
	}
	return all, out
}

// functions measures the functions and interfaces of a production file.
func (m *Measure) functions(t *Tree, f *File, limits Limits) []Violation {
	var out []Violation
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			length := t.Fset.Position(n.End()).Line - t.Fset.Position(n.Pos()).Line + 1
			m.Functions++
			if length > 60 {
				m.Long++
			}
			if length > m.Longest {
				m.Longest, m.LongestName = length, n.Name.Name
			}
			if length > limits.Function {
				out = append(out, past(t.at(n.Pos()), n.Name.Name+" has "+count(length, "lines"), limits.Function))
			}
			if k := n.Type.Params.NumFields(); k > limits.Parameters {
				out = append(out, past(t.at(n.Pos()), n.Name.Name+" has "+count(k, "parameters"), limits.Parameters))
			}
		case *ast.InterfaceType:
			if k := n.Methods.NumFields(); k > limits.Methods {
				out = append(out, past(t.at(n.Pos()), "an interface has "+count(k, "methods"), limits.Methods))
			}
		}
		return true
	})
	return out
}

func past(where, what string, limit int) Violation {
	return Violation{where, what, fmt.Sprintf("The stop mark is %d; take it apart where its parts have names.", limit)}
}

// Report writes the measures as a table, the largest package first.
func Report(all []Measure) string {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Measure) int { return b.Production - a.Production })
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %7s %7s %6s %6s %6s  %s\n", "package", "lines", "tests", "ratio", "funcs", ">60", "longest function")
	var total Measure
	for _, m := range all {
		m.row(&b)
		total.Production += m.Production
		total.Test += m.Test
		total.Functions += m.Functions
		total.Long += m.Long
		if m.Longest > total.Longest {
			total.Longest, total.LongestName = m.Longest, m.LongestName
		}
	}
	total.Package = "all"
	total.row(&b)
	return b.String()
}

func (m Measure) row(b *strings.Builder) {
	ratio := "-"
	if m.Production > 0 {
		ratio = fmt.Sprintf("%.2f", float64(m.Test)/float64(m.Production))
	}
	fmt.Fprintf(b, "%-28s %7d %7d %6s %6d %6d  %s %d\n", m.Package, m.Production, m.Test, ratio, m.Functions, m.Long, m.LongestName, m.Longest)
}
