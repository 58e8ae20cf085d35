package stored

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation"
)

func TestScoreAndReasonsOfAnEarlierCheckReadBack(t *testing.T) {
	r := sampleRun()
	r.Checks = []citation.Check{
		{Sentence: "650", Labels: []string{"S1"}, Verdict: citation.Contradicted, DecidedBy: "rule:number", Quote: "700 元", Score: 0.125,
			Reasons: []citation.Reason{{Code: "number", Said: "650 元", Found: "700 元"}, {Code: "words", Said: "早餐"}}},
		{Sentence: "literal", Labels: []string{"S1"}, Verdict: citation.Supported, DecidedBy: "rule:literal", Score: 1},
	}
	got, err := ReadRun(Run(r).Text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Checks, got.Checks); diff != "" {
		t.Error(diff)
	}
	const want = `"reasons":[{"code":"number","said":"650 元","found":"700 元"},{"code":"words","said":"早餐","found":""}]`
	if text := Run(r).Text; !strings.Contains(text, want) {
		t.Errorf("the stored form of reasons changed, and past records with it: %s", text)
	}
}
