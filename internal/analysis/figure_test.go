package analysis

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestANumberIsFoundHoweverItIsWritten(t *testing.T) {
	for want, texts := range map[string][]string{
		"3000":        {"三千元", "3000元", "3,000", "３，０００", "三 千", "3千", "叁仟不算，三千算"},
		"23000":       {"两万三千", "二万三千", "2.3万", "23,000", "兩萬三千"},
		"350000000":   {"3.5亿", "三亿五千万", "350,000,000"},
		"105":         {"一百零五", "105"},
		"15":          {"十五天", "15 days"},
		"10":          {"十天", "10天"},
		"2023":        {"二〇二三年", "二零二三", "2023年"},
		"2":           {"两年", "2年"},
		"5%":          {"百分之五", "5%", "5 %", "5 percent", "5 per cent", "５％"},
		"3.5%":        {"百分之三点五", "3.5%", "3.50 %"},
		"第465条":       {"第四百六十五条", "第465条", "第 465 条不算，第四百六十五条算"},
		"3.14":        {"三点一四", "3.14"},
		"30000000000": {"三百亿", "300亿"},
	} {
		for _, text := range texts {
			if !slices.Contains(terms(everyone.Tokens(text)), want) {
				t.Errorf("%q as a document lacks %s", text, want)
			}
			if !slices.Contains(terms(everyone.Query(text)), want) {
				t.Errorf("%q as a query lacks %s", text, want)
			}
		}
	}
}

func TestWhatIsNoNumberGivesNone(t *testing.T) {
	for _, text := range []string{"千万不要", "万一", "一个人", "十分", "三四天", "统一", "百分之", "v2.3.1", "192.168.1.1", "ERR-1042", "第一", "七七事变", "亿万", "2023"} {
		if got := ofKind(everyone.Tokens(text), Numeral); got != nil {
			t.Errorf("%q gave %q", text, got)
		}
	}
}

// spell writes a number as people do, in a way of its own.
func spell(n int) string {
	digits := []rune("零一二三四五六七八九")
	below := func(n int) string {
		out, gap := "", false
		for _, u := range []struct {
			of   int
			name string
		}{{1000, "千"}, {100, "百"}, {10, "十"}, {1, ""}} {
			d := n / u.of % 10
			switch {
			case d == 0:
				gap = gap || out != ""
				continue
			case gap:
				out += "零"
			}
			gap = false
			out += string(digits[d]) + u.name
		}
		return out
	}
	switch {
	case n >= 10_000 && n%10_000 == 0:
		return below(n/10_000) + "万"
	case n >= 10_000:
		zero := ""
		if n%10_000 < 1000 {
			zero = "零"
		}
		return below(n/10_000) + "万" + zero + below(n%10_000)
	}
	return below(n)
}

func TestEverySpelledNumberHasItsValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(21, 99_999_999).Draw(t, "n")
		text := "共" + spell(n) + "元"
		if got := ofKind(everyone.Tokens(text), Numeral); !slices.Equal(got, []string{fmt.Sprint(n)}) {
			t.Fatalf("%s gave %q, not %d", text, got, n)
		}
	})
}

func TestADayIsFoundHoweverItIsWritten(t *testing.T) {
	for _, text := range []string{"2023年5月1日", "2023 年 5 月 1 日", "２０２３年５月１日", "二〇二三年五月一日", "二零二三年五月一号", "2023-05-01", "2023-5-1", "2023/05/01", "2023.5.1",
		"May 1, 2023", "May 1st, 2023", "1 May 2023", "1st of May, 2023", "1 MAY 2023"} {
		got := terms(everyone.Query("于" + text + "。"))
		if !slices.Contains(got, "2023-05-01") || !slices.Contains(got, "2023-05") {
			t.Errorf("%q gave %q", text, got)
		}
	}
	for _, text := range []string{"2023年5月", "二〇二三年五月", "2023-05", "May 2023"} {
		got := ofKind(everyone.Query(text), Date)
		if diff := cmp.Diff([]string{"2023-05"}, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for text, want := range map[string]string{"Sept. 9, 2020": "2020-09-09", "31 Dec 1999": "1999-12-31", "February 2000": "2000-02"} {
		if got := ofKind(everyone.Query(text), Date); !slices.Contains(got, want) {
			t.Errorf("%q gave %q", text, got)
		}
	}
}

func TestWhatIsNoDateGivesNone(t *testing.T) {
	for _, text := range []string{"2023-13-01", "2023-05-32", "12023-05-01", "2023-05-011", "1.2.3", "v2023.5.1x", "192.168.1.1", "GB/T 19001-2016", "you may 5 2023x", "Mayor 1, 2023",
		"May 1", "5月1日", "2023年", "0001-01-01", "2023年0月1日"} {
		if got := ofKind(everyone.Query(text), Date); got != nil {
			t.Errorf("%q gave %q", text, got)
		}
	}
}

func TestTheYearOfADateInWordsIsFound(t *testing.T) {
	if got := ofKind(everyone.Tokens("一九九八年三月"), Numeral); !slices.Equal(got, []string{"1998"}) {
		t.Errorf("got %q", got)
	}
}
