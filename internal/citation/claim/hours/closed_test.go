package hours

import "testing"

func TestDaysOnWhichSomethingIsClosedAreWrittenInOneWay(t *testing.T) {
	for text, want := range map[string]string{
		"展馆节假日闭馆。": "展馆节假日不开放。", "展馆 monday 闭馆,周末开放": "展馆 monday 不开放,周末开放", "商店周末停业休息": "商店周末不营业", "档案室节假日不对外开放": "档案室节假日不开放",
		"中心每天9点至17点开放,不含法定节假日。": "中心每天9点至17点开放,法定节假日不开放。", "除周末外,门店营业": "周末不营业,门店营业",
		"展馆节假日不闭馆": "展馆节假日开放", "商店周末不停业": "商店周末营业",
		"the library is not open on public holidays.": "the library is closed on public holidays.", "the shop does not open on sundays": "the shop closes on sundays",
		"it is not open mondays and tuesdays": "it is closed mondays and tuesdays", "it is not open to visitors on weekends": "it is closed to visitors on weekends",
		"the hall is open daily except on public holidays": "the hall is open daily, closed on public holidays",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"闭馆前30分钟停止入场", "周末闭馆时间为17点", "系统已关闭", "员工须关闭电源,周末值班", "the case is closed", "the hall is closed on weekends", "the door is not open", "the office is not open at 5 on fridays", "the office closes at 5 on fridays", "the account was closed by the bank on request",
		"除实习生外,员工周末值班", "staff except interns work on weekends", "open windows are closed at night",
	} {
		if got := Plain(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
