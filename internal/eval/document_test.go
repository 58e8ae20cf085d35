package eval_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/eval"
)

func manual(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestTheExamplesOfTheManualAreQuestionFiles reads what the manual shows.
func TestTheExamplesOfTheManualAreQuestionFiles(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(manual(t), -1)
	if len(blocks) < 2 {
		t.Fatalf("the manual shows %d files", len(blocks))
	}
	for _, b := range blocks {
		text := b[1]
		if strings.HasPrefix(text, "  -") {
			text = "cases:\n" + text
		}
		s, err := eval.Read("manual.yaml", []byte(text))
		if err != nil || len(s.Cases) == 0 {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// TestTheManualNamesEveryKey asks each place of a file for its keys with one that it does not know.
func TestTheManualNamesEveryKey(t *testing.T) {
	text := manual(t)
	known := 0
	for _, file := range []string{
		"zzz: 1\n", "defaults: {zzz: 1}\ncases: [{id: a, question: q}]\n", "cases: [{zzz: 1}]\n", "cases: [{forbid: {zzz: 1}}]\n", "cases: [{calls: [{zzz: 1}]}]\n",
		"cases: [{propose: {zzz: 1}}]\n", "cases: [{update: {zzz: 1}}]\n", "cases: [{citations: [{zzz: 1}]}]\n",
	} {
		_, err := eval.Read("f.yaml", []byte(file))
		if err == nil {
			t.Fatalf("%q was read", file)
		}
		_, list, ok := strings.Cut(err.Error(), "; there are ")
		if !ok {
			t.Fatalf("%q: %v", file, err)
		}
		list, _, _ = strings.Cut(list, ".\n")
		for _, key := range strings.Split(strings.TrimSuffix(list, "."), ", ") {
			known++
			if !strings.Contains(text, "`"+key+"`") {
				t.Errorf("docs/evaluation.md does not name the key %q", key)
			}
		}
	}
	if known < 60 {
		t.Errorf("only %d keys were asked for", known)
	}
}
