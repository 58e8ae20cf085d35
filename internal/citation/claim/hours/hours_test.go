package hours

import (
	"testing"

	"pgregory.net/rapid"
)

func TestDaysAreReadAsASet(t *testing.T) {
	for text, want := range map[string]days{
		"open monday - friday": weekdays, "monday to wednesday": 1 | 1<<2, "saturday - sunday": weekend, "friday - monday": 1<<4 | weekend | 1, "closed tuesdays and thursday": 1<<1 | 1<<3,
		"工作日供应": weekdays, "每个工作日": weekdays, "周末": weekend, "双休日": weekend, "法定节假日": holidays, "每天开放": everyDay, "monday - friday 每天": weekdays,
		"on weekdays": weekdays, "on working days": weekdays, "at the weekend": weekend, "on public holidays": holidays, "open daily": everyDay, "7 days a week": everyDay,
		"5个工作日内": 0, "若干个工作日": 0, "下一个工作日": 0, "2 working days": 0, "the next business day": 0, "a full working day": 0, "holiday pay": 0, "sundry": 0, "mondays": 1,
	} {
		if got := daysOf(text); got != want {
			t.Errorf("%q: %08b, want %08b", text, got, want)
		}
	}
}

func TestPartsOfTheDayAreReadAsASet(t *testing.T) {
	for text, want := range map[string]parts{
		"上午和下午": morning | afternoon, "中午": noon, "午后": afternoon, "每天傍晚": evening, "清晨": morning, "夜间值班": evening,
		"in the morning": morning, "afternoons": afternoon, "at noon": noon, "midday": noon, "evenings": evening, "at night": evening, "per night": 0, "一晚": 0, "全天": 0,
	} {
		if got := partsOf(text); got != want {
			t.Errorf("%q: %04b, want %04b", text, got, want)
		}
	}
}

func TestOtherHoursAreTold(t *testing.T) {
	for _, c := range []struct{ claim, sentence, said, found string }{
		{"图书馆周末开放", "图书馆工作日开放", "周末", "工作日"},
		{"食堂节假日供应早餐", "食堂 monday - friday 供应早餐", "节假日", "monday - friday"},
		{"the gym is open on saturday", "the gym is open on weekdays", "saturday", "weekdays"},
		{"the bank is open on weekdays", "the bank is open at the weekend", "weekdays", "weekend"},
		{"门诊 monday 上午开放", "门诊 monday 下午开放", "上午", "下午"},
		{"the desk is staffed in the morning", "the desk is staffed in the evening", "morning", "evening"},
		{"门诊 monday - friday 开放", "门诊 monday - friday 下午开放", "monday - friday", "monday - friday 下午"},
		{"窗口 wednesday 办理业务", "窗口 wednesday 的上午办理业务", "wednesday", "wednesday 的上午"},
		{"the pool is open on weekdays", "the pool is open on weekday mornings and on sundays", "weekdays", "weekday mornings"},
		{"the clinic is open monday - friday", "the clinic is open in the afternoon from monday - friday", "monday - friday", "afternoon from monday - friday"},
		{"the shop is open daily", "the shop is open every day in the evening", "daily", "every day in the evening"},
		{"the shop is open on monday and tuesday", "the shop is open on monday and tuesday mornings", "monday", "monday and tuesday mornings"},
	} {
		said, found, ok := Other(c.claim, c.sentence)
		if !ok || said != c.said || found != c.found {
			t.Errorf("%q against %q: %q, %q, %v", c.claim, c.sentence, said, found, ok)
		}
	}
}

func TestTheSameHoursAreNoOthers(t *testing.T) {
	for claim, sentence := range map[string]string{
		"展厅 saturday 开放":               "展厅周末开放",
		"食堂周末供应早餐":                     "食堂周末供应早餐,工作日供应午餐",
		"门诊工作日开放":                      "除周末外门诊开放",
		"the gym is open on weekdays":  "the gym is open except on weekends",
		"the report takes 2 weekdays":  "the report takes a weekend",
		"会议 monday 举行":                 "会议 monday 上午举行", // what happens once on a day happens on it
		"门诊 monday 下午开放":               "门诊 monday 开放",
		"门诊 monday 开放":                 "门诊 monday 上午和下午开放",
		"窗口 friday 14:00 - 17:00 办理业务": "窗口 friday 下午 14:00 - 17:00 办理业务",
		"the pool is open on weekdays": "the pool is open on weekdays, and on sunday mornings",
		"the desk is open on fridays":  "the desk is open on fridays; parcels come in the morning",
		"the desk is open":             "the desk is open on friday mornings",
		"门诊开放":                         "门诊 monday 下午开放",
	} {
		if said, found, ok := Other(claim, sentence); ok {
			t.Errorf("%q against %q: %q, %q", claim, sentence, said, found)
		}
	}
}

func TestTextsShareDaysAndParts(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"周末", "sunday", true}, {"工作日", "周末", false}, {"上午", "early in the morning", true}, {"上午", "下午", false}, {"", "", false},
	} {
		if got := Shares(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// TestHoursAreNeverOtherThanThemselves draws days and parts of them: none is other than itself, and days that have none in
// common are other either way.
func TestHoursAreNeverOtherThanThemselves(t *testing.T) {
	names := append([]string{"weekdays", "weekends", "public holidays", "工作日", "周末", "monday - wednesday", "thursday - saturday"}, dayNames[:]...)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) string {
			return "the hall is open on " + rapid.SampledFrom(names).Draw(t, label) + rapid.SampledFrom([]string{"", " in the morning", " evenings"}).Draw(t, label+" part")
		}
		a, b := draw("a"), draw("b")
		if said, found, ok := Other(a, a); ok {
			t.Fatalf("%q is other than itself: %q, %q", a, said, found)
		}
		_, _, one := Other(a, b)
		_, _, other := Other(b, a)
		if apart := daysOf(a)&daysOf(b) == 0; apart && !(one && other) {
			t.Fatalf("%q and %q are not told apart", a, b)
		}
	})
}
