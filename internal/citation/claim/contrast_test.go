package claim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
)

func TestADenialReachesWhatItDenies(t *testing.T) {
	for text, want := range map[string]string{
		"meals are reimbursed":               "",
		"meals are not reimbursed":           "reimbursed",
		"meals are reimbursed, but not wine": "wine",
		"no alcohol is reimbursed":           "alcohol reimbursed",
		"firmware fixes no err-1042":         "fixes",
		"never ship without a label":         "ship without",
		"not only meals are reimbursed":      "",
		"see no. 5 of the list":              "",
		"noël has a pinot":                   "",
		"they didn't pay":                    "pay",
		"the plan lacks funding":             "funding",
		"the team is unable to travel":       "travel",
		"no meals; wine is reimbursed":       "meals",
		"超出部分不予报销":                           "予报销",
		"员工不可以携带锂电池，可以携带手机":                  "锂电池",
		"非常重要，不仅如此":                          "",
		"未来三年无线覆盖":                           "",
		"禁止携带锂电池":                            "携带锂电池",
		"拒绝无票报销":                             "票报销无", // twice denied where both reach
	} {
		folded := analysis.Fold(text)
		attitude := attitudes(folded)
		var got []string
		for _, term := range terms(folded) {
			if attitude[term.text] == denied && !strings.ContainsAny(term.surface, "不禁止拒绝无未非") {
				got = append(got, term.surface)
			}
		}
		joined := strings.Join(got, " ")
		if strings.ContainsFunc(text, func(r rune) bool { return r > 0x2E80 }) {
			joined = strings.Join(got, "")
		}
		if text == "拒绝无票报销" {
			// What two denials reach is affirmed, and what one reaches is denied.
			if attitude["票报"] != affirmed {
				t.Errorf("%s: what is denied twice is not affirmed", text)
			}
			continue
		}
		if joined != want {
			t.Errorf("%s: denied %q, want %q", text, joined, want)
		}
	}
}

func TestOppositesAreKnownFromBothSides(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want [][2]string
	}{
		{"the drug increases mortality", "the drug reduces mortality", [][2]string{{"increas", "reduc"}}},
		{"the drug reduces mortality", "the drug increases mortality", [][2]string{{"reduc", "increas"}}},
		{"the drug increases mortality", "mortality rose and fell", nil},
		{"the drug increases mortality", "the drug has an effect on mortality", nil},
		{"apply before the trip", "apply after the trip", [][2]string{{"befor", "after"}}},
		{"必须招标", "自愿招标", [][2]string{{"必须", "自愿"}}},
		{"费用由甲方支付，属于收入", "费用由甲方支付，属于支出", [][2]string{{"收入", "支出"}}},
		{"the fee is refundable", "the fee is non-refundable", [][2]string{{"refund", "non-refundable"}}},
		{"", "必须", nil},
	} {
		a, b := analysis.Fold(c.a), analysis.Fold(c.b)
		got := stanceOf(a, attitudes(a)).against(stanceOf(b, attitudes(b)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s / %s (-want +got):\n%s", c.a, c.b, diff)
		}
	}
}

func TestATextDisagreesWithItselfInNothing(t *testing.T) {
	words := []string{"meals", "not", "reimbursed", "no", "increase", "decrease", "before", "after", "650", "yuan", ",", "but", "员工", "不", "可以", "必须", "自愿", "报销", "，"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "text"), " ")
		c := newClaim(text)
		if w, what := c.flips(attitudes(c.folded)); w != 0 {
			t.Fatalf("%q denies its own %q", text, what)
		}
		if got := c.stance.against(stanceOf(c.folded, attitudes(c.folded))); len(got) != 0 {
			t.Fatalf("%q is opposed to itself in %v", text, got)
		}
		if f := Judge(text, []*Source{NewSource(text)}); f.Verdict == Contradicted || f.Verdict == NotSupported && len(c.terms)+len(c.quantities) > 0 && len([]rune(c.compact)) >= 4 {
			t.Fatalf("%q is %s by %s against itself", text, f.Verdict, f.Rule)
		}
	})
}

func TestNamesAreWordsWithACapitalThatBeginNoSentence(t *testing.T) {
	for text, want := range map[string][]string{
		"The Cedar Project is led by Alice Moore.": {"cedar", "project", "alice", "moore"},
		"It began on March 3 in Berlin.":           {"berlin"},
		"见《差旅制度》第三条。":                              {"差旅制度"},
		"所谓“绿色通道”":                                 {"绿色通道"},
		"meals are reimbursed":                     nil,
	} {
		if diff := cmp.Diff(want, names(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
