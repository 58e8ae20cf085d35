package claim

import "testing"

func TestWhatIsDueWithinAPeriodIsNotDueAfterIt(t *testing.T) {
	holds(t, []expectation{
		{saysContrary, "Invoices are paid after 30 days.", "Invoices are paid within 30 days."},
		{saysContrary, "The deposit is returned within 14 days of departure.", "The deposit is returned 14 days after departure."},
		{saysContrary, "Access is revoked within 7 days.", "Access is revoked after 7 days."},
		{notBorneOut, "Interns receive a badge within two weeks.", "Interns receive a badge after two weeks."},
		{saysContrary, "Backups are deleted no later than 90 days.", "Backups are deleted after 90 days."},
		{notBorneOut, "The report is due 5 days before the meeting.", "The report is due 5 days after the meeting."},
		{saysContrary, "发票在30日后支付。", "发票在30日内支付。"},
		{saysContrary, "押金在退房14天内退还。", "押金在退房14天后退还。"},
		{saysContrary, "账号七天后停用。", "账号七天内停用。"},
		{saysContrary, "新员工三个月内可申请补贴。", "新员工三个月后可申请补贴。"},
		{notBorneOut, "须在会议3天后提交议程。", "须在会议3天前提交议程。"},
		{borneOut, "Invoices are paid within 30 days.", "Invoices are paid within 30 days after receipt."},
		{borneOut, "The deposit is returned within 14 days.", "The deposit is returned no later than 14 days after departure."},
		{borneOut, "Access is revoked 7 days after the last day of work.", "Access is revoked after 7 days, counted from the last day of work."},
		{borneOut, "Payment is due within 30 days of receipt.", "Payment is due 30 days after receipt."},
		{borneOut, "押金在退房后14天内退还。", "押金于退房之后14日内退还。"},
		{borneOut, "账号在离职7天后停用。", "账号在员工离职七日之后停用。"},
	})
}

func TestTheReasonSaysWhenThePeriodIs(t *testing.T) {
	for _, c := range []struct{ claim, text, said, found string }{
		{"Access is revoked within 7 days.", "Access is revoked after 7 days.", "within 7 days", "after 7 days"},
		{"账号七天后停用。", "账号七天内停用。", "7天后", "7天内"},
		{"The agenda is sent 3 days before.", "The agenda is sent within 3 days.", "3 days before", "within 3 days"},
	} {
		f := Judge(c.claim, []*Source{NewSource(c.text)})
		if len(f.Reasons) == 0 || f.Reasons[0] != (Reason{"number", c.said, c.found}) {
			t.Errorf("%q against %q: %v", c.claim, c.text, f.Reasons)
		}
	}
}

func TestWhatIsSoOnOtherDaysOrAtOtherTimesIsNotBorneOut(t *testing.T) {
	holds(t, []expectation{
		{notBorneOut, "图书馆周末9点至17点开放。", "图书馆工作日9点至17点开放。"},
		{notBorneOut, "食堂周末供应早餐。", "食堂周一至周五供应早餐。"},
		{notBorneOut, "客服热线周末也有人接听。", "客服热线工作日有人接听。"},
		{notBorneOut, "仓库周六收货。", "仓库工作日收货。"},
		{notBorneOut, "The library is open on weekends from 9 to 17.", "The library is open on weekdays from 9 to 17."},
		{notBorneOut, "The help desk answers calls on Saturday.", "The help desk answers calls on weekdays."},
		{notBorneOut, "门诊周一至周五开放。", "门诊周一至周五下午开放。"},
		{notBorneOut, "窗口周三办理业务。", "窗口周三上午办理业务。"},
		{notBorneOut, "游泳馆每天开放。", "游泳馆每天晚上开放。"},
		{notBorneOut, "The clinic is open Monday to Friday.", "The clinic is open Monday to Friday afternoons."},
		{notBorneOut, "The desk is staffed on Wednesdays.", "The desk is staffed on Wednesday mornings."},
		{notBorneOut, "门诊周一至周五上午开放。", "门诊周一至周五下午开放。"},
		{borneOut, "食堂周末供应早餐。", "食堂周末供应早餐，工作日供应午餐。"},
		{borneOut, "The gym is open on weekends.", "The gym is open on weekends from 8 to 20."},
		{borneOut, "食堂周末供应早餐。", "食堂工作日供应早餐、午餐和晚餐。周末食堂只供应早餐。"},
		{borneOut, "门诊周一至周五下午开放。", "门诊周一至周五开放。"},
		{borneOut, "例会每周一召开。", "例会每周一上午召开。"},
		{borneOut, "Deliveries arrive on Fridays.", "Deliveries arrive on Friday mornings."},
	})
}
