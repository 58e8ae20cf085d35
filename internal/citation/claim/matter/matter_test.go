package matter

import "testing"

type pair struct {
	question, a, b string
	answer         Answer
}

func TestSentencesAboutDifferentMattersAreApart(t *testing.T) {
	for _, p := range []pair{
		{"访客午餐多少钱？", "员工午餐每份 20 元。", "访客午餐每份 45 元。", Value},
		{"午餐多少钱？", "员工午餐每份 20 元。", "访客午餐每份 45 元。", Value},
		{"国内邮寄费多少？", "国内邮寄费每件 12 元。", "国际邮寄费每件 90 元。", Value},
		{"邮寄费多少？", "国内邮寄费每件 12 元。", "海外邮寄费每件 90 元。", Value},
		{"宿舍费多少？", "东区宿舍费每月 300 元。", "西区宿舍费每月 400 元。", Value},
		{"南京仓库几点开门？", "南京仓库 8:00 开门。", "成都仓库 9:00 开门。", Value},
		{"5 万元以上的采购由谁批准？", "5 万元以上的采购由总监批准。", "5 万元以下的采购由主管批准。", Words},
		{"夜间停车费多少？", "夜间停车费每小时 2 元。", "白天停车费每小时 6 元。", Value},
		{"访客可以带相机进车间吗？", "访客可以带相机进展厅。", "访客不得带相机进车间。", Value},
		{"年假几天？", "年假为 10 天。", "实习生年假为 3 天。", Value},
		{"When does the pool open?", "The pool opens at 7:00.", "The sauna opens at 9:00.", Value},
		{"What is the fee?", "The pool fee is 5 yuan.", "The sauna fee is 8 yuan.", Value},
		{"How many days of notice must tenants give?", "Tenants must give 30 days of notice.", "Suppliers must give 60 days of notice.", Value},
		{"How long is sick leave?", "Sick leave lasts 12 days.", "For interns sick leave lasts 5 days.", Value},
		{"What is the overseas rate?", "The domestic rate is 5 percent.", "The overseas rate is 8 percent.", Value},
		{"What is the rate?", "The domestic rate is 5 percent.", "The overseas rate is 8 percent.", Value},
		{"Who approves purchases above 500 yuan?", "Purchases above 500 yuan are approved by the director.", "Purchases below 500 yuan are approved by the clerk.", Words},
		{"Within how many days can books be returned?", "Books may be returned within 30 days.", "Readers can reserve books within 7 days.", Value},
		{"Who repairs printers?", "Printers are repaired by Ann.", "Scanners are repaired by Bob.", Words},
	} {
		if !Apart(p.question, p.a, p.b, p.answer) || !Apart(p.question, p.b, p.a, p.answer) {
			t.Errorf("%s: %s / %s: taken for one matter", p.question, p.a, p.b)
		}
	}
}

func TestSentencesAboutOneMatterAreNotApart(t *testing.T) {
	for _, p := range []pair{
		{"午餐多少钱？", "员工午餐每份 20 元。", "员工午餐每份 25 元。", Value},
		{"午餐多少钱？", "午餐每份 20 元。", "从五月起，员工午餐每份 25 元。", Value},
		{"宿舍费多少？", "东区宿舍费每月 300 元。", "东区的宿舍费为每月 400 元。", Value},
		{"可以带相机进车间吗？", "访客可以带相机进车间。", "访客不得带相机进车间。", Value},
		{"谁批准采购？", "采购由总监批准。", "采购由主管批准。", Words},
		{"5 万元以上的采购由谁批准？", "5 万元以上的采购由总监批准。", "5 万元以上的采购由主管批准。", Words},
		{"工作时间？", "工作时间为 9:00 至 18:00。", "工作时间为 8:30 至 17:30。", Value},
		{"年假几天？", "年假为 10 天。", "每位员工的年假为 15 天。", Value},
		{"门禁卡多久更换？", "门禁卡每年更换一次。", "门禁卡每两年更换一次。", Value},
		{"密码至少几位？", "密码至少 8 位。", "密码不得少于 12 位。", Value},
		{"When does the pool open?", "The pool opens at 7:00.", "On weekdays the pool opens at 6:00.", Value},
		{"How often is the filter changed?", "The filter is changed every week.", "The filter is changed every month.", Value},
		{"How many days of notice must tenants give?", "Tenants must give 30 days of notice.", "A tenant has to give 60 days of notice.", Value},
		{"Who repairs printers?", "Printers are repaired by Ann.", "Bob repairs printers.", Words},
		{"May dogs enter?", "Dogs may enter the hall.", "Dogs may not enter the hall.", Value},
		{"How many days of notice does a resignation need?", "A resignation needs 30 days of notice.", "Employees who resign give 14 days of notice.", Value},
		{"Within how many days can books be returned?", "Books may be returned within 30 days.", "Customers can return books within 14 days.", Value},
	} {
		if Apart(p.question, p.a, p.b, p.answer) || Apart(p.question, p.b, p.a, p.answer) {
			t.Errorf("%s: %s / %s: taken for two matters: %+v", p.question, p.a, p.b, swaps(p.a, p.b))
		}
	}
}

func TestASentenceAboutAnotherCaseMissesTheQuestion(t *testing.T) {
	for _, c := range []struct {
		question, sentence, frame string
		want                      bool
	}{
		{"国外住宿上限是多少？", "上海住宿上限为每晚 650 元。", "差旅制度", true},
		{"国外住宿上限是多少？", "住宿上限为每晚 150 美元。", "出境差旅", false},
		{"上海住宿上限是多少？", "国内住宿上限为每晚 650 元。", "", false},
		{"访客可以停车吗？", "员工可以停车。", "", true},
		{"员工收礼的上限是多少？", "客户的礼品不得超过 200 元。", "", false},
		{"员工和访客可以停车吗？", "员工可以停车。", "", false},
		{"年假几天？", "实习生年假 3 天。", "", false},
		{"报销要几个工作日？", "周末不处理报销。", "", false},
		{"What is the overseas rate?", "The domestic rate is 5 percent.", "", true},
	} {
		if Misses(c.question, c.sentence, c.frame) != c.want {
			t.Errorf("%s: %s (%s): %t", c.question, c.sentence, c.frame, !c.want)
		}
	}
}

func TestWhatStraysFromTheAnswerIsKnown(t *testing.T) {
	for _, c := range []struct {
		question, best, sentence string
		want                     bool
	}{
		{"年假几天？", "年假为 10 天。", "实习生年假为 3 天。", true},
		{"年假几天？", "实习生年假为 3 天。", "实习生年假须提前申请。", false},
		{"实习生年假几天？", "实习生年假为 3 天。", "年假须提前申请。", false},
		{"国内邮寄费多少？", "国内邮寄费每件 12 元。", "海外邮寄费每件 90 元。", true},
		{"How long is sick leave?", "Sick leave lasts 12 days.", "Interns have 5 days.", true},
		{"How long is sick leave?", "Sick leave lasts 12 days.", "Employees report it at once.", false},
	} {
		if Strays(c.question, c.best, c.sentence) != c.want {
			t.Errorf("%s: %s / %s: %t", c.question, c.best, c.sentence, !c.want)
		}
	}
}

func TestWhatHasSomethingElseInThePlaceOfWhatIsAskedAboutIsKnown(t *testing.T) {
	for _, c := range []struct {
		question, best, sentence string
		want                     bool
	}{
		{"宿舍费多少？", "东区宿舍费每月 300 元。", "西区宿舍费每月 400 元。", false},
		{"东区宿舍费多少？", "东区宿舍费每月 300 元。", "西区宿舍费每月 400 元。", true},
		{"How many days of notice must tenants give?", "Tenants must give 30 days of notice.", "The supplier must give 90 days of notice.", true},
		{"When does the pool open?", "The pool opens at 7:00.", "The sauna opens at 9:00.", true},
		{"Within how many days can books be returned?", "Books may be returned within 30 days.", "Readers can reserve books within 7 days.", true},
		{"When does the pool open?", "The pool opens at 7:00.", "On Sundays the pool opens at 9:00.", false},
	} {
		if Supplants(c.question, c.best, c.sentence) != c.want {
			t.Errorf("%s: %s / %s: %t: %+v", c.question, c.best, c.sentence, !c.want, swaps(c.best, c.sentence))
		}
	}
}
