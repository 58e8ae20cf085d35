package citation_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/problem"
)

func evidence(refs ...string) []citation.Evidence {
	var out []citation.Evidence
	for _, r := range refs {
		out = append(out, citation.Evidence{Ref: r, Excerpt: "excerpt of " + r})
	}
	return out
}

func TestAnAnswerIsTakenApart(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want citation.Sections
		refs []string
	}{
		"plain text": {"上限为650元[S1]。", citation.Sections{Conclusion: "上限为650元[S1]。"}, []string{"S1"}},
		"Chinese heads": {
			"结论：上限为650元。[S1]\n依据：制度第三条。[S2]\n待确认：是否含早餐。\n下一步：联系财务。",
			citation.Sections{Conclusion: "上限为650元。[S1]", Basis: "制度第三条。[S2]", ToConfirm: "是否含早餐。", NextSteps: "联系财务。"}, []string{"S1", "S2"},
		},
		"bold heads": {
			"**结论**\n上限为650元 [S1]\n\n**依据：**\n- 第三条 [S1]\n- 第四条 [S2]\n\n**待确认：** 无\n**下一步**：无",
			citation.Sections{Conclusion: "上限为650元 [S1]", Basis: "- 第三条 [S1]\n- 第四条 [S2]"}, []string{"S1", "S2"},
		},
		"headings": {
			"## 结论\n\n650元 [S1]\n\n### 二、依据\n第三条 [S1]\n## 待确认事项\n早餐\n## 下一步建议\n问财务",
			citation.Sections{Conclusion: "650元 [S1]", Basis: "第三条 [S1]", ToConfirm: "早餐", NextSteps: "问财务"}, []string{"S1"},
		},
		"traditional": {"結論：650元[S1]\n依據：第三條[S1]", citation.Sections{Conclusion: "650元[S1]", Basis: "第三條[S1]"}, []string{"S1"}},
		"English heads": {
			"Conclusion: The limit is 650 [S1].\nBasis:\n1. Clause 3 [S1].\nTo confirm: none\nNext steps: Ask finance.",
			citation.Sections{Conclusion: "The limit is 650 [S1].", Basis: "1. Clause 3 [S1].", NextSteps: "Ask finance."}, []string{"S1"},
		},
		"English headings": {
			"# Conclusion\nIt is 650 [S1].\n# TO CONFIRM\n* breakfast", citation.Sections{Conclusion: "It is 650 [S1].", ToConfirm: "* breakfast"}, []string{"S1"},
		},
		"text before the first head": {
			"根据资料，650元[S1]。\n依据：第三条[S1]", citation.Sections{Conclusion: "根据资料，650元[S1]。", Basis: "第三条[S1]"}, []string{"S1"},
		},
		"words that are no heads": {
			"结论是650元[S1]。\n依据制度第三条，按实报销[S1]。\n下一步骤见附件：无",
			citation.Sections{Conclusion: "结论是650元[S1]。\n依据制度第三条，按实报销[S1]。\n下一步骤见附件：无"}, []string{"S1"},
		},
		"a head inside code": {
			"650元[S1]\n```\n结论：假\n```\n依据：真[S1]", citation.Sections{Conclusion: "650元[S1]\n```\n结论：假\n```", Basis: "真[S1]"}, []string{"S1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := citation.Accept(c.text, evidence("S1", "S2"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(citation.Answer{Text: c.text, Sections: c.want, Refs: c.refs}, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnAnswerThatLeansOnNothingReadIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		have []citation.Evidence
		says []string
	}{
		"no citation":           {"上限为650元。", evidence("S1", "S2"), []string{"nothing", "[S1], [S2]"}},
		"only in code":          {"上限为650元 `[S1]`", evidence("S1"), []string{"nothing"}},
		"unknown":               {"上限为650元[S1][S9]。", evidence("S1"), []string{"[S9]", "[S1]"}},
		"other series":          {"上限为650元[C1]。", evidence("S1"), []string{"[C1]"}},
		"leading zero":          {"上限为650元[S01]。", evidence("S1"), []string{"[S01]"}},
		"inside a range":        {"[S1-S3]", evidence("S1", "S3"), []string{"[S2]"}},
		"nothing read":          {"上限为650元[S1]。", nil, []string{"INSUFFICIENT_EVIDENCE"}},
		"insufficient, unknown": {"INSUFFICIENT_EVIDENCE\n缺少 [S4]", evidence("S1"), []string{"[S4]"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := citation.Accept(c.text, c.have)
			if problem.CodeOf(err) != "invalid_citations" || problem.KindOf(err) != problem.Invalid {
				t.Fatalf("err = %v", err)
			}
			if diff := cmp.Diff(citation.Answer{}, got); diff != "" {
				t.Errorf("an answer came with the error:\n%s", diff)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not name %s", err, s)
				}
			}
		})
	}
}

func TestADeclarationOfInsufficientEvidenceListsWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		missing []string
		left    string
	}{
		"a list":        {"INSUFFICIENT_EVIDENCE\n- 2026年的制度\n- 深圳的标准", []string{"2026年的制度", "深圳的标准"}, "- 2026年的制度\n- 深圳的标准"},
		"a head":        {"INSUFFICIENT_EVIDENCE\n缺少：\n1. 制度原文\n2. 审批记录 [S1]", []string{"制度原文", "审批记录"}, "缺少：\n1. 制度原文\n2. 审批记录 [S1]"},
		"on one line":   {"INSUFFICIENT_EVIDENCE: the 2026 policy", []string{"the 2026 policy"}, "the 2026 policy"},
		"missing:":      {"insufficient_evidence\nMissing: the policy", []string{"the policy"}, "Missing: the policy"},
		"decorated":     {"**INSUFFICIENT_EVIDENCE**\n\n当前资料不足以确认。\n- 制度", []string{"制度"}, "当前资料不足以确认。\n- 制度"},
		"the word only": {"INSUFFICIENT_EVIDENCE", nil, "当前资料不足以确认。The material does not settle this."},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := citation.Accept(c.text, evidence("S1"))
			if err != nil || !got.Insufficient {
				t.Fatalf("insufficient %v, %v", got.Insufficient, err)
			}
			if diff := cmp.Diff(c.missing, got.Missing); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
			if got.Text != c.left {
				t.Errorf("text %q, want %q", got.Text, c.left)
			}
		})
	}
	for _, text := range []string{"INSUFFICIENT_EVIDENCES [S1]", "The answer is INSUFFICIENT_EVIDENCE [S1]", "[S1]\nINSUFFICIENT_EVIDENCE"} {
		if got, err := citation.Accept(text, evidence("S1")); err != nil || got.Insufficient {
			t.Errorf("%q: insufficient %v, %v", text, got.Insufficient, err)
		}
	}
}

func FuzzAccept(f *testing.F) {
	for _, s := range []string{
		"结论：a[S1]\n依据：b[S2]", "**Conclusion**\n[S1]", "INSUFFICIENT_EVIDENCE\n- x", "```\n[S1]", "[S3]", "\xff[S1]", "# 结论\n\n\n## 待确认：无\n[S1]",
	} {
		f.Add(s)
	}
	known := map[string]bool{"S1": true, "S2": true}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := citation.Accept(text, evidence("S1", "S2"))
		if err != nil {
			if problem.CodeOf(err) != "invalid_citations" {
				t.Fatalf("Accept(%q) = %v", text, err)
			}
			return
		}
		if !utf8.ValidString(a.Text) || !a.Insufficient && len(a.Refs) == 0 {
			t.Fatalf("accepted %q as %+v", text, a)
		}
		for _, r := range a.Refs {
			if !known[r] {
				t.Fatalf("accepted %q with %s", text, r)
			}
		}
		for _, c := range citation.Verify(a, evidence("S1", "S2")) {
			if c.Verdict == citation.Supported && len(c.Labels) == 0 {
				t.Fatalf("a sentence without references is supported in %q", text)
			}
		}
		reduced, withheld := citation.Reduce(a, func(ref string) bool { return ref == "S1" })
		for _, r := range reduced.Refs {
			if r == "S2" {
				t.Fatalf("S2 is left in %q (withheld %v) of %q", reduced.Text, withheld, text)
			}
		}
	})
}
