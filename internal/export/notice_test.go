package export_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/run"
)

// warnings returns the notices of a document as a reader of each format sees them.
func warnings(t *testing.T, d export.Document) (markdown, word []string) {
	t.Helper()
	for line := range strings.Lines(string(write(t, d, export.AsMarkdown))) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "> "); ok {
			markdown = append(markdown, text)
		}
	}
	for _, p := range opened(t, write(t, d, export.AsWord))["word/document.xml"].all("p") {
		for _, s := range p.all("pStyle") {
			if s.attr["val"] == "Notice" {
				word = append(word, p.said())
			}
		}
	}
	return markdown, word
}

func TestEveryNoticeIsSaidInTheWordsOfTheDocument(t *testing.T) {
	for _, chinese := range []bool{true, false} {
		seen := map[string]bool{}
		for _, code := range append([]string{""}, run.Notices()...) {
			d := export.Document{Title: "t", Chinese: chinese, Body: "b"}
			if d.Unconfirmed = code == ""; !d.Unconfirmed {
				d.Notices = []string{code}
			}
			markdown, word := warnings(t, d)
			if len(markdown) != 1 || len(word) != 1 || seen[word[0]] || word[0] == code || strings.Contains(word[0], "_") {
				t.Errorf("%q: %q, %q", code, markdown, word)
				continue
			}
			seen[word[0]] = true
			if han := strings.ContainsFunc(word[0], func(r rune) bool { return unicode.Is(unicode.Han, r) }); han != chinese {
				t.Errorf("%q is said in another language: %q", code, word[0])
			}
		}
	}
}

func TestANoticeWithoutWordsIsSaidByItsCode(t *testing.T) {
	markdown, word := warnings(t, export.Document{Title: "t", Body: "b", Notices: []string{"sources_disagree", "brand\nnew"}})
	if len(markdown) != 2 || len(word) != 2 || word[1] != "brand new" {
		t.Errorf("%q, %q", markdown, word)
	}
}
