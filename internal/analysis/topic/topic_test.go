package topic_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/analysis/topic"
)

func TestARequestForASummaryNamesItsTopic(t *testing.T) {
	for goal, want := range map[string]string{
		"总结一下售后服务政策":      "售后服务政策",
		"请总结售后服务政策的主要内容。": "售后服务政策",
		"帮我概括一下采购管理办法":    "采购管理办法",
		"能不能简单总结下差旅制度？":   "差旅制度",
		"概述：远程办公政策":       "远程办公政策",
		"售后服务政策的要点有哪些？":   "售后服务政策",
		"采购管理办法的主要内容是什么":  "采购管理办法",
		"总结一下":                                           "",
		"Summarize the remote work policy":               "remote work policy",
		"Please summarise travel-policy.md.":             "travel-policy.md",
		"give me a short summary of the warranty terms":  "warranty terms",
		"Could you give me an overview of remote work?":  "remote work",
		"What are the key points of the security guide?": "security guide",
		"summary of leave":                               "leave",
		"TL;DR: the release checklist":                   "release checklist",
	} {
		if about, ok := topic.Summary(goal); !ok || about != want {
			t.Errorf("%q asks for a summary of %q (%v), want %q", goal, about, ok, want)
		}
	}
}

func TestOtherQuestionsAskForNoSummary(t *testing.T) {
	for _, goal := range []string{
		"", "上海住宿上限是多少", "谁写总结？", "会议纪要由谁总结", "年度总结什么时候交", "要点", "How long is the summary of a report?",
		"Who writes the summary?", "What is the key code of the door?", "摘要不能超过多少字？", "概述里写的上限是多少", "归纳法是什么",
		"总结会议由谁主持", "梳理流程需要几天", "Overview page: who owns it?", "Outline agreements need which signature?", "总结的提交期限", "概括性条款是否有效",
		"摘要中有没有金额", "The key points of what committee?", "报销的要点数怎么算多少钱",
	} {
		if about, ok := topic.Summary(goal); ok {
			t.Errorf("%q passes for a request to summarise %q", goal, about)
		}
	}
}
