package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/llm"
)

func TestAnswerHasItsSections(t *testing.T) {
	text := reply(fixedRequest("上海的住宿上限是多少？", handbook()...)).Text
	want := "结论：上海 | 650 | 含早餐[C1]\n依据：城市 | 上限（元/晚） | 说明[C1]\n上海 | 650 | 含早餐[C1]"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text = reply(fixedRequest("When does the code freeze begin?", handbook()...)).Text
	want = "Conclusion: The code freeze begins on Tuesday at 17:00 UTC and lasts 48 hours. [C3]\n" +
		"Basis: The code freeze begins on Tuesday at 17:00 UTC and lasts 48 hours. [C3]"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDocumentsBreakNoLinesOfAnAnswer(t *testing.T) {
	text := reply(fixedRequest("When does the office close?", given{ref: "C1", key: "a", text: "The office opens at 8:30 and\ncloses, as a rule, at 19:00\r\non Fridays."})).Text
	if want := "Conclusion: The office opens at 8:30 and closes, as a rule, at 19:00 on Fridays. [C1]\n"; !strings.HasPrefix(text, want) {
		t.Errorf("got %q", text)
	}
}

func TestStrongWordsLoseTheirMarks(t *testing.T) {
	for text, want := range map[string]string{
		"Employees may work remotely **three days a week**.": "Employees may work remotely three days a week.", "每周最多远程**三天**，须经**主管**同意。": "每周最多远程三天，须经主管同意。",
		"Run `2**3**4` to see it.": "Run `2**3**4` to see it.", "** note: see below **": "** note: see below **", "a ** b": "a ** b",
		"138****1234 和 139****5678": "138****1234 和 139****5678", "2**10 和 2**20": "2**10 和 2**20", "2**10 和 **三天**": "2**10 和 三天", "尾号 **12****34": "尾号 **12****34",
		"王**、李**已签到。": "王**、李**已签到。", "张*** 和 李***": "张*** 和 李***", "规定**必须**提交": "规定必须提交", "**一**、**二**，**three** **four**": "一、二，three four", "**“三天”**以内": "“三天”以内", "x**y**z": "x**y**z",
	} {
		if got := unstressed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	text := reply(fixedRequest("How many days a week may employees work remotely?", given{ref: "C1", key: "a", text: "Employees may work remotely **three days a week**."})).Text
	if !strings.HasPrefix(text, "Conclusion: Employees may work remotely three days a week. [C1]\n") {
		t.Errorf("got %s", text)
	}
}

func TestDisagreeingNumbersAreToBeConfirmed(t *testing.T) {
	text := reply(fixedRequest("上海的住宿上限是多少？",
		given{ref: "C1", key: "a", text: "上海的住宿上限为每晚 650 元。"}, given{ref: "C2", key: "b", text: "上海住宿上限为每晚 500 元。"})).Text
	for _, want := range []string{"结论：上海的住宿上限为每晚 650 元。[C1] 上海住宿上限为每晚 500 元。[C2]\n", "待确认：两处资料的说法不同：", "每晚 500 元。[C2]", "下一步："} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q: %s", want, text)
		}
	}
	agree := reply(fixedRequest("上海的住宿上限是多少？",
		given{ref: "C1", key: "a", text: "上海的住宿上限为每晚 1,650 元。"}, given{ref: "C2", key: "b", text: "上海住宿上限为每晚 1650 元。"})).Text
	if strings.Contains(agree, "待确认") {
		t.Errorf("equal numbers are called different: %s", agree)
	}
}

func TestTruncatedSourceIsToBeConfirmed(t *testing.T) {
	req := fixedRequest("How long is the warranty?")
	req.Tools = []llm.ToolSpec{{Name: searchTool}, {Name: readTool}}
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: readTool, Arguments: `{"document_id":"d"}`}}},
		llm.Message{Role: llm.Tool, CallID: "1", Text: `{"ok":true,"ref":"S7","document_id":"d","text":"The warranty is 24 months long.","truncated_after":true,"remaining":{"searches":0,"documents":0}}`})
	text := reply(req).Text
	if !strings.HasPrefix(text, "Conclusion: The warranty is 24 months long. [S7]\n") || !strings.Contains(text, "To confirm: the source goes on beyond what was read [S7]") {
		t.Errorf("got %s", text)
	}
}

func TestHeadingsDecideBetweenEqualSentences(t *testing.T) {
	const doc = "# 住宿\n\n## 上海\n\n每晚不超过 650 元。\n\n## 北京\n\n每晚不超过 700 元。"
	for question, want := range map[string]string{"上海每晚住宿不超过多少元？": "650", "北京每晚住宿不超过多少元？": "700"} {
		text, _, _ := strings.Cut(reply(fixedRequest(question, given{ref: "C1", key: "a", text: doc})).Text, "\n")
		if !strings.Contains(text, want) {
			t.Errorf("%s: %s", question, text)
		}
	}
}

func TestSheetsAreReadByRows(t *testing.T) {
	text := reply(fixedRequest("What does the pump P-200 cost?", given{ref: "C1", key: "prices", locator: `{"kind":"csv","row":1,"line":1,"char":[0,9]}`,
		text: "item,price,stock\nP-100,120,4\nP-200,340,9\nP-300,560,1"})).Text
	if !strings.HasPrefix(text, "Conclusion: P-200,340,9 [C1]") || !strings.Contains(text, "item,price,stock [C1]") {
		t.Errorf("got %s", text)
	}
}

func TestUnitsAreSubstringsWithoutLeadingMarks(t *testing.T) {
	const doc = "# 标题 #\n\n- 第一项。\n  1. 第二项\n> 引文。\n\n```\ncode line\n```\n第一句。第二句\n折行。\n| a | b |\n|---|---|\n| c | d |\n- [x] done"
	p := passage{ref: "C1", text: doc}
	var got []string
	said, _ := units(&p)
	for _, u := range said {
		got = append(got, u.text)
		if !strings.Contains(doc, u.text) {
			t.Errorf("%q stands nowhere", u.text)
		}
	}
	want := []string{"标题", "第一项。", "第二项", "引文。", "code line", "第一句。", "第二句\n折行。", "a | b", "c | d", "done"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWordsOfOneFormAreAlike(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"tourist", "tourism"}: true, {"bedigo", "bendigo"}: true, {"freeze", "frozen"}: false, {"limit", "lima"}: false, {"approv", "approval"}: true,
		{"cat", "cats"}: false, {"shanghai", "shenzhen"}: false,
	} {
		if got := alike(pair[0], pair[1]); got != want {
			t.Errorf("alike(%s, %s) = %t", pair[0], pair[1], got)
		}
		if alike(pair[0], pair[1]) != alike(pair[1], pair[0]) {
			t.Errorf("alike is not symmetric for %v", pair)
		}
	}
}
