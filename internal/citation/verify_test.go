package citation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
)

const policy = `# 差旅制度

上海住宿上限为每晚650元，北京为700元。超出部分不予报销。出差须在三个工作日前申请。
报销比例为85%，自2026年10月1日起执行。故障码ERR-1042表示过热。员工可以携带锂电池。`

const handbook = `The lodging limit in Shanghai is 1,000 yuan a night. Meals are not reimbursed.
Requests must be filed within five working days, before March 3, 2026. Firmware v2.3.1 fixes ERR-1042. The Cedar Project is led by Alice Moore.`

func TestASentenceIsHeldAgainstWhatItCites(t *testing.T) {
	const yes, partly, no, contra = citation.Supported, citation.Partly, citation.NotSupported, citation.Contradicted
	for _, c := range []struct {
		excerpt, sentence string
		want              citation.Verdict
		by                string
	}{
		{policy, "上海住宿上限为每晚650元", yes, "rule:literal"},
		{policy, "上海住宿上限为每晚６５０元", yes, "rule:literal"},
		{policy, "上海住宿上限為每晚650元", yes, "rule:literal"},
		{policy, "上海住宿上限为每晚六百五十元。", yes, "rule:words"},
		{policy, "在上海，住宿的上限是每晚650元。", yes, "rule:words"},
		{policy, "上海住宿上限为每晚65元", contra, "rule:number"},
		{policy, "上海住宿上限为每晚500元。", contra, "rule:number"},
		{policy, "上海住宿上限为每晚650美元。", contra, "rule:number"},
		{policy, "出差须在3个工作日前申请。", yes, "rule:words"},
		{policy, "出差须在五个工作日前申请。", contra, "rule:number"},
		{policy, "报销比例为８５％。", yes, "rule:literal"},
		{policy, "报销比例为百分之八十五。", yes, "rule:words"},
		{policy, "报销比例为80%。", contra, "rule:number"},
		{policy, "自2026-10-01起执行。", yes, "rule:words"},
		{policy, "自2026年10月起执行。", yes, "rule:words"},
		{policy, "自2026年11月1日起执行。", contra, "rule:number"},
		{policy, "超出部分可以报销。", contra, "rule:negation"},
		{policy, "员工不可以携带锂电池。", contra, "rule:negation"},
		{policy, "超出部分不予报销。", yes, "rule:literal"},
		{policy, "予报销", contra, "rule:negation"},
		{policy, "故障码ERR-1042表示过热。", yes, "rule:literal"},
		{policy, "故障码ERR-1043表示过热。", contra, "rule:number"},
		{policy, "火星基地每晚650元。", no, "rule:words"},
		{policy, "公司食堂周末开放。", no, "rule:words"},
		{policy, "公司食堂有12个窗口。", no, "rule:number"},
		{policy, "上海住宿上限为每晚700元。", contra, "rule:number"}, // the number of another city
		{policy, "北京住宿上限为每晚700元。", yes, "rule:words"},
		{policy, "报销比例不低于85%。", partly, "rule:words"},
		{policy, "报销比例约为百分之八十四。", partly, "rule:number"},
		{policy, "报销比例自10月1日起为85%。", yes, "rule:words"},
		{policy, "员工禁止携带锂电池。", contra, "rule:negation"},
		{policy, "只有员工可以携带锂电池。", partly, "rule:quantifier"},
		{policy, "故障码ERR-1042表示过冷。", partly, "rule:words"},
		{policy, "上海住宿上限为每晚650元，含早餐和停车费用以及洗衣服务", partly, "rule:clause"},
		{policy, "《手册》：上海住宿上限为每晚650元。", partly, "rule:name"},

		{handbook, "The lodging limit in Shanghai is 1000 yuan a night.", yes, "rule:literal"},
		{handbook, "In Shanghai the limit for lodging is 1,000 yuan per night.", yes, "rule:words"},
		{handbook, "The lodging limit in Shanghai is 100 yuan a night.", contra, "rule:number"},
		{handbook, "Meals are reimbursed.", contra, "rule:negation"},
		{handbook, "Requests must be filed within 5 working days.", yes, "rule:words"},
		{handbook, "Requests must be filed within ten working days.", contra, "rule:number"},
		{handbook, "Requests must be filed before 2026-03-03.", yes, "rule:words"},
		{handbook, "Requests must be filed before 4 March 2026.", contra, "rule:number"},
		{handbook, "Firmware 2.3.1 fixes ERR-1042.", yes, "rule:words"},
		{handbook, "Firmware v2.3.2 fixes ERR-1042.", contra, "rule:number"},
		{handbook, "The Cedar Project is led by Bob Stone.", contra, "rule:name"},
		{handbook, "The canteen opens at weekends.", no, "rule:words"},
		{handbook, "Firmware v2.3.1 fixes no ERR-1042.", contra, "rule:negation"},
		{handbook, "Requests must be filed after March 3, 2026.", contra, "rule:opposite"},
		{handbook, "Requests must be filed within about five working days.", yes, "rule:words"},
		{handbook, "Requests must be filed within four working days.", contra, "rule:number"},
	} {
		checks := citation.Verify(citation.Answer{Text: c.sentence + " [S1]"}, []citation.Evidence{{Ref: "S1", Excerpt: c.excerpt}})
		if len(checks) != 1 {
			t.Errorf("%s: %d checks", c.sentence, len(checks))
			continue
		}
		if got := checks[0]; got.Verdict != c.want || got.DecidedBy != c.by {
			t.Errorf("%s: %s by %s (%q), want %s by %s", c.sentence, got.Verdict, got.DecidedBy, got.Quote, c.want, c.by)
		}
	}
}

func TestTheQuoteIsTheSentenceThatDecides(t *testing.T) {
	for sentence, want := range map[string]string{
		"上海住宿上限为每晚650元":  "上海住宿上限为每晚650元，北京为700元。",
		"上海住宿上限为每晚500元。": "上海住宿上限为每晚650元，北京为700元。",
		"超出部分可以报销。":      "超出部分不予报销。",
		"公司食堂周末开放。":      "",
	} {
		got := citation.Verify(citation.Answer{Text: sentence + "[S1]"}, []citation.Evidence{{Ref: "S1", Excerpt: policy}})
		if got[0].Quote != want {
			t.Errorf("%s: quote %q, want %q", sentence, got[0].Quote, want)
		}
	}
}

func TestOnlyWhatASentenceCitesSupportsIt(t *testing.T) {
	both := []citation.Evidence{{Ref: "S1", Excerpt: policy}, {Ref: "S2", Excerpt: handbook}}
	for text, want := range map[string][]citation.Check{
		"Meals are not reimbursed. [S1]": {{
			Sentence: "Meals are not reimbursed.", Labels: []string{"S1"}, Verdict: citation.NotSupported, DecidedBy: "rule:words",
			Reasons: []citation.Reason{{Code: "words", Said: "meals, reimbursed"}},
		}},
		"Meals are not reimbursed. [S1][S2]": {{
			Sentence: "Meals are not reimbursed.", Labels: []string{"S1", "S2"}, Verdict: citation.Supported, DecidedBy: "rule:literal", Quote: "Meals are not reimbursed.", Score: 1,
		}},
		"Meals are not reimbursed.\n\n超出部分不予报销。[S1]": {
			{Sentence: "Meals are not reimbursed.", Labels: []string{}, Verdict: citation.NotSupported, DecidedBy: "rule:no_citation"},
			{Sentence: "超出部分不予报销。", Labels: []string{"S1"}, Verdict: citation.Supported, DecidedBy: "rule:literal", Quote: "超出部分不予报销。", Score: 1},
		},
		"上限是多少？规定如下：\n超出部分不予报销。[S1]\n待确认：早餐是否包含。\n下一步：问财务。": {
			{Sentence: "超出部分不予报销。", Labels: []string{"S1"}, Verdict: citation.Supported, DecidedBy: "rule:literal", Quote: "超出部分不予报销。", Score: 1},
		},
		"": {},
	} {
		got := citation.Verify(citation.Answer{Text: text}, both)
		for i := range got {
			if got[i].Verdict == citation.NotSupported {
				if got[i].Score >= 0.5 {
					t.Errorf("%q: not found, and a score of %v", text, got[i].Score)
				}
				got[i].Score = 0
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestSourcesThatStateOtherValuesDisagree(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want int
	}{
		"another limit":        {"上海住宿上限为每晚650元。", "上海的住宿上限为每晚500元。", 1},
		"the same limit":       {"上海住宿上限为每晚650元。", "上海住宿上限为每晚六百五十元。", 0},
		"about another city":   {"上海住宿上限为每晚650元。", "北京市区住宿的上限为每晚500元。", 0},
		"another unit":         {"出差须提前3天申请。", "出差须提前3个工作日申请。", 0},
		"another date":         {"本制度自2026年10月1日起执行。", "本制度自2026年11月1日起执行。", 1},
		"another code":         {"故障码ERR-1042表示设备过热，需停机20分钟。", "故障码ERR-1043表示设备过热，需停机30分钟。", 0},
		"English":              {"The lodging limit in Shanghai is 650 yuan a night.", "The lodging limit in Shanghai is 500 yuan a night.", 1},
		"no values":            {"员工可以携带电池。", "员工可以携带充电器。", 0},
		"two of many":          {"前言。上海住宿上限为每晚650元。后记。", "附则。上海住宿上限为每晚500元。", 1},
		"numbers without text": {"650", "500", 0},
	} {
		evidence := []citation.Evidence{{Ref: "S1", Document: "v1", Excerpt: c.a}, {Ref: "S2", Document: "v2", Excerpt: c.b}, {Ref: "S3", Document: "v2", Excerpt: c.b}}
		got := citation.Conflicts("", evidence, []string{"S1", "S2"})
		if len(got) != c.want {
			t.Errorf("%s: %d conflicts, want %d: %+v", name, len(got), c.want, got)
		}
		for _, f := range got {
			if f.Refs != [2]string{"S1", "S2"} || f.Quotes[0] == "" || f.Quotes[1] == "" {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if n := len(citation.Conflicts("", evidence[1:], []string{"S2", "S3"})); n != 0 {
			t.Errorf("%s: one document disagrees with itself %d times", name, n)
		}
	}
}

func TestConfirmationIsNeededWhereverSomethingIsOpen(t *testing.T) {
	whole := citation.Evidence{Ref: "S1", Status: access.StatusPublished}
	cut, old := whole, whole
	cut.TruncatedAfter, old.Status = true, access.StatusArchived
	fine := []citation.Check{{Verdict: citation.Supported}}
	for name, c := range map[string]struct {
		answer   citation.Answer
		cited    []citation.Evidence
		checks   []citation.Check
		conflict bool
		want     bool
	}{
		"nothing open":    {citation.Answer{}, []citation.Evidence{whole}, fine, false, false},
		"to confirm":      {citation.Answer{Sections: citation.Sections{ToConfirm: "x"}}, []citation.Evidence{whole}, fine, false, true},
		"next steps only": {citation.Answer{Sections: citation.Sections{NextSteps: "x"}}, []citation.Evidence{whole}, fine, false, false},
		"truncated":       {citation.Answer{}, []citation.Evidence{whole, cut}, fine, false, true},
		"superseded":      {citation.Answer{}, []citation.Evidence{old}, fine, false, true},
		"conflict":        {citation.Answer{}, []citation.Evidence{whole}, fine, true, true},
		"partly":          {citation.Answer{}, []citation.Evidence{whole}, append(fine, citation.Check{Verdict: citation.Partly}), false, true},
		"not found":       {citation.Answer{}, []citation.Evidence{whole}, []citation.Check{{Verdict: citation.NotSupported}}, false, true},
		"contradicted":    {citation.Answer{}, []citation.Evidence{whole}, []citation.Check{{Verdict: citation.Contradicted}}, false, true},
	} {
		if got := citation.NeedsConfirmation(c.answer, c.cited, c.checks, c.conflict); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
