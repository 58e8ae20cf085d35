package wording

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesAreWordsWithACapitalThatBeginNoSentence(t *testing.T) {
	for text, want := range map[string][]string{
		"The Cedar Project is led by Alice Moore.": {"cedar", "project", "alice", "moore"},
		"It began on March 3 in Berlin.":           {"berlin"},
		"见《差旅制度》第三条。":                              {"差旅制度"},
		"所谓“绿色通道”":                                 {"绿色通道"},
		"meals are reimbursed":                     nil,
	} {
		if diff := cmp.Diff(want, Names(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestTheMarksOfANumberEndNoClause(t *testing.T) {
	for text, want := range map[string][]string{
		"the limit is 15,000 yuan, not 16,000": {"the limit is 15,000 yuan", " not 16,000"},
		"上限为15,000元，自10:30起":                   {"上限为15,000元", "自10:30起"},
		"rooms 1, 2 and 3":                     {"rooms 1", " 2 and 3"},
		"in 2001,2002 and 2003":                {"in 2001", "2002 and 2003"},
		"two things: 10 chairs but 12 lamps":   {"two things", " 10 chairs ", " 12 lamps"},
		"":                                     {""},
	} {
		if diff := cmp.Diff(want, Clauses(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestTheEndOfATextIsNotReadPastItsLength(t *testing.T) {
	for _, n := range []int{0, 1, 3, 9} {
		if got := LastRunes("一二三", n); got != string([]rune("一二三")[max(0, 3-n):]) {
			t.Errorf("last %d: %q", n, got)
		}
		if got := FirstRunes("一二三", n); got != string([]rune("一二三")[:min(3, n)]) {
			t.Errorf("first %d: %q", n, got)
		}
	}
}

func TestDaysAreNamedInOneWay(t *testing.T) {
	for text, want := range map[string]string{
		"周一至周五":                                     "monday - friday",
		"周一至五":                                      "monday - friday",
		"星期一～礼拜六":                                   "monday - saturday",
		"Mon–Fri":                                   "monday - friday",
		"Mon, Wed and Fri":                          "monday, wednesday and friday",
		"星期天":                                       "sunday",
		"周六、周天":                                     "saturday 、 sunday",
		"礼拜天至礼拜一":                                   "sunday - monday",
		"每周一次":                                      "每周一次",
		"周日程表":                                      "周日程表",
		"每周四十小时":                                    "每周四十小时",
		"每周四小时":                                     "每周四小时",
		"每周五百元，每周三十多人":                              "每周五百元,每周三十多人",
		"每周一千二百篇":                                   "每周一千二百篇",
		"每周三天":                                      "每周三天",
		"每周五天制":                                     "每周五天制",
		"每周二至三次，每周三到五天":                             "每周二至三次,每周三到五天",
		"周一至五日":                                     "monday 至五日",
		"周一十点，周五十五点":                                "monday 十点, friday 十五点",
		"周一十人":                                      "monday 十人",
		"周三天气，周五元旦":                                 "wednesday 天气, friday 元旦",
		"周六千万不要":                                    "saturday 千万不要",
		"The cat sat in the sun":                    "the cat sat in the sun",
		"It isn't so.":                              "it is not so.",
		"She can't and won't.":                      "she can not and will not.",
		"no longer than a day":                      "no longer than a day",
		"may not claim any more than 650 yuan":      "may not claim any more than 650 yuan",
		"does not apply any more.":                  "does not apply.",
		"does not apply any longer to interns":      "does not apply to interns",
		"is not any longer than two metres":         "is not any longer than two metres",
		"is not any more free; no longer, it costs": "is not free; not, it costs",
		"5月1日至7日":                                   "5月1日至5月7日",
		"1 to 5 May 2026":                           "1 may 2026 to 5 may 2026",
		"1 to 5 days":                               "1 to 5 days",
		"3-5月":                                      "3月至5月",
		"1-3个月":                                     "1-3个月",
	} {
		got := strings.Join(strings.Fields(Fold(text)), " ")
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
