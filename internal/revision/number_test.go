package revision

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func written(list []figure) string {
	out := []string{}
	for _, f := range list {
		out = append(out, f.value+"|"+canonical(f.unit))
	}
	return strings.Join(out, " ")
}

func TestNumbersOfASentence(t *testing.T) {
	for sentence, want := range map[string]string{
		"上海每晚 500 元。":                        "500|元",
		"上限为１，０００元":                          "1000|元",
		"Up to 1,000.50 yuan a night":        "1000.5|元",
		"RMB 650 or rmb650 or ¥650 or ￥ 650": "650|元 650|元 650|元 650|元",
		"$20 is 20 USD":                      "20|usd 20|usd",
		"报销五百元":                              "500|元",
		"六百五十元、一千零五元、两万三千元、三万亿元": "650|元 1005|元 23000|元 3000000000000|元",
		"十二个工作日内":                          "12|工作日",
		"within 12 working days":           "12|工作日",
		"1.5 万元":                           "15000|元",
		"3 million people":                 "3000000|人",
		"百分之二十，即 20%，20 percent":           "20|% 20|% 20|%",
		"上浮 20％":                           "20|%",
		"从 2026-01-31 起":                   "2026-01-31|",
		"8:30 到 17:00":                     "8:30| 17:00|",
		"2026 年 1 月 31 日":                  "2026|年 1|月 31|天",
		"二〇二六年":                            "2026|年",
		"500-650 元":                        "500-650|元",
		"1,2,3":                            "1| 2| 3|",
		"零下 -5℃ 和 -5 °C":                   "-5|℃ -5|℃",
		"ERR-1042 v2.3.1 A4 foo_bar2 GB/T": "",
		"十分重要，万一一些":                        "",
		"一个人":                              "1|个",
		"1. 三天以内":                          "3|天",
		"2) Two nights, 3 nights":          "3|晚",
		"- 40 公里":                          "40|公里",
		"1.5 公里":                           "1.5|公里",
		"007 次":                            "7|次",
		"2.50 kg":                          "2.5|公斤",
		"4GB":                              "4|gb",
		"5 men":                            "5|",
		"":                                 "",
		"第 3.2 条":                          "3.2|条",
		"192.168.1.1":                      "192.168.1.1|",
		strings.Repeat("9", 60) + "元":      strings.Repeat("9", 60) + "|元",
	} {
		if got := written(figures(sentence)); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}

func TestNumbersThatSentencesExchanged(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"500 元", "650 元", "500元>650元"},
		{"1,000 元", "１０００元", ""},
		{"1,000 yuan", "1000 元", ""},
		{"五百元", "500 yuan", ""},
		{"上限 500", "上限 500 元", ""},
		{"3 天", "3 周", "3天>3周"},
		{"每晚 500 元，共 3 晚", "每晚 650 元，共 3 晚", "500元>650元"},
		{"每晚 500 元，共 3 晚", "共 4 晚，每晚 500 元", "3晚>4晚"},
		{"500 yuan", "500 yuan and 3 days", ">3days"},
		{"500 yuan and 3 days", "500 yuan", "3days>"},
		{"10 天", "2 周", "10天>2周"},
		{"20%", "百分之三十", "20%>30%"},
	} {
		var got []string
		for _, n := range compareFigures(figures(c.old), figures(c.now)) {
			got = append(got, n.Old+n.OldUnit+">"+n.New+n.NewUnit)
		}
		if c.want == "3晚>4晚" {
			// The order of the clauses changed too; either number may be the one that stayed.
			if len(got) != 2 && !cmp.Equal(got, []string{c.want}) {
				t.Errorf("%s → %s: %v", c.old, c.now, got)
			}
			continue
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s → %s: %v, want %q", c.old, c.now, got, c.want)
		}
	}
}

// group writes a number with commas, counted by hand from the right.
func group(n int) string {
	s := strconv.Itoa(n)
	var out []byte
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, s[i])
	}
	return string(out)
}

// wide writes ASCII in full width.
func wide(s string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r + 0xfee0
		}
		return r
	}, s)
}

func TestSpellingOfANumberIsNoChangeOfIt(t *testing.T) {
	forms := []func(int) string{
		strconv.Itoa, group,
		func(n int) string { return wide(strconv.Itoa(n)) },
		func(n int) string { return wide(group(n)) },
		func(n int) string { return fmt.Sprintf("%d.00", n) },
		func(n int) string { return fmt.Sprintf("%s.0", group(n)) },
	}
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(0, 1<<40).Draw(t, "n"), rapid.IntRange(0, 1<<40).Draw(t, "m")
		unit := rapid.SampledFrom([]string{"元", " 元", " yuan", " 天", " days", "%", ""}).Draw(t, "unit")
		write := func(n int) string {
			return "The limit is " + forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")](n) + unit
		}
		got := compareFigures(figures(write(n)), figures(write(m)))
		if n == m {
			if len(got) != 0 {
				t.Fatalf("%+v", got)
			}
			return
		}
		if len(got) != 1 || got[0].Old != strconv.Itoa(n) || got[0].New != strconv.Itoa(m) {
			t.Fatalf("%d → %d: %+v", n, m, got)
		}
	})
}

// chinese writes a number below a hundred million in Chinese numerals.
func chinese(n int) string {
	if n == 0 {
		return "零"
	}
	words, places := []string{"零", "一", "二", "三", "四", "五", "六", "七", "八", "九"}, []string{"", "十", "百", "千"}
	four := func(n int) string {
		out, gap := "", false
		for p := 3; p >= 0; p-- {
			d := n
			for range p {
				d /= 10
			}
			d %= 10
			if d == 0 {
				gap = out != ""
				continue
			}
			if gap {
				out += "零"
			}
			out, gap = out+words[d]+places[p], false
		}
		return out
	}
	if n < 10_000 {
		return four(n)
	}
	out := four(n/10_000) + "万"
	if rest := n % 10_000; rest > 0 {
		if rest < 1000 {
			out += "零"
		}
		out += four(rest)
	}
	return out
}

func TestChineseNumeralsAreTheSameNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 99_999_999).Draw(t, "n")
		if got := written(figures("补助" + chinese(n) + "元")); got != strconv.Itoa(n)+"|元" {
			t.Fatalf("%s: %s, want %d", chinese(n), got, n)
		}
	})
}
