package numeral

import (
	"strconv"
	"strings"
	"testing"

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
		if got := Arabic(text); got != want {
			t.Errorf("Arabic(%s) = %s, want %s", text, got, want)
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
		if got, want := Arabic(text), strconv.Itoa(n)+"元"; got != want {
			t.Fatalf("Arabic(%s) = %s, want %s", text, got, want)
		}
	})
}

func TestALongListOfSpelledNumbersIsReadInOneWalk(t *testing.T) {
	work := func(n int) float64 {
		list := strings.Repeat("two and ", n) + "two"
		if got, want := Arabic(list), strings.Repeat("2 and ", n)+"2"; got != want {
			t.Fatalf("of %d numbers: %q", n, got)
		}
		return testing.AllocsPerRun(1, func() { Arabic(list) })
	}
	if once, twice := work(200), work(400); once == 0 || twice > 3*once {
		t.Errorf("%.0f for a list twice as long as one that takes %.0f", twice, once)
	}
}

func TestRangesOfYearsAreWrittenInFull(t *testing.T) {
	for text, want := range map[string]string{
		"in 1973-74": "in 1973 - 1974", "1973–74年": "1973 - 1974年", "2026-03": "2026-03", "2026-10-01": "2026-10-01", "1999-98": "1999-98", "12-34": "12-34",
	} {
		if got := WholeYears(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestAHalfMoreIsAPartOfItsNumber(t *testing.T) {
	for text, want := range map[string]string{
		"保修一年半": "保修1.5年", "两个半月后": "2.5个月后", "3小时半": "3.5小时", "10年半价": "10年半价", "2026年半决赛": "2026年半决赛", "半年": "半年",
		"a year and a half": "1.5 year", "three and a half hours": "3.5 hours", "one to three years": "1 to 3 years", "a two-year plan": "a 2 year plan",
		"from one to another": "from one to another",
	} {
		if got := Arabic(Magnitudes(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
