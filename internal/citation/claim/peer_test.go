package claim

import (
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/analysis"
)

func TestOneSideOfAThingLeavesNoRoomForTheOther(t *testing.T) {
	for _, c := range []struct{ claim, text, found string }{
		{"补助在回程后支付。", "补助在回程前支付。", "回程前"},
		{"补助在回程之后支付。", "补助在回程前支付。", "回程前"},
		{"报表须在10点前提交。", "报表须在10点后提交。", "0点后"},
		{"补助在回程后支付。", "补助在出发前支付。", ""}, // of another thing
		{"补助在回程后支付。", "申请在回程前提出，补助在回程后支付。", ""},
		{"目前没有。", "目后没有。", ""},
		{"以实际前提为准。", "以实际后为准。", ""},
	} {
		r, ok := newClaim(c.claim).otherOrder(&NewSource(c.text).sentences[0])
		if ok != (c.found != "") || r.Found != c.found {
			t.Errorf("%q against %q: %v %+v, want %q", c.claim, c.text, ok, r, c.found)
		}
	}
}

func TestAPlaceThatNothingCitedNamesIsMissing(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		want        []string
	}{
		{"上海办公室周一开放。", "北京办公室周一开放。", []string{"上海"}},
		{"上海办公室周一开放。", "Shanghai 办公室周一开放。", nil},
		{"旧金山和纽约的办公室在美国。", "New York 的办公室在美利坚。", []string{"旧金山", "美国"}},
		{"印尼分公司周一开放。", "印度尼西亚分公司周一开放。", nil},
		{"印度尼西亚分公司周一开放。", "印尼分公司周一开放。", nil}, // and not of India
		{"上海和上海浦东的办公室。", "北京办公室。", []string{"上海"}},
		{"办公室周一开放。", "北京办公室周一开放。", nil},
	} {
		got := foreign(analysis.Fold(c.claim), []*Source{NewSource("会议室在三楼。"), NewSource(c.text)})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s and %s: %q, want %q", c.claim, c.text, got, c.want)
		}
	}
}

func TestWhatIsSaidOfOnePlaceDoesNotSupportAnother(t *testing.T) {
	for _, rule := range []string{"%s办公室周一开放。", "%s的住宿上限为每晚650元。", "访客可以在%s办公室预订会议室。"} {
		for _, p := range [][2]string{{"上海", "北京"}, {"德国", "法国"}, {"新德里", "孟买"}} {
			text := strings.ReplaceAll(rule, "%s", p[1])
			if f := Judge(strings.ReplaceAll(rule, "%s", p[0]), []*Source{NewSource(text)}); f.Verdict == Supported || !slices.Contains(f.Reasons, Reason{"name", p[0], ""}) {
				t.Errorf("%s of %s is %s by %s, %v", text, p[0], f.Verdict, f.Rule, f.Reasons)
			}
			if f := Judge(text, []*Source{NewSource(text + "会议室在三楼。")}); f.Verdict != Supported {
				t.Errorf("%s of itself is %s by %s, %v", text, f.Verdict, f.Rule, f.Reasons)
			}
		}
	}
}
