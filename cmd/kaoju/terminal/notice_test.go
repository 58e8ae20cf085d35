package terminal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
)

// source is that of a package of the product, without its tests.
type source struct {
	files  []*ast.File
	values map[string]ast.Expr // of its constants
}

func sourceOf(t *testing.T, name string) source {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "internal", name)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := source{values: map[string]ast.Expr{}}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.files = append(s.files, f)
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok {
				for i := range v.Values {
					s.values[v.Names[i].Name] = v.Values[i]
				}
			}
			return true
		})
	}
	return s
}

// noticesGiven reads off the source which notices runs are given: what stands where one is passed on.
func noticesGiven(t *testing.T) []string {
	t.Helper()
	packages := map[string]source{"agent": sourceOf(t, "agent"), "run": sourceOf(t, "run"), "citation": sourceOf(t, "citation"), "llm": sourceOf(t, "llm")}
	var word func(in string, e ast.Expr) (string, bool)
	word = func(in string, e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.BasicLit:
			s, err := strconv.Unquote(e.Value)
			return s, err == nil
		case *ast.Ident:
			if v, ok := packages[in].values[e.Name]; ok {
				return word(in, v)
			}
		case *ast.SelectorExpr:
			if of, ok := e.X.(*ast.Ident); ok {
				if v, ok := packages[of.Name].values[e.Sel.Name]; ok {
					return word(of.Name, v)
				}
			}
		}
		return "", false
	}
	// How many arguments of a function stand before a notice, and who only hands on what it was given.
	before, hands := map[string]int{"notice": 0, "note": 1, "conclude": 2}, []string{"notice", "note", "conclude"}
	found := map[string]bool{}
	for _, f := range packages["agent"].files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || slices.Contains(hands, fn.Name.Name) {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || call.Ellipsis.IsValid() {
					return true
				}
				skip, ok := before[calledName(call)]
				if !ok {
					return true
				}
				for _, arg := range call.Args[min(skip, len(call.Args)):] {
					n, ok := word("agent", arg)
					if !ok {
						t.Errorf("%s gives a notice that can't be read off the source", fn.Name.Name)
					}
					found[n] = true
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func TestEveryNoticeOfTheProductHasWordsInBothLanguages(t *testing.T) {
	all := noticesGiven(t)
	for _, known := range []string{"verifier_failed", "local_only", "addresses_withheld", "output_truncated", "output_filtered", "scope_changed", "sources_disagree", "machine_words_left_out", "as_of"} {
		if !slices.Contains(all, known) {
			t.Errorf("%s was not found in the source, only %v", known, all)
		}
	}
	for _, w := range []Words{chineseWords, englishWords} {
		for _, n := range all {
			if w.notice[n] == "" {
				t.Errorf("the notice %s has no words (Chinese: %v)", n, w.Chinese)
			}
		}
		for n := range w.notice {
			if !slices.Contains(all, n) {
				t.Errorf("%s has words (Chinese: %v), and nothing gives it", n, w.Chinese)
			}
		}
	}
	for question, want := range map[string]string{"上限": chineseWords.notice["verifier_failed"], "limit": englishWords.notice["verifier_failed"]} {
		var out strings.Builder
		Answer(&out, question, api.Answer{State: "completed", Answer: "650", Notices: []string{"verifier_failed"}})
		if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "verifier_failed") {
			t.Errorf("%s: %s", question, out.String())
		}
	}
}
