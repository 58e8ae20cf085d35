package claim

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestADeniedNumberLeavesRoomForAnother(t *testing.T) {
	for _, c := range []struct {
		sentence, text string
		want           Verdict
	}{
		{"上海的住宿上限不是每晚700元。", "上海的住宿上限为每晚650元。", Partly},
		{"上海的住宿上限为每晚700元。", "上海的住宿上限不是每晚650元。", NotSupported},
		{"上海的住宿上限为每晚700元。", "上海的住宿上限不是每晚650元，而是700元。", Supported},
		{"上海的住宿上限不是每晚650元。", "上海的住宿上限并非每晚650元。", Supported},
		{"北京的住宿上限不是每晚650元。", "上海的住宿上限为每晚650元。", NotSupported},
		{"The limit is not 700 yuan a night.", "The limit is 650 yuan a night.", Partly},
		{"The deadline is 4 May 2026.", "The deadline is not 3 May 2026.", NotSupported},
		{"The deadline is 3 June 2026.", "The deadline is not 3 May 2026, but 3 June 2026.", Supported},
	} {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); f.Verdict != c.want {
			t.Errorf("%q against %q is %s by %s, %v, want %s", c.sentence, c.text, f.Verdict, f.Rule, f.Reasons, c.want)
		}
	}
}

func TestADeniedNumberIsNamedAsSuch(t *testing.T) {
	f := Judge("年假不是15天。", []*Source{NewSource("年假为15天。")})
	if f.Rule != "negation" || !slices.Contains(f.Reasons, Reason{"negation", "15天", ""}) {
		t.Errorf("by %s, %v", f.Rule, f.Reasons)
	}
}

// TestNoNumberIsSupportedByItsDenial draws rules: neither follows from the other, and each follows from itself.
func TestNoNumberIsSupportedByItsDenial(t *testing.T) {
	forms := [][2]string{
		{"%s为%d元。", "%s不是%d元。"}, {"%s为每晚%d元。", "%s并非每晚%d元。"}, {"%s是%d天。", "%s不是%d天。"},
		{"The %s is %d yuan.", "The %s is not %d yuan."}, {"The %s is %d%%.", "The %s isn't %d%%."},
	}
	subjects := [][]string{{"上海的住宿上限", "试用期", "餐饮补贴"}, {"lodging limit", "deposit", "late fee of the library"}}
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(forms)-1).Draw(t, "form")
		subject := rapid.SampledFrom(subjects[i/3]).Draw(t, "subject")
		n := rapid.IntRange(4, 99_999).Draw(t, "number")
		said, denied := fmt.Sprintf(forms[i][0], subject, n), fmt.Sprintf(forms[i][1], subject, n)
		for _, p := range [][2]string{{said, denied}, {denied, said}} {
			if f := Judge(p[0], []*Source{NewSource(p[1])}); f.Verdict == Supported {
				t.Fatalf("%q is supported by %q, by %s", p[0], p[1], f.Rule)
			}
			if f := Judge(p[0], []*Source{NewSource(p[0])}); f.Verdict == Contradicted {
				t.Fatalf("%q contradicts itself by %s", p[0], f.Rule)
			}
		}
	})
}
