package claim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answer is a sentence about a document, and whether a reader found it true.
type answer struct {
	document, half string
	truly          bool
	sentence       string
}

// answers reads the sentences of a file.
func answers(t *testing.T, file string) []answer {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []answer
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.SplitN(strings.TrimSpace(line), " | ", 4)
		if len(cells) != 4 || cells[2] != "true" && cells[2] != "wrong" {
			t.Fatalf("%s: %q has no four cells", file, line)
		}
		out = append(out, answer{cells[0], cells[1], cells[2] == "true", cells[3]})
	}
	return out
}

// document reads a document whole, as it is cited.
func document(t *testing.T, path ...string) *Source {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return NewSource(string(text))
}

// TestTrueAnswersAreSupportedAndWrongOnesAreNot holds sentences that an answer may have against the documents that they are
// about. No wrong one of the open half is supported; how all others fall, the golden files show.
func TestTrueAnswersAreSupportedAndWrongOnesAreNot(t *testing.T) {
	for _, set := range []struct{ name, folder string }{
		{"demonstration", filepath.Join("..", "..", "..", "examples", "acme")},
		{"manuals", filepath.Join("testdata", "answers", "manuals")},
	} {
		sources := map[string]*Source{}
		counts := map[string]map[Verdict]int{}
		var each, totals strings.Builder
		for _, a := range answers(t, filepath.Join("testdata", "answers", set.name+".txt")) {
			if sources[a.document] == nil {
				sources[a.document] = document(t, set.folder, filepath.FromSlash(a.document))
			}
			f := Judge(a.sentence, []*Source{sources[a.document]})
			label := "wrong"
			if a.truly {
				label = "true"
			}
			if !a.truly && f.Verdict == Supported && a.half == "open" {
				t.Errorf("%s: %q is wrong and supported by %q", a.document, a.sentence, f.Quote)
			}
			key := a.half + " " + label
			if counts[key] == nil {
				counts[key] = map[Verdict]int{}
			}
			counts[key][f.Verdict]++
			fmt.Fprintf(&each, "%-6s %-5s %-12s %-10s %s\n", a.half, label, f.Verdict, f.Rule, a.sentence)
		}
		for _, key := range []string{"open true", "open wrong", "second true", "second wrong"} {
			if c := counts[key]; c != nil {
				fmt.Fprintf(&totals, "%s: supported %d, partly %d, not_found %d, contradicted %d\n", key, c[Supported], c[Partly], c[NotSupported], c[Contradicted])
			}
		}
		Matches(t, filepath.Join("testdata", "answers", set.name+".golden"), totals.String()+"\n"+each.String())
	}
}

// Matches compares a text with a golden file.
func Matches(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s moved; look at the sentences behind it, then run with -update (-want +got):\n%s", golden, diff)
	}
}
