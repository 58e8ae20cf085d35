package claim

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/analysis"
	"pgregory.net/rapid"
)

func TestNumeralsAreWrittenInDigits(t *testing.T) {
	for text, want := range map[string]string{
		"三天":        "3天",
		"十五个工作日":    "15个工作日",
		"二十层":       "20层",
		"一百二十人":     "120人",
		"两千零五元":     "2005元",
		"三万五千元":     "35000元",
		"一亿二千万元":    "120000000元",
		"二〇二六年十月一日": "2026年10月1日",
		"百分之八十五":    "百分之85",
		"第三条":       "第3条",
		"第一章":       "第1章",
		"一天":        "1天",
		"三亚、统一、一般、万一、十分重要":      "三亚、统一、一般、万一、十分重要",
		"一个问题，哪一年，每一天，第一名":      "一个问题，哪一年，每一天，第一名",
		"两三天，千万不要":              "两三天，千万不要",
		"十分钟":                   "10分钟",
		"two days":              "2 days",
		"twenty-five people":    "25 people",
		"three hundred":         "300",
		"a hundred thousand":    "100000",
		"one of a kind, anyone": "one of a kind, anyone",
		"often, height":         "often, height",
	} {
		if got := arabic(text); got != want {
			t.Errorf("arabic(%s) = %s, want %s", text, got, want)
		}
	}
}

// inHan writes a number in Chinese, by the textbook and apart from the code under test.
func inHan(n int) string {
	names := [...]string{"零", "一", "二", "三", "四", "五", "六", "七", "八", "九"}
	if n >= 10000 {
		rest := ""
		if n%10000 > 0 {
			if n%10000 < 1000 {
				rest = "零"
			}
			rest += inHan(n % 10000)
		}
		return inHan(n/10000) + "万" + rest
	}
	out, gap := "", false
	for _, p := range []struct {
		value int
		name  string
	}{{1000, "千"}, {100, "百"}, {10, "十"}, {1, ""}} {
		d := n / p.value % 10
		if d == 0 {
			gap = out != ""
			continue
		}
		if gap {
			out += "零"
		}
		out, gap = out+names[d]+p.name, false
	}
	return out
}

func TestWhatIsWrittenInChineseReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 99_999_999).Draw(t, "n")
		text := inHan(n) + "元"
		if got, want := arabic(text), strconv.Itoa(n)+"元"; got != want {
			t.Fatalf("arabic(%s) = %s, want %s", text, got, want)
		}
	})
}

func TestQuantitiesAreReadWithTheirUnits(t *testing.T) {
	for text, want := range map[string][]quantity{
		"1,000元":                      {{number, "1000", "yuan"}},
		"¥1000.50":                    {{number, "1000.5", "yuan"}},
		"1.5万元":                       {{number, "15000", "yuan"}},
		"３００ yuan":                    {{number, "300", "yuan"}},
		"2.5 million":                 {{number, "2500000", ""}},
		"百分之八十五，85％, 85 percent":      {{number, "85", "%"}, {number, "85", "%"}, {number, "85", "%"}},
		"2026年10月1日":                  {{date, "2026-10-01", ""}},
		"2026-10-01 2026/10/1":        {{date, "2026-10-01", ""}, {date, "2026-10-01", ""}},
		"2026年10月":                    {{date, "2026-10", ""}},
		"10月1日":                       {{date, "--10-01", ""}},
		"October 1, 2026":             {{date, "2026-10-01", ""}},
		"1st of Oct. 2026":            {{date, "2026-10-01", ""}},
		"Oct 2026":                    {{date, "2026-10", ""}},
		"2026年":                       {{number, "2026", "year"}},
		"99/99/9999":                  {{number, "99", ""}, {number, "99", ""}, {number, "9999", ""}},
		"ERR-1042 v2.3.1 10.0.0.1":    {{code, "err-1042", ""}, {code, "2.3.1", ""}, {code, "10.0.0.1", ""}},
		"三个工作日 vs 3 business days":    {{number, "3", "workday"}, {number, "3", "workday"}},
		"no quantity, nothing at all": nil,
	} {
		var got []quantity
		list, _ := quantities(analysis.Fold(text))
		for _, q := range list {
			got = append(got, q.quantity)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(quantity{})); diff != "" {
			t.Errorf("quantities(%s) (-want +got):\n%s", text, diff)
		}
	}
}

func TestAQuantityIsStatedByAnEqualOrMoreExactOne(t *testing.T) {
	for _, c := range []struct {
		have, want string
		states     bool
	}{
		{"650元", "650", true},
		{"650", "650元", true},
		{"650元", "650美元", false},
		{"650", "65", false},
		{"2026年10月1日", "2026年10月", true},
		{"2026年10月1日", "10月1日", true},
		{"2026年10月1日", "2026年", true},
		{"2026年10月", "2026年10月1日", false},
		{"2026年10月1日", "2025年", false},
		{"ERR-1042", "ERR-104", false},
	} {
		have, _ := quantities(analysis.Fold(c.have))
		want, _ := quantities(analysis.Fold(c.want))
		if got := states(have, want[0]); got != c.states {
			t.Errorf("%s states %s: %v, want %v", c.have, c.want, got, c.states)
		}
	}
}

// TestALongListOfSpelledNumbersIsReadInOneWalk counts what is allocated for a list and for one of twice as many numbers.
func TestALongListOfSpelledNumbersIsReadInOneWalk(t *testing.T) {
	work := func(n int) float64 {
		list := strings.Repeat("two and ", n) + "two"
		if got, want := arabic(list), strings.Repeat("2 and ", n)+"2"; got != want {
			t.Fatalf("of %d numbers: %q", n, got)
		}
		return testing.AllocsPerRun(1, func() { arabic(list) })
	}
	if once, twice := work(200), work(400); once == 0 || twice > 3*once {
		t.Errorf("%.0f for a list twice as long as one that takes %.0f", twice, once)
	}
}

// TestWhatIsPassedOverStatesNothing draws texts of words: those that are not read for quantities and
// denials hold none.
func TestWhatIsPassedOverStatesNothing(t *testing.T) {
	words := []string{"一半", "半数", "三成", "百分之五", "每晚", "per night", "a third of", "one half of", "twenty-five", "two", "ERR-1042", "650元", "june 3", "不", "没有", "严禁", "cannot", "isn't", "lacking", "yet to", "refusal", "上海", "lodging", "，", " "}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom(words).Draw(t, "word")
		text := "meals " + word + " paid"
		if got := plainly(text); len(got) > 0 && !mayCount(text) {
			t.Fatalf("%q states %q and is passed over", text, got)
		}
		if (zhDenials.MatchString(text) || enDenials.MatchString(text)) && !mayDeny(text) {
			t.Fatalf("%q denies and is passed over", text)
		}
	})
	if mayCount("meals are reimbursed") || mayDeny("meals are reimbursed") {
		t.Error("what states and denies nothing is read all the same")
	}
}

// plainly returns what states a quantity in a text, found without looking whether it may.
func plainly(text string) string {
	for _, re := range []*regexp.Regexp{hanNumeral, numberWords, halves, fractions, rates, plainNumber} {
		if m := re.FindString(text); m != "" {
			return m
		}
	}
	return ""
}
