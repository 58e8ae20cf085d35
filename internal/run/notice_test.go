package run_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
)

// A notice that is left out of the list would go out without words.
func TestTheListOfNoticesIsWhole(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "notice.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{citation.SourcesDisagree}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.CONST {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				word, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, word)
			}
			return true
		})
	}
	got := run.Notices()
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || len(got) < 15 {
		t.Error(diff)
	}
}

func TestWhatAGeneratorRemarksIsANotice(t *testing.T) {
	if llm.MachineWordsLeftOut != run.MachineWordsLeftOut || llm.SourcesDisagree != citation.SourcesDisagree {
		t.Errorf("%s and %s are remarked, %s and %s are notices", llm.MachineWordsLeftOut, llm.SourcesDisagree, run.MachineWordsLeftOut, citation.SourcesDisagree)
	}
}
