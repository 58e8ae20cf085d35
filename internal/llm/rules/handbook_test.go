package rules

import (
	"strings"
	"testing"
)

// The documents of an invented company, small but shaped like real ones.
func handbook() []given {
	return []given{
		{ref: "C1", key: "travel", title: "差旅制度", text: `# 差旅制度（第 2 版）

本制度自 2026 年 3 月 1 日起施行，由财务部负责解释。

## 住宿

| 城市 | 上限（元/晚） | 说明 |
|---|---|---|
| 上海 | 650 | 含早餐 |
| 北京 | 700 | 含早餐 |
| 成都 | 480 | |

超出上限的部分由员工自行承担，部门总监书面批准的除外。

## 交通

- 高铁可购二等座，连续乘坐超过 6 小时可购一等座。
- 国内航班一律购买经济舱。
- 市内交通凭票实报实销，每天不超过 120 元。

## 报销

出差结束后 15 个工作日内提交报销单，逾期不予受理。报销单须附发票原件和行程单。`},
		{ref: "C2", key: "after-sales", title: "售后服务说明", text: `产品自签收之日起保修 24 个月。人为损坏、进水和私自拆机不在保修范围内。

签收后 7 天内可无理由退货，运费由客户承担。退款在收到退回商品后 5 个工作日内原路返回。

错误码 ERR-1042 表示电池温度过高：请断电静置 30 分钟后重试。错误码 ERR-2001 表示固件校验失败，需要返厂。

客服热线由林晓雯负责，服务时间为周一至周五 9:00 至 18:00。`},
		{ref: "C3", key: "release", title: "Release checklist", text: `# Release checklist

Every release needs two approvals: one from engineering and one from support. Dana Whitfield owns the checklist.

## Freeze

The code freeze begins on Tuesday at 17:00 UTC and lasts 48 hours. Hotfixes during the freeze require a written exception from the release manager.

## Rollback

A rollback must be finished within 30 minutes. It is started with ` + "`deployctl rollback --to previous`" + ` on the bastion host.

| Environment | Region | Replicas |
|---|---|---|
| staging | Frankfurt | 2 |
| production | Dublin | 6 |

Old releases are kept for 90 days because auditors may ask for them.`},
		{ref: "C4", key: "office", title: "Office handbook", text: `The Lisbon office opens at 8:30 and closes at 19:00. Visitors sign in at the front desk and wear a badge.

Meeting rooms are booked through the calendar; a booking that nobody joins is released after 10 minutes. The large room, Atlas, seats 24 people.

Annual leave is 25 days. Unused leave of up to 5 days carries over until the end of March. Requests go to the line manager at least two weeks ahead.`},
	}
}

func TestAnswersAreFoundInTheHandbook(t *testing.T) {
	for _, c := range []struct{ question, want, ref string }{
		{"上海的住宿上限是多少？", "上海 | 650", "C1"},
		{"去北京出差住宿每晚最多可以报多少钱？", "北京 | 700", "C1"},
		{"成都酒店限额是多少元", "成都 | 480", "C1"},
		{"差旅制度从什么时候开始施行？", "2026 年 3 月 1 日", "C1"},
		{"差旅制度由哪个部门解释？", "财务部", "C1"},
		{"市内交通每天不超过多少元？", "120 元", "C1"},
		{"出差结束后多久要提交报销单？", "15 个工作日", "C1"},
		{"国内航班买什么舱位？", "经济舱", "C1"},
		{"超出上限的部分谁承担？", "员工自行承担", "C1"},
		{"产品保修多长时间？", "24 个月", "C2"},
		{"ERR-1042 是什么意思？", "电池温度过高", "C2"},
		{"错误码 ERR-2001 怎么处理？", "返厂", "C2"},
		{"退款几天到账？", "5 个工作日", "C2"},
		{"客服热线由谁负责？", "林晓雯", "C2"},
		{"退货运费由谁承担？", "运费由客户承担", "C2"},
		{"How many approvals does a release need?", "two approvals", "C3"},
		{"Who owns the release checklist?", "Dana Whitfield", "C3"},
		{"When does the code freeze begin?", "Tuesday at 17:00 UTC", "C3"},
		{"How long does the freeze last?", "48 hours", "C3"},
		{"How quickly must a rollback be finished?", "30 minutes", "C3"},
		{"How is a rollback started?", "deployctl rollback --to previous", "C3"},
		{"How many replicas run in production?", "production | Dublin | 6", "C3"},
		{"In which region is staging?", "staging | Frankfurt", "C3"},
		{"Why are old releases kept?", "auditors may ask", "C3"},
		{"When does the Lisbon office close?", "19:00", "C4"},
		{"How many people does Atlas seat?", "seats 24", "C4"},
		{"How many days of annual leave are there?", "25 days", "C4"},
		{"How much unused leave carries over?", "up to 5 days", "C4"},
		{"What is the hotel limit in Shanghai?", "上海 | 650", "C1"},
	} {
		text := reply(fixedRequest(c.question, handbook()...)).Text
		conclusion, _, _ := strings.Cut(text, "\n")
		if !strings.Contains(conclusion, c.want) || !strings.Contains(conclusion, "["+c.ref+"]") {
			t.Errorf("%s\n  wants %q [%s]\n  gets %s", c.question, c.want, c.ref, text)
		}
	}
}

func TestWhatTheHandbookDoesNotSayIsDeclared(t *testing.T) {
	for _, c := range []struct{ question, missing string }{
		{"深圳的住宿上限是多少？", "深圳"},
		{"去东京出差住宿标准是多少？", "东京"},
		{"食堂几点开门？", "食堂"},
		{"年会在哪里举行？", "年会"},
		{"错误码 ERR-9999 是什么意思？", "ERR-9999"},
		{"公司的股票代码是什么？", "股票"},
		{"董事长的邮箱是什么？", "董事"},
		{"VPN 怎么申请？", "VPN"},
		{"打印机的型号是什么？", "打印"},
		{"工资什么时候发？", "工资"},
		{"How much is the parking fee?", "parking"},
		{"Who is the chief financial officer?", "financial"},
		{"What is the Wi-Fi password?", "Wi-Fi"},
		{"How many replicas run in Singapore?", "Singapore"},
		{"When was the company founded?", "founded"},
		{"What does error E-77 mean?", "E-77"},
		{"Which insurance covers dental treatment?", "dental"},
		{"What is the gym membership discount?", "gym"},
		{"How do I reset my laptop?", "laptop"},
	} {
		text := reply(fixedRequest(c.question, handbook()...)).Text
		lines := strings.Split(text, "\n")
		if lines[0] != "INSUFFICIENT_EVIDENCE" {
			t.Errorf("%s is answered: %s", c.question, text)
			continue
		}
		if !strings.Contains(strings.Join(lines[2:], "\n"), c.missing) {
			t.Errorf("%s does not list %s: %q", c.question, c.missing, lines)
		}
	}
}
