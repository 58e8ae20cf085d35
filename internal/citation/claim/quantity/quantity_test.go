package quantity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// only reads the one quantity of a text.
func only(t *testing.T, text string) Stated {
	t.Helper()
	list, _ := Read(analysis.Fold(text))
	if len(list) != 1 {
		t.Fatalf("%s: %d quantities, want 1: %+v", text, len(list), list)
	}
	return list[0]
}

func TestBoundsAreReadWithTheirNumbers(t *testing.T) {
	for text, want := range map[string]Bound{
		"650元": Exactly, "不超过650元": below, "至多650元": below, "650元以内": below, "650元及以下": below, "上限为650元": below, "不足650元": below,
		"超过650元": Above, "不少于650元": Above, "650元以上": Above, "至少650元": Above, "下限是650元": Above,
		"650 yuan": Exactly, "more than 650 yuan": Above, "at least 650 yuan": Above, "650 yuan or more": Above, "a minimum of 650 yuan": Above,
		"less than 650 yuan": below, "up to 650 yuan": below, "no more than 650 yuan": below, "within 650 days": below, "a limit of 650 yuan": below,
	} {
		if got := only(t, text); got.Bound != want {
			t.Errorf("%s: bound %d, want %d", text, got.Bound, want)
		}
	}
}

func TestSharesAreWrittenInHundredths(t *testing.T) {
	for text, want := range map[string]string{
		"百分之三十": "30", "三分之一": "33.333333333", "四分之三": "75", "三成": "30", "一半": "50", "half of the staff": "50", "two thirds": "66.666666667",
		"one quarter": "25", "千分之五": "0.5", "12.5%": "12.5",
	} {
		if got := only(t, text); got.Value != want || got.Unit != "%" {
			t.Errorf("%s: %s %s, want %s %%", text, got.Value, got.Unit, want)
		}
	}
	for _, text := range []string{"三成立", "三成员", "half a day off"} {
		if list, _ := Read(analysis.Fold(text)); len(list) > 0 && list[0].Unit == "%" {
			t.Errorf("%s is taken for a share: %+v", text, list)
		}
	}
}

func TestUnitsOfOneSortAreCompared(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2小时", "120分钟", true}, {"2小时", "90分钟", false}, {"1.5 km", "1500 meters", true}, {"两周", "14天", true}, {"three decades", "30 years", true},
		{"24小时", "1天", false}, {"3天", "3个工作日", false}, {"650元", "650美元", false}, {"5吨", "5000公斤", true},
	} {
		if got := Equal(only(t, c.a).Quantity, only(t, c.b).Quantity); got != c.want {
			t.Errorf("%s and %s: equal %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestWhatFollowsFromANumberIsLessThanStatingIt(t *testing.T) {
	for _, c := range []struct {
		have, want string
		implied    bool
	}{
		{"sold 757,000 copies", "sold more than 100,000 copies", true},
		{"sold 757,000 copies", "sold more than 800,000 copies", false},
		{"sold 757,000 copies", "sold more than 100,000 albums", false},
		{"每晚650元", "不到700元", true},
		{"每晚650元", "不到600元", false},
		{"上限为650元", "不超过700元", false}, // another limit
		{"每晚650元", "上限为700元", false},
		{"49 members", "about 50 members", true},
		{"30 members", "about 50 members", false},
		{"3天", "超过2小时", false},
	} {
		have, _ := Read(analysis.Fold(c.have))
		want, _ := Read(wording.Fold(c.want))
		if got := Implies(have, want[0]); got != c.implied || States(have, want[0]) {
			t.Errorf("%s implies %s: %v, want %v", c.have, c.want, got, c.implied)
		}
	}
}

func TestCodesWithWordsAreReadByTheirCode(t *testing.T) {
	for text, want := range map[string]string{"sf1-expressing": "sf1", "m2-phenotype": "m2", "err-1042": "err-1042", "v2.3.1": "2.3.1", "iso-9001": "iso-9001"} {
		if q, _ := readCode(text); q.Value != want {
			t.Errorf("%s: %s, want %s", text, q.Value, want)
		}
	}
}

func TestANumberIsDeniedWhereNothingElseIs(t *testing.T) {
	for text, want := range map[string][]string{
		"上限不是每晚650元":                           {"650元"},
		"上限并非每晚650元，而是700元":                    {"650元"},
		"上限为每晚650元":                            nil,
		"上限不是北京的650元":                          nil,
		"上限不超过650元":                            nil,
		"上限并非不是650元":                           nil, // denied twice
		"没有2026年的预算":                           nil, // it is the budget that is denied
		"有效期不是九十天":                             {"90天"},
		"it is not 650 yuan, but 700 yuan":     {"650 yuan"},
		"it isn't exactly usd 650":             {"usd 650"},
		"it was never 2 weeks":                 {"2 weeks"},
		"it is not more than 650 yuan":         nil,
		"it does not rise by 5%":               nil,
		"no 5 year plan":                       nil,
		"the deadline is not 3 may 2026":       {"2026-05-03"},
		"the deadline is not until 3 may 2026": nil,
		"not for sale, 650 yuan":               nil,
	} {
		var got []string
		for _, q := range statedIn(text) {
			if q.Denied {
				got = append(got, q.String())
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestANumberStandsWhereItIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"每晚650元":            "650",
		"由统一部门保管二级密码":       "二",
		"it is due in may":  "in may",
		"on 3 june 2026":    "3",
		"the fee is twenty": "twenty",
		"年假为五天":             "五",
	} {
		list := statedIn(text)
		if len(list) == 0 {
			t.Fatalf("%s states nothing", text)
		}
		at := At(text, list[0])
		if want == "" && at != -1 || want != "" && at != strings.Index(text, want) {
			t.Errorf("%s: at %d, want %q", text, at, want)
		}
	}
}
