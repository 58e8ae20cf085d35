package trial_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/eval/trial"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestTheExampleSetPassesOnTheDemonstration holds the summary of the whole set against a golden
// file: figures of the groups, and of every case its figures.
func TestTheExampleSetPassesOnTheDemonstration(t *testing.T) {
	s := example(t)
	r := newHouse(t, nil).run(t.Context(), s, trial.Options{Changes: true})
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			t.Errorf("%s: %s %s: %s", c.ID, f.Group, f.Code, f.Detail)
		}
	}
	golden(t, "testdata/acme.golden", summary(r))
}

// summary writes a result without what differs from run to run.
func summary(r eval.Result) string {
	var b strings.Builder
	for _, g := range r.Groups {
		fmt.Fprintf(&b, "%-12s %d/%d %.3f [%.3f, %.3f]\n", g.Group, g.Passed, g.Cases, g.Share, g.Low, g.High)
	}
	fmt.Fprintf(&b, "ranking      %+v\n", *r.Retrieval)
	fmt.Fprintf(&b, "citation     %+v\n\n", *r.Citation)
	for _, c := range r.Cases {
		fmt.Fprintf(&b, "%s %v %d/%d runs=%d", c.ID, c.Groups, c.Passes, c.Tries, len(c.Runs))
		if c.Ranking != nil {
			fmt.Fprintf(&b, " first=%d recall=%.2f ndcg=%.3f", c.Ranking.First, c.Ranking.Recall, c.Ranking.NDCG)
		}
		if k := c.Checks; k != nil {
			fmt.Fprintf(&b, " sentences=%d cited=%d supported=%d partly=%d", k.Sentences, k.Cited, k.Supported, k.Partly)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (go test -update writes it anew): %s", path, d)
	}
}

// TestTheExampleSetIsLargeAndInBothLanguages holds what its reader is promised.
func TestTheExampleSetIsLargeAndInBothLanguages(t *testing.T) {
	s := example(t)
	groups, languages, people := map[eval.Group]int{}, map[string]int{}, map[string]bool{}
	for _, c := range s.Cases {
		for _, g := range c.Groups {
			groups[g]++
		}
		if c.Question != "" {
			languages[c.Language]++
		}
		if slices.Contains(c.Forbid.Strings, "CANARY-RD-7f3a91") || slices.Contains(c.Wants.Codes, "CANARY-RD-7f3a91") {
			people[string(c.As)] = true
		}
	}
	if len(s.Cases) < 40 {
		t.Errorf("%d cases", len(s.Cases))
	}
	for _, g := range eval.Groups() {
		if groups[g] < 10 {
			t.Errorf("%s has %d cases", g, groups[g])
		}
	}
	if languages["zh"] < 12 || languages["en"] < 12 {
		t.Errorf("languages: %v", languages)
	}
	if !people["alice"] || !people["bob"] || !people["erin"] {
		t.Errorf("the canary is looked for as %v", people)
	}
}

// TestTheOlderQuestionsOfTheExamplesAreAFileToo runs the lines that the other examples hold.
func TestTheOlderQuestionsOfTheExamplesAreAFileToo(t *testing.T) {
	raw, err := os.ReadFile("../../../examples/questions.jsonl")
	must(t, err)
	s, err := eval.Read("questions.jsonl", raw)
	must(t, err)
	if len(s.Cases) != 16 {
		t.Fatalf("%d cases", len(s.Cases))
	}
	for i := range s.Cases {
		// They name the files of a folder; the demonstration has the same documents under their keys.
		for j := range s.Cases[i].Wants.Targets {
			name, _, _ := strings.Cut(path.Base(string(s.Cases[i].Wants.Targets[j].Key)), ".")
			s.Cases[i].Wants.Targets[j] = eval.Target{Key: corpus.Key(name)}
		}
	}
	r := newHouse(t, nil).run(t.Context(), s, trial.Options{})
	for _, c := range r.Cases {
		if !c.Passed {
			t.Errorf("%s: %v", c.ID, c.Findings)
		}
	}
}
