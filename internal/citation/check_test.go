package citation_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/citation"
)

var twoSources = []citation.Evidence{{Ref: "S1", Excerpt: policy}, {Ref: "S2", Excerpt: handbook}}

// verdictsOf are the checked sentences with their verdicts, in order.
func verdictsOf(checks []citation.Check) []string {
	var out []string
	for _, c := range checks {
		out = append(out, string(c.Verdict)+" "+c.Sentence)
	}
	return out
}

func TestWhatCitesIsCheckedInWhateverSectionItStands(t *testing.T) {
	for _, head := range []string{"结论：", "依据：", "待确认：", "下一步：", "## 待确认\n", "**下一步**\n- ", "Conclusion: ", "Basis: ", "To confirm: ", "Next steps: ", "### Next steps\n1. ", "Open questions:\n* "} {
		for text, want := range map[string][]string{
			"超出部分可以报销。[S1]":              {"contradicted 超出部分可以报销。"},
			"超出部分不予报销。[S1]":              {"supported 超出部分不予报销。"},
			"超出部分可以报销[S1]":               {"contradicted 超出部分可以报销"},
			"超出部分可以报销。停车免费。[S1]":         {"contradicted 超出部分可以报销。", "not_found 停车免费。"},
			"Meals are reimbursed. [S2]": {"contradicted Meals are reimbursed."},
		} {
			answer, err := citation.Accept("结论：出差须在三个工作日前申请。[S1]\n"+head+text, twoSources)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{"supported 出差须在三个工作日前申请。"}, want...), verdictsOf(citation.Verify(answer, twoSources))); diff != "" {
				t.Errorf("%q (-want +got):\n%s", head+text, diff)
			}
		}
	}
}

func TestWhatCitesNothingIsNoClaimWhereItAsksOrAdvises(t *testing.T) {
	for _, text := range []string{"待确认：早餐是否包含。", "下一步：问财务。", "To confirm: whether breakfast is included.", "Next steps: ask Finance."} {
		if checks := citation.Verify(citation.Answer{Text: text}, twoSources); len(checks) != 0 {
			t.Errorf("%q is checked: %v", text, verdictsOf(checks))
		}
	}
	if got := verdictsOf(citation.Verify(citation.Answer{Text: "问财务。"}, twoSources)); !slices.Equal(got, []string{"not_found 问财务。"}) {
		t.Errorf("a conclusion without a reference: %v", got)
	}
}

func TestAnAnswerThatSettlesNothingIsCheckedInWhatItCites(t *testing.T) {
	answer, err := citation.Accept("INSUFFICIENT_EVIDENCE\n没有早餐的规定。\n超出部分可以报销。[S1]\n- 缺少：早餐标准", twoSources)
	if err != nil || !answer.Insufficient {
		t.Fatal(answer, err)
	}
	if diff := cmp.Diff([]string{"contradicted 超出部分可以报销。"}, verdictsOf(citation.Verify(answer, twoSources))); diff != "" {
		t.Error(diff)
	}
}

// composed is an answer as the rule-based engine writes one.
const composed = "结论：超出部分不予报销。[S1]\n依据：超出部分不予报销。[S1]\n" +
	"待确认：所引资料只是原文的一部分，前后还有内容 [S1]\n下一步：打开原文，核对摘录之外的内容 [S1]"

func TestRemarksOfTheProductClaimNothing(t *testing.T) {
	answer, err := citation.Accept(composed, twoSources)
	if err != nil {
		t.Fatal(err)
	}
	remarks := citation.Remarks(answer)
	if diff := cmp.Diff([]string{"supported 超出部分不予报销。"}, verdictsOf(citation.Verify(answer, twoSources, remarks...))); diff != "" {
		t.Error(diff)
	}
	// The same words from a model are claims like any other.
	if got := verdictsOf(citation.Verify(answer, twoSources)); len(got) != 3 {
		t.Errorf("of a model: %v", got)
	}
	// So are other words, and the same ones in another place or under another reference.
	for _, other := range []string{
		"下一步：超出部分可以报销。[S1]", "结论：打开原文，核对摘录之外的内容 [S1]", "下一步：打开原文，核对摘录之外的内容 [S2]", "待确认：打开原文，核对摘录之外的内容 [S1]",
	} {
		if got := citation.Verify(citation.Answer{Text: other}, twoSources, remarks...); len(got) != 1 {
			t.Errorf("%q: %v", other, verdictsOf(got))
		}
	}
}

func TestASentenceThatStandsTwiceIsCheckedOnce(t *testing.T) {
	for text, want := range map[string][]string{
		"结论：超出部分不予报销。[S1]\n依据：超出部分不予报销。[S1]":         {"supported 超出部分不予报销。"},
		"结论：超出部分不予报销。[S1][S2]\n依据：超出部分不予报销。[S2][S1]": {"supported 超出部分不予报销。"},
		"结论：超出部分不予报销。[S1]\n依据：超出部分不予报销。[S2]":         {"supported 超出部分不予报销。", "not_found 超出部分不予报销。"},
		"结论：超出部分不予报销。[S1]\n\n超出部分不予报销。":              {"supported 超出部分不予报销。", "not_found 超出部分不予报销。"},
	} {
		if diff := cmp.Diff(want, verdictsOf(citation.Verify(citation.Answer{Text: text}, twoSources))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
