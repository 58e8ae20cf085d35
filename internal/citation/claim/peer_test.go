package claim

import (
	"slices"
	"strings"
	"testing"
)

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
