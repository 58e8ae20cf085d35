package clock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func times(text string) []string {
	var out []string
	Times(text, func(time, _ string) { out = append(out, time) })
	return out
}

func TestTimesOfDayAreRead(t *testing.T) {
	for text, want := range map[string][]string{
		"开会 14:00 结束 15:30": {"14:00", "15:30"},
		"下午2点开始":            {"14:00"},
		"下午2点半开始":           {"14:30"},
		"下午1点到3点清洁":         {"13:00", "15:00"},
		"上午9:30前":           {"09:30"},
		"晚8点后":              {"20:00"},
		"中午12点":             {"12:00"},
		"中午1点":              {"13:00"},
		"20点整":              {"20:00"},
		"open until 9 pm":   {"21:00"},
		"until 5:30 p.m.":   {"17:30"},
		"from 12 am":        {"00:00"},
		"at 10:30":          {"10:30"},
		"3点要求":              nil,
		"a ratio of 4:1":    nil,
		"it is 99:99":       nil,
		"第3点钟":              nil,
	} {
		if diff := cmp.Diff(want, times(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestWhatStandsAroundATimeStays(t *testing.T) {
	for text, want := range map[string]string{"周二下午2点开会": "周二下午 开会", "until 9 pm today": "until   today", "3点要求": "3点要求"} {
		if got := Times(text, func(string, string) {}); got != want {
			t.Errorf("%q leaves %q, want %q", text, got, want)
		}
	}
}

func TestEveryTimeOfTheDayIsReadInEachForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, m := rapid.IntRange(12, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute")
		short := (h+11)%12 + 1
		want := []string{fmt.Sprintf("%02d:%02d", h, m)}
		for _, text := range []string{fmt.Sprintf("%d:%02d", h, m), fmt.Sprintf("%d:%02d pm", short, m), fmt.Sprintf("下午%d:%02d", short, m), fmt.Sprintf("下午%d点%d分", short, m)} {
			if got := times(text); !cmp.Equal(got, want) {
				t.Fatalf("%q is %q, want %q", text, got, want)
			}
		}
	})
}

func TestDatesAreWrittenWithoutBlanks(t *testing.T) {
	for text, want := range map[string]string{
		"2026 年 9 月 16 日召开": "2026年9月16日召开",
		"5 月 8 日":           "5月8日",
		"3 个月":              "3 个月",
		"12 March 2026":     "12 March 2026",
	} {
		if got := Dates(text); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"2026", " ", "年", "月", "日", "8", "到"})).Draw(t, "text"), "")
		if once := Dates(text); Dates(once) != once {
			t.Fatalf("%q is written %q, and that otherwise", text, once)
		}
	})
}
