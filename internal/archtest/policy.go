package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// Policy is an architecture as data.
type Policy struct {
	Rows   []Row
	Bans   []Ban
	Fences []Fence
	Calls  []Call
	// Names are package names that say nothing about what is inside.
	Names []string
}

// Row gives a package the internal packages that its production code may import. Paths are
// relative to the module.
type Row struct {
	Package string
	Imports []string
	// TestOnly marks a package that only tests may import; it may import testing itself.
	TestOnly bool
	Reason   string
}

// Ban is an edge that no row may grant, in tests neither where Tests is set. From and To are
// packages, or "internal/x/..." for a package and all below it.
type Ban struct {
	From, To []string
	Tests    bool
	Reason   string
}

// Fence keeps a library to the packages that may import it. Library is a path or the beginning
// of one.
type Fence struct {
	Library string
	Inside  []string // packages as in Ban; nil means tests alone
	Reason  string
}

// Call keeps names of a standard package to a few packages. A pointer to a type in Given may be
// named anywhere: it says that somebody else made the value.
type Call struct {
	Import string
	Names  []string
	Given  []string
	Inside []string
	Reason string
}

// Violation is one breach of a policy.
type Violation struct {
	Where  string // file, or package
	What   string
	Reason string
}

// String writes the violation in one line.
func (v Violation) String() string { return v.Where + ": " + v.What + ". " + v.Reason }

// CheckImports compares every import of the tree with the policy.
func (p Policy) CheckImports(t *Tree) []Violation {
	var out []Violation
	for _, pkg := range t.Packages {
		row, known := p.row(pkg.Dir)
		if !known {
			out = append(out, Violation{pkg.Dir, "the package has no row in the import table",
				"A new package is placed in the table, with its imports and its reason, before it grows."})
		}
		if slices.Contains(p.Names, pkg.Name) {
			out = append(out, Violation{pkg.Dir, "the package is named " + pkg.Name,
				"A package is named after what it holds; such a name collects whatever has no home."})
		}
		for _, f := range pkg.Files {
			for _, imp := range f.Imports() {
				if v, ok := p.checkImport(row, pkg, f, imp); ok {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// checkImport judges one import; ok is true if it is a violation.
func (p Policy) checkImport(row Row, pkg *Package, f *File, imp string) (Violation, bool) {
	test := f.Test || row.TestOnly
	rel, internal := strings.CutPrefix(imp, Module+"/")
	if internal {
		return p.checkInternal(row, pkg, f, rel, test)
	}
	if !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
		if !test && (imp == "testing" || strings.HasPrefix(imp, "testing/")) {
			return Violation{f.Path, "production code imports " + imp, "What only tests need must not reach the binary."}, true
		}
		return Violation{}, false
	}
	for _, fence := range p.Fences {
		if !under(imp, fence.Library) {
			continue
		}
		if test || matches(fence.Inside, pkg.Dir) {
			return Violation{}, false
		}
		return Violation{f.Path, "imports " + imp, fence.Reason}, true
	}
	return Violation{f.Path, "imports " + imp + ", which no fence places",
		"Every library has the packages that may import it, so that it can be replaced."}, true
}

// checkInternal judges an import of another package of the module.
func (p Policy) checkInternal(row Row, pkg *Package, f *File, to string, test bool) (Violation, bool) {
	for _, ban := range p.Bans {
		if (ban.Tests || !test) && to != pkg.Dir && matches(ban.From, pkg.Dir) && matches(ban.To, to) {
			return Violation{f.Path, "imports " + to, ban.Reason}, true
		}
	}
	if test {
		return Violation{}, false
	}
	if target, ok := p.row(to); ok && target.TestOnly {
		return Violation{f.Path, "production code imports " + to, "What only tests need must not reach the binary."}, true
	}
	if !matches(row.Imports, to) {
		return Violation{f.Path, "imports " + to + ", which its row does not list", row.Reason}, true
	}
	return Violation{}, false
}

// Contradictions returns rows that grant what a ban forbids, rows that stand twice, and rules
// without a reason: faults of the policy itself.
func (p Policy) Contradictions() []Violation {
	var out []Violation
	seen := map[string]bool{}
	for _, r := range p.Rows {
		if seen[r.Package] {
			out = append(out, Violation{r.Package, "has two rows", "Nobody can tell which one holds."})
		}
		seen[r.Package] = true
		if r.Reason == "" {
			out = append(out, Violation{r.Package, "its row has no reason", "A rule that nobody can explain will be loosened."})
		}
		for _, to := range r.Imports {
			for _, b := range p.Bans {
				if matches(b.From, r.Package) && matches(b.To, to) {
					out = append(out, Violation{r.Package, "its row grants " + to, b.Reason})
				}
			}
		}
	}
	for _, b := range p.Bans {
		if b.Reason == "" {
			out = append(out, Violation{fmt.Sprint(b.From), "a ban has no reason", "A rule that nobody can explain will be loosened."})
		}
	}
	for _, f := range p.Fences {
		if f.Reason == "" {
			out = append(out, Violation{f.Library, "a fence has no reason", "A rule that nobody can explain will be loosened."})
		}
	}
	return out
}

func (p Policy) row(dir string) (Row, bool) {
	for _, r := range p.Rows {
		if r.Package == dir {
			return r, true
		}
	}
	return Row{}, false
}

// matches reports whether dir is one of the packages, or lies below one written with "/...".
func matches(packages []string, dir string) bool {
	for _, p := range packages {
		if base, tree := strings.CutSuffix(p, "/..."); tree && under(dir, base) || p == dir {
			return true
		}
	}
	return false
}

// under reports whether path is base or lies below it.
func under(path, base string) bool {
	return path == base || strings.HasPrefix(path, base+"/")
}
