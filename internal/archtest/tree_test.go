package archtest

import (
	"os"
	"testing"
)

// root is the module's directory, seen from this package.
const root = "../.."

// loadModule parses the module once a test that needs it.
func loadModule(t *testing.T) *Tree {
	t.Helper()
	tree, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Packages) < 15 {
		t.Fatalf("only %d packages were found below %s; the checks would be empty", len(tree.Packages), root)
	}
	return tree
}

func report(t *testing.T, violations []Violation) {
	t.Helper()
	for _, v := range violations {
		t.Error(v)
	}
}

func TestPackagesImportOnlyWhatTheirRowLists(t *testing.T) {
	report(t, Kaoju().CheckImports(loadModule(t)))
}

func TestReachingOutsideHappensInItsPlaceOnly(t *testing.T) {
	report(t, Kaoju().CheckCalls(loadModule(t)))
}

func TestPackagesAreDocumentedAndHaveNoInit(t *testing.T) {
	report(t, Kaoju().CheckForm(loadModule(t)))
}

func TestSizesStayBelowTheStopMarks(t *testing.T) {
	all, violations := Measures(loadModule(t), Stop)
	report(t, violations)
	t.Log("\n" + Report(all))
}

func TestPolicyDoesNotContradictItself(t *testing.T) {
	report(t, Kaoju().Contradictions())
}

func TestEveryRelativeLinkInTheDocumentsLeadsSomewhere(t *testing.T) {
	violations, err := CheckLinks(os.DirFS(root), "internal/demo/files", "examples/acme")
	if err != nil {
		t.Fatal(err)
	}
	report(t, violations)
}
