package rules

import (
	"strings"
	"testing"
)

func TestQuestionsThatYesOrNoAnswersAreKnown(t *testing.T) {
	for text, want := range map[string]bool{
		"住宿上限含早餐吗？": true, "U 盘能否带入机房": true, "试用期员工是否可以远程办公": true, "退货要不要运费": true,
		"Does the limit include breakfast?": true, "May I print it at home?": true, "Are interns paid?": true,
		"住宿上限是多少": false, "你知道谁审批吗？": false, "出差由谁审批？": false,
		"How much is the limit?": false, "Who may approve it?": false, "When does it open?": false,
	} {
		if got := isPolar(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestASentenceDeniesInTheClauseThatIsAsked(t *testing.T) {
	for question, texts := range map[string]map[string]bool{
		"U 盘可以带入机房吗？": {"U 盘禁止带入机房。": true, "U 盘不得带入机房。": true, "U 盘可以带入机房，但不得转借。": false, "U 盘经登记可以带入机房。": false},
		"住宿上限含早餐吗？":   {"以下金额含税，不含早餐，按每人每晚计算。": true, "以下金额含早餐，不含税。": false},
		"密码可以是 8 位吗？": {"密码不得少于 8 位。": false, "密码长度不足 8 位的不能使用。": true},
		"May unused leave be carried over?": {
			"Unused leave may not be carried over.": true, "Unused leave is never carried over.": true,
			"Unused leave may be carried over; it is not paid out.": false, "Unused leave is carried over for no more than a year.": false,
		},
	} {
		for text, want := range texts {
			if got := understand(question, "").denies(text); got != want {
				t.Errorf("%s: %s: %t", question, text, got)
			}
		}
	}
}

const canteen = "# 食堂\n\n食堂供应午餐，每份 15 元。早餐不供应。实习生凭卡就餐。\n\n访客由接待部门付费。\n\n酒水不报销。"

func TestTheSentenceThatHoldsWhatIsAskedWinsOverItsNeighbour(t *testing.T) {
	rule := "# Travel\n\nThe lodging limit in Shanghai is 650 yuan a night. The lodging limit excludes breakfast. The vice president approves travel abroad. " +
		"The head of department approves travel of more than three days.\n\n## Remote work\n\nEither side may end the arrangement with two weeks' notice."
	for question, want := range map[string]string{
		"食堂供应早餐吗？":                                       "早餐不供应。",
		"食堂供应午餐吗？":                                       "食堂供应午餐，每份 15 元。",
		"酒水能报销吗？":                                        "酒水不报销。",
		"Does the lodging limit include breakfast?":      "The lodging limit excludes breakfast.",
		"Who approves travel abroad?":                    "The vice president approves travel abroad.",
		"What is the lodging limit in Shanghai?":         "The lodging limit in Shanghai is 650 yuan a night.",
		"How many weeks of notice ends the arrangement?": "Either side may end the arrangement with two weeks' notice.",
	} {
		text := reply(fixedRequest(question, given{ref: "C1", key: "a", text: canteen}, given{ref: "C2", key: "b", text: rule})).Text
		if !strings.HasPrefix(text, "结论："+want) && !strings.HasPrefix(text, "Conclusion: "+want) {
			t.Errorf("%s: %s", question, text)
		}
	}
	for question, name := range map[string]string{
		"How many days of notice does a resignation need?": "resignation", "Are pets allowed?": "pets", "Who signs leases?": "leases", "宵夜能报销吗？": "宵夜",
		"Does the parking permit expire?": "parking",
	} {
		text := reply(fixedRequest(question, given{ref: "C1", key: "a", text: canteen}, given{ref: "C2", key: "b", text: rule})).Text
		if !strings.HasPrefix(text, "INSUFFICIENT_EVIDENCE") || !strings.Contains(text, name) {
			t.Errorf("%s: %s", question, text)
		}
	}
}

func TestASentenceAboutAnotherPlaceOrCodeIsNotTheAnswer(t *testing.T) {
	for question, want := range map[string]string{
		"北京住宿上限是多少": "北京为每晚 700 元。", "上海住宿上限是多少": "上海的住宿上限为每晚 650 元。",
		"FM-350 的保修期是多少个月": "FM-350 为 18 个月。", "AX-200 的保修期是多少个月": "AX-200 的保修期为 24 个月。",
	} {
		text := reply(fixedRequest(question, given{ref: "C1", key: "a", text: "上海的住宿上限为每晚 650 元。北京为每晚 700 元。"},
			given{ref: "C2", key: "b", text: "AX-200 的保修期为 24 个月。FM-350 为 18 个月。"})).Text
		if !strings.HasPrefix(text, "结论："+want+"[C") {
			t.Errorf("%s: %s", question, text)
		}
	}
}
