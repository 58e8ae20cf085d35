package terminal

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/kaoju/kaoju/api"
)

// TestPrintedTextCannotDriveTheTerminal prints an answer whose every text, from model and
// documents, tries to clear the screen, set a title, ring, and turn the direction of writing.
func TestPrintedTextCannotDriveTheTerminal(t *testing.T) {
	const evil = "上限\x1b[2J\x1b]0;owned\x07\x9b31m\u202e 056 \u2066\r\x00end"
	var out strings.Builder
	Answer(&out, "q", api.Answer{
		State: "completed", Answer: evil,
		Citations: []api.Citation{{Label: "S1", Title: evil, DocKey: evil, Version: 1, Excerpt: evil}},
	})
	if n := strings.Count(out.String(), "end"); n < 4 {
		t.Errorf("only %d of the texts were printed:\n%q", n, out.String())
	}
	for _, r := range out.String() {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Fatalf("%U reaches the terminal in %q", r, out.String())
		}
	}
}

func TestDisagreementsAndReasonsArePrinted(t *testing.T) {
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := api.Answer{
		State: "completed", Answer: "650", NeedsConfirmation: true,
		Checks: []api.Check{{
			Sentence: "上限为每晚500元。", Verdict: "contradicted", Quote: "上限为每晚650元。",
			Reasons: []api.Reason{{Code: "number", Said: "500元", Found: "650元"}, {Code: "words", Said: "早餐"}},
		}},
		Conflicts: []api.Conflict{{Kind: "value", Sides: []api.Side{
			{Label: "S1", Title: "差旅制度", Version: 2, PublishedAt: &day, Quote: api.Quote{Text: "上限为\n每晚650元。"}},
			{Label: "S2", Title: "旧制度", Version: 1, Quote: api.Quote{Text: "上限为每晚500元。"}},
		}}},
	}
	for question, wants := range map[string][]string{
		"上限是多少": {"数字、日期或代码: 500元 ≠ 650元", "引文中没有的词: 早餐", "来源之间不一致", "[S1] 差旅制度 · 版本 2 · 2026-03-01\n    │ 上限为 每晚650元。", "≠ [S2] 旧制度 · 版本 1\n"},
		"limit": {"number, date or code: 500元 ≠ 650元", "words not in the cited text: 早餐", "Sources disagree (", "[S2] 旧制度 · version 1\n"},
	} {
		var out strings.Builder
		Answer(&out, question, a)
		for _, w := range wants {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s: %q is not printed in\n%s", question, w, out.String())
			}
		}
	}
}

func TestRanksAndReasonsAreInTheLanguageOfTheQuery(t *testing.T) {
	one, two := 1, 2
	for query, want := range map[string][3]string{
		"pump": {"words 1 · meaning 2", "meaning 2", "Not searched by meaning: the vectors are being rebuilt"},
		"泵":    {"词语 1 · 语义 2", "语义 2", "未按语义搜索: 向量正在重建"},
	} {
		w := WordsFor(query)
		got := [3]string{
			Ranks(w, api.Ranks{Keyword: &one, Semantic: &two}), Ranks(w, api.Ranks{Semantic: &two}), Skipped(w, api.SkippedLeg{Leg: "semantic", Reason: "rebuilding"}),
		}
		if got != want {
			t.Errorf("%s: %q", query, got)
		}
		if got := Ranks(w, api.Ranks{Keyword: &two, Rerank: &one}); got != map[string]string{"pump": "words 2 · reranked 1", "泵": "词语 2 · 重排 1"}[query] {
			t.Errorf("%s: %q", query, got)
		}
		for reason, said := range map[string]bool{"nothing": false, "literal": false, "failed": true, "too_slow": true, "local_only": true, "new\x1b[2J": true} {
			text := Skipped(w, api.SkippedLeg{Leg: "rerank", Reason: reason})
			if (text != "") != said || strings.Contains(text, "\x1b") || text != "" && !strings.HasPrefix(text, map[string]string{"pump": "Not reranked: ", "泵": "未重排: "}[query]) {
				t.Errorf("%s: %q of the reranker is told as %q", query, reason, text)
			}
		}
		for reason, said := range map[string]bool{"language": false, "literal": false, "failed": true, "too_slow": true, "local_only": true, "new\x1b[2J": true} {
			if text := Skipped(w, api.SkippedLeg{Reason: reason}); (text != "") != said || strings.Contains(text, "\x1b") {
				t.Errorf("%s: %q is told as %q", query, reason, text)
			}
		}
	}
}
