package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/llm"
)

func conclusionOf(question string, texts ...string) string {
	var list []given
	for i, text := range texts {
		list = append(list, given{ref: fmt.Sprintf("C%d", i+1), key: fmt.Sprint(i), text: text})
	}
	return reply(fixedRequest(question, list...)).Text
}

func TestSumsFallIntoTheRangesOfRules(t *testing.T) {
	for _, c := range []struct {
		sum, text string
		want      bool
	}{
		{"5 万元", "30,000 元至 200,000 元", true},
		{"20 万元", "30,000 元至 200,000 元", true},
		{"25 万元", "30,000 元至 200,000 元", false},
		{"25 万元", "200,000 元以上", true},
		{"1,500 元", "2,000 元以下", true},
		{"2,500 元", "2,000 元以下", false},
		{"9,000 元", "预算超过 8,000 元的出差", true},
		{"7,000 元", "预算超过 8,000 元的出差", false},
		{"5 万元", "3 至 20 万元", true},
		{"300 yuan", "up to 500 yuan", true},
		{"600 yuan", "up to 500 yuan", false},
		{"650 元", "上海 | 650 元", true},
		{"650 元", "保修 24 个月", false},
	} {
		a, _, ok := namedAmount(c.sum)
		if !ok || a.covers(c.text) != c.want {
			t.Errorf("%q in %q: %t, want %t", c.sum, c.text, !c.want, c.want)
		}
	}
	if _, _, ok := namedAmount("SEV-2 事件 3 天内"); ok {
		t.Error("a number of days is taken for a sum")
	}
}

func TestAQuestionAboveItsAnswerIsNoConclusion(t *testing.T) {
	const faq = "# FAQ\n\n**发票丢了怎么办？**\n请对方提供复印件。另附说明。\n\n**May I borrow a bike?**\nYes. It costs nothing.\n\nQ: Who keeps the keys?\nThe porter keeps them."
	for question, want := range map[string]string{
		"发票丢了怎么办？":             "结论：请对方提供复印件。[C1] 另附说明。[C1]\n",
		"May I borrow a bike?": "Conclusion: Yes. [C1] It costs nothing. [C1]\n",
		"Who keeps the keys?":  "Conclusion: The porter keeps them. [C1]\n",
	} {
		if got := conclusionOf(question, faq); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", question, got)
		}
	}
}

func TestWhatAColonLeadsInComesAlong(t *testing.T) {
	for _, c := range []struct{ question, text, want string }{
		{"校验行是什么？", "校验行如下：\n\nCHECK-77\n\n别的内容。", "结论：校验行如下：[C1]\nCHECK-77[C1]\n"},
		{"回退命令是什么？", "回退命令由两人复核：\n\n```sh\nctl rollback\n```\n\n完成后通报。", "结论：回退命令由两人复核：[C1]\nctl rollback[C1]\n"},
		{"Which rooms can be booked?", "These rooms can be booked:\n\n- Atlas\n- Borea\n\nOthers are closed.", "Conclusion: These rooms can be booked: [C1]\nAtlas [C1]\nBorea [C1]\n"},
	} {
		if got := conclusionOf(c.question, c.text); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n%s\nwant %s", c.question, got, c.want)
		}
	}
}

func TestRowsThatTheQuestionDoesNotTellApartAreAllGiven(t *testing.T) {
	const table = "## 保修\n\n| 产品 | 保修期 |\n|---|---|\n| 水泵 | 24 个月 |\n| 阀门 | 18 个月 |\n\n保修期自签收之日起计算，无法证明的按出厂日期加 30 天计算。"
	if got, want := conclusionOf("保修期多长？", table), "结论：水泵 | 24 个月[C1]\n阀门 | 18 个月[C1]\n依据：产品 | 保修期[C1]\n水泵 | 24 个月[C1]"; got != want {
		t.Errorf("got %s", got)
	}
	if got := conclusionOf("阀门的保修期多长？", table); !strings.HasPrefix(got, "结论：阀门 | 18 个月[C1]\n") {
		t.Errorf("got %s", got)
	}
	if got := conclusionOf("保修期从什么时候开始算？", table); !strings.HasPrefix(got, "结论：保修期自签收之日起计算") {
		t.Errorf("got %s", got)
	}
}

func TestTheThingAskedAboutMustBeMentioned(t *testing.T) {
	const text = "# Handbook\n\nAnnual leave is 25 days. Change the password before you leave the desk. 两名员工合住一间时另发 100 元。\n\nThe hotel limit in Shanghai is 650 yuan a night."
	for _, question := range []string{
		"What is the maternity leave?", "How long is the lunch break?", "公司有多少名员工？", "How many nights can I stay in Shanghai?",
		"员工有几天产假？", "Who is the head of security?",
	} {
		if got := conclusionOf(question, text); !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE\n") {
			t.Errorf("%s: %s", question, got)
		}
	}
	if got := conclusionOf("How long is the annual leave?", text); !strings.Contains(got, "Conclusion: Annual leave is 25 days. [C1]") {
		t.Errorf("got %s", got)
	}
}

func TestWhatWasNotFoundIsListedByWholeWords(t *testing.T) {
	const text = "水泵每年检修一次。"
	for question, want := range map[string]string{
		"CANARY-RD-7f3a91 在哪里出现？":         "INSUFFICIENT_EVIDENCE\n当前资料不足以确认。\n- 在已读内容中没有找到：CANARY-RD-7f3a91\n- 在已读内容中没有找到：出现",
		"食堂几点开门？":                         "INSUFFICIENT_EVIDENCE\n当前资料不足以确认。\n- 在已读内容中没有找到：食堂\n- 在已读内容中没有找到：开门",
		"How much is the parking permit?": "INSUFFICIENT_EVIDENCE\nThe material does not settle this.\n- not found in what was read: parking\n- not found in what was read: permit",
	} {
		if diff := cmp.Diff(want, conclusionOf(question, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
	}
}

// scroll is a run that found one document, of which it has read one window.
func scroll(question, result string, more ...llm.Message) llm.Request {
	req := fixedRequest(question)
	req.Tools = []llm.ToolSpec{{Name: searchTool}, {Name: readTool}}
	call := func(id, name, args string) llm.Message {
		return llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: id, Name: name, Arguments: args}}}
	}
	req.Messages = append(req.Messages,
		call("1", searchTool, `{"query":"x"}`),
		llm.Message{Role: llm.Tool, CallID: "1", Text: `{"ok":true,"hits":[{"document_id":"d","title":"d","snippet":"pump"}],"remaining":{"searches":0}}`},
		call("2", readTool, `{"document_id":"d"}`),
		llm.Message{Role: llm.Tool, CallID: "2", Text: result})
	req.Messages = append(req.Messages, more...)
	return req
}

func TestReadingGoesOnWhereADocumentWasCut(t *testing.T) {
	const question = "How long is the pump warranty?"
	part := func(text string, start, end int, before, after bool, left string) string {
		return fmt.Sprintf(`{"ok":true,"ref":"S1","document_id":"d","text":%q,"span":{"start":%d,"end":%d},"truncated_before":%t,"truncated_after":%t,"remaining":{%s}}`,
			text, start, end, before, after, left)
	}
	long := strings.Repeat("x ", 1999)
	for _, c := range []struct{ name, result, want string }{
		{"after", part("Pumps are blue.", 0, 1900, false, true, `"searches":0,"documents":0,"tool_calls":3,"steps":3`), `{"document_id":"d","offset":1900}`},
		{"before", part("Pumps are blue.", 3000, 3400, true, false, `"searches":0,"documents":0`), `{"document_id":"d","offset":1000}`},
		{"too little before", part("Pumps are blue.", 700, 2400, true, false, `"searches":0`), ""},
		{"all text read", part(long+long, 0, 1900, false, true, `"searches":0`), ""},
		{"last turn", part("Pumps are blue.", 0, 1900, false, true, `"searches":0,"steps":1`), ""},
		{"no call left", part("Pumps are blue.", 0, 1900, false, true, `"searches":0,"tool_calls":0`), ""},
		{"settled", part("The pump warranty is 24 months long.", 0, 1900, false, true, `"searches":0`), ""},
	} {
		msg, got := reply(scroll(question, c.result)), ""
		if len(msg.Calls) == 1 {
			got = msg.Calls[0].Arguments
		}
		if got != c.want {
			t.Errorf("%s: calls %q, want %q; says %q", c.name, got, c.want, msg.Text)
		}
	}
	next := llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "3", Name: readTool, Arguments: `{"document_id":"d","offset":1900}`}}}
	failed := llm.Message{Role: llm.Tool, CallID: "3", Text: `{"ok":false,"error":{"code":"timeout"}}`}
	if msg := reply(scroll(question, part("Pumps are blue.", 0, 1900, false, true, `"searches":0`), next, failed)); len(msg.Calls) != 0 {
		t.Errorf("the same window is asked for again: %v", msg.Calls)
	}
}
