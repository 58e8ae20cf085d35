package demo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/examples"
)

// TestExampleQuestionsHaveTheirAnswerInTheNamedDocument reads the question file strictly and looks
// for each expected string in the documents that the question names.
func TestExampleQuestionsHaveTheirAnswerInTheNamedDocument(t *testing.T) {
	raw, err := os.ReadFile("../../examples/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	languages, ids := map[string]int{}, map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var q struct {
			ID, Language, Question string
			Answer                 []string
			DocKeys                []string `json:"doc_keys"`
		}
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&q); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if ids[q.ID] || q.ID == "" || q.Question == "" || len(q.Answer) == 0 || len(q.DocKeys) == 0 {
			t.Errorf("%s: the id is taken, or a field is empty", lines.Text())
		}
		ids[q.ID] = true
		languages[q.Language]++
		for _, answer := range q.Answer {
			if !slices.ContainsFunc(q.DocKeys, func(key string) bool {
				body, err := fs.ReadFile(examples.Acme(), key)
				return err == nil && strings.Contains(string(body), answer)
			}) {
				t.Errorf("%s: no named document says %q", q.ID, answer)
			}
		}
	}
	if len(ids) != 16 || languages["zh"] == 0 || languages["en"] == 0 || len(languages) != 2 {
		t.Errorf("%d questions in %v; want 16 in Chinese and English", len(ids), languages)
	}
}
