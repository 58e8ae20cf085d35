package rules

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// shared returns a file of the shared test data, or skips.
func shared(t *testing.T, path ...string) string { return sharedtest.Path(t, path...) }

// records reads a file of JSON lines.
func records[T any](t *testing.T, path ...string) []T { return sharedtest.Records[T](t, path...) }

type document struct{ ID, Title, Text string }

type item struct {
	id, question string
	answers      []string
	passages     []document
	unanswerable bool
}

// corpusItems joins questions with the passages they name.
func corpusItems(t *testing.T, set string, limit int) []item {
	t.Helper()
	docs := map[string]document{}
	for _, d := range records[document](t, "data", "eval", set, "corpus.jsonl") {
		docs[d.ID] = d
	}
	gold := map[string]string{}
	if b, err := os.ReadFile(shared(t, "data", "eval", set, "queries.jsonl")); err != nil || len(b) == 0 {
		t.Fatal(err)
	}
	if set == "cmrc2018" {
		b, err := os.ReadFile(shared(t, "data", "eval", set, "qrels.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) == 3 {
				gold[f[0]] = f[1]
			}
		}
	}
	type query struct {
		ID, Text   string
		Answers    []string
		Contexts   []string
		Answerable *bool
		Evidence   [][]string `json:"evidence_sentences"`
	}
	var out []item
	for _, q := range records[query](t, "data", "eval", set, "queries.jsonl") {
		it := item{id: q.ID, question: q.Text, answers: q.Answers, unanswerable: q.Answerable != nil && !*q.Answerable}
		for _, e := range q.Evidence {
			it.answers = append(it.answers, e...) // the sentences that people chose
		}
		if len(q.Evidence) > 0 {
			it.answers = it.answers[len(q.Answers):]
		}
		if g := gold[q.ID]; g != "" {
			q.Contexts = []string{g}
		}
		for _, c := range q.Contexts {
			if d, ok := docs[c]; ok {
				it.passages = append(it.passages, d)
			}
		}
		if len(it.passages) > 0 {
			out = append(out, it)
		}
	}
	return spread(out, limit)
}

// expmrcItems reads questions that bring their passage along.
func expmrcItems(t *testing.T, lang string, limit int) []item {
	t.Helper()
	type record struct {
		ID, Text, Context string
		Answers           []string
	}
	var out []item
	for _, r := range records[record](t, "data", "eval", "expmrc", "evidence_"+lang+".jsonl") {
		out = append(out, item{id: r.ID, question: r.Text, answers: r.Answers, passages: []document{{ID: r.ID, Text: r.Context}}})
	}
	return spread(out, limit)
}

// spread takes about limit items at equal distances; 0 takes all.
func spread(items []item, limit int) []item {
	if limit == 0 || len(items) <= limit {
		return items
	}
	var out []item
	for i := range limit {
		out = append(out, items[i*len(items)/limit])
	}
	return out
}

// figures is what a set of questions gave.
type figures struct {
	Questions int `json:"questions"`
	// Found counts the answers whose conclusion holds the expected words; First those where they
	// stand in its first sentence.
	Found int `json:"found"`
	First int `json:"first"`
	// Declared counts the questions without an answer that were declared so.
	Declared int `json:"declared"`
}

// compact removes what is no letter or digit, so that spacing does not decide.
func compact(s string) string { return strings.Join(strings.Fields(analysis.Fold(s)), "") }

func tally(items []item) figures {
	var f figures
	for _, it := range items {
		text := answer(it)
		f.Questions++
		if strings.HasPrefix(text, "INSUFFICIENT_EVIDENCE") {
			if it.unanswerable {
				f.Declared++
			}
			continue
		}
		conclusion, _, _ := strings.Cut(text, "\n")
		first, _, _ := strings.Cut(conclusion, "[C")
		if contains(conclusion, it.answers) {
			f.Found++
		}
		if contains(first, it.answers) {
			f.First++
		}
	}
	return f
}

func contains(text string, answers []string) bool {
	text = compact(text)
	for _, a := range answers {
		if a = compact(a); a != "" && strings.Contains(text, a) {
			return true
		}
	}
	return false
}

// answer asks the engine with an item's passages in the context.
func answer(it item) string {
	var list []given
	for i, d := range it.passages {
		list = append(list, given{ref: fmt.Sprintf("C%d", i+1), key: d.ID, title: d.Title, text: d.Text})
	}
	return reply(fixedRequest(it.question, list...)).Text
}

func split(items []item) (answerable, unanswerable []item) {
	for _, it := range items {
		if it.unanswerable {
			unanswerable = append(unanswerable, it)
		} else {
			answerable = append(answerable, it)
		}
	}
	return answerable, unanswerable
}

// TestAnswersAreFoundInPublicQuestionSets gives each question with the passages that are known to
// belong to it. No figure may fall below the golden file's.
func TestAnswersAreFoundInPublicQuestionSets(t *testing.T) {
	clap, clapNot := split(corpusItems(t, "clapnq-dev", 0))
	_, miraclEN := split(corpusItems(t, "nomiracl-en", 60))
	_, miraclZH := split(corpusItems(t, "nomiracl-zh", 60))
	got := map[string]figures{
		"cmrc2018":                 tally(corpusItems(t, "cmrc2018", 300)),
		"expmrc-zh":                tally(expmrcItems(t, "zh", 0)),
		"expmrc-en":                tally(expmrcItems(t, "en", 0)),
		"clapnq-dev":               tally(clap),
		"clapnq-dev unanswerable":  tally(clapNot),
		"nomiracl-en unanswerable": tally(miraclEN),
		"nomiracl-zh unanswerable": tally(miraclZH),
	}
	golden := filepath.Join("testdata", "answers.json")
	if *update {
		b, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]figures
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	for name, w := range want {
		g := got[name]
		if g.Questions != w.Questions || g.Found < w.Found || g.First < w.First || g.Declared < w.Declared {
			t.Errorf("%s fell below the golden figures (-want +got):\n%s", name, cmp.Diff(w, g))
		}
		t.Logf("%s: %+v", name, g)
	}
}
