package citation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestAPersonMayWriteWithoutCitationsButNotCiteWhatWasNotRead(t *testing.T) {
	for text, refs := range map[string][]string{
		"我自己的话。": nil, "上限为 650 元 [S1]。\n见 [S2, S1]": {"S1", "S2"}, "INSUFFICIENT_EVIDENCE\n说明 [S1]": {"S1"}, "`[S9]` 只是代码": nil,
	} {
		got, err := citation.AcceptEdit(text, evidence("S1", "S2"))
		if err != nil || got.Text != text || got.Insufficient {
			t.Errorf("%q: %+v %v", text, got, err)
		}
		if d := cmp.Diff(refs, got.Refs); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
	for _, text := range []string{"650 元 [S3]", "[C1]", "[S1-S3]", "【S12】"} {
		if _, err := citation.AcceptEdit(text, evidence("S1", "S2")); problem.CodeOf(err) != "invalid_citations" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := citation.AcceptEdit("a [S1]", nil); problem.CodeOf(err) != "invalid_citations" {
		t.Error(err)
	}
}

func TestMentionsStandWhereTheBracketsDo(t *testing.T) {
	text := "上限 650 元[S1]，见【S2、S3】和 `[S4]`。"
	var got []string
	for _, m := range citation.Mentions(text) {
		got = append(got, text[m.Start:m.End])
	}
	if d := cmp.Diff([]string{"[S1]", "【S2、S3】"}, got); d != "" {
		t.Error(d)
	}
}

func TestPlainIsTheSentenceOfItsCheck(t *testing.T) {
	const text = "- **上限**为 650 元 [S1]。\n1. The limit is 650 [S1]."
	for i, want := range []string{"上限为 650 元。", "The limit is 650."} {
		s := citation.Sentences(text)[i]
		if s.Text != want || citation.Plain(text[s.Start:s.End]) != want || citation.Plain(want) != want {
			t.Errorf("%q, %q", s.Text, citation.Plain(text[s.Start:s.End]))
		}
	}
}
