package rules

import "testing"

func TestWhoeverWantsATextWrittenAsksForWhatItIsAbout(t *testing.T) {
	for text, about := range map[string]string{
		"起草一份上海住宿标准的通知":                                                                 "上海住宿标准",
		"请帮我草拟一份关于年假结转的公告。":                                                             "年假结转",
		"写一封邮件说明报销流程":                                                                   "报销流程",
		"拟一则关于机房巡检的通知":                                                                  "机房巡检",
		"给员工写一份差旅报销的简短说明":                                                               "差旅报销",
		"麻烦您撰写一篇有关退货期限的客户邮件":                                                            "退货期限的客户",
		"Draft a notice about the lodging limit":                                        "the lodging limit",
		"Please write a short e-mail to all staff explaining how expenses are claimed.": "how expenses are claimed",
		"Could you prepare a memo regarding annual leave":                               "annual leave",
		// These ask about texts, and for none.
		"通知需要提前几天发出？":                          "通知需要提前几天发出？",
		"起草合同由谁负责？":                            "起草合同由谁负责？",
		"谁起草了安全通知":                             "谁起草了安全通知",
		"写报销说明要附发票吗":                           "写报销说明要附发票吗",
		"Who writes the notice about lodging?": "Who writes the notice about lodging?",
		"How do I write a letter of complaint": "How do I write a letter of complaint",
		"Draft a notice":                       "Draft a notice",
	} {
		if got := commissioned(text); got != about {
			t.Errorf("%s: %q, want %q", text, got, about)
		}
	}
}
