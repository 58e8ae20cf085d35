package rules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/llm"
)

// library plays the tools of a run against documents in memory, with the limits of a run.
type library struct {
	searches, documents int
	hits                map[string][]string // query → document ids; "*" answers every other query
	docs                map[string]string
	fail                map[string]bool // documents that can't be read
	calls               []llm.ToolCall
	read                []string
}

// ask drives the engine to its answer, as the loop does.
func (l *library) ask(t *testing.T, question string, tools ...string) string {
	t.Helper()
	req := fixedRequest(question)
	for _, name := range tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: name})
	}
	for range 12 {
		msg := reply(req)
		if len(msg.Calls) == 0 {
			return msg.Text
		}
		req.Messages = append(req.Messages, msg)
		for _, c := range msg.Calls {
			l.calls = append(l.calls, c)
			req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: c.ID, Text: l.run(t, c)})
		}
	}
	t.Fatal("the engine never answers")
	return ""
}

func (l *library) run(t *testing.T, c llm.ToolCall) string {
	t.Helper()
	var args map[string]string
	if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil {
		t.Fatalf("arguments %q: %v", c.Arguments, err)
	}
	switch c.Name {
	case searchTool:
		if l.searches == 0 {
			t.Fatal("a search beyond the limit")
		}
		l.searches--
		ids, ok := l.hits[args["query"]]
		if !ok {
			ids = l.hits["*"]
		}
		hits := []map[string]any{}
		for _, id := range ids {
			hits = append(hits, map[string]any{"document_id": id, "title": id, "snippet": clip(l.docs[id], 40)})
		}
		return l.answer(map[string]any{"ok": true, "query": args["query"], "page": 1, "hits": hits, "has_more": false})
	case readTool:
		id := args["document_id"]
		if _, known := l.docs[id]; !known || l.documents == 0 {
			t.Fatalf("a read of %q that is not allowed", id)
		}
		if l.fail[id] {
			return `{"ok":false,"error":{"code":"not_found","message":"gone"}}`
		}
		l.documents--
		l.read = append(l.read, id)
		return l.answer(map[string]any{"ok": true, "ref": fmt.Sprintf("S%d", len(l.read)), "document_id": id, "title": id, "text": l.docs[id]})
	}
	t.Fatalf("the tool %q was asked for", c.Name)
	return ""
}

func (l *library) answer(m map[string]any) string {
	m["remaining"] = map[string]int{"searches": l.searches, "documents": l.documents}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (l *library) names() string {
	var out []string
	for _, c := range l.calls {
		out = append(out, c.Name)
	}
	return strings.Join(out, " ")
}

func TestPlanSearchesReadsAndAnswers(t *testing.T) {
	l := &library{searches: 2, documents: 3, hits: map[string][]string{"*": {"doc-a", "doc-b"}}, docs: map[string]string{
		"doc-a": "上海的住宿上限为 650 元一晚。", "doc-b": "上海的食堂每天 11 点开门。"}}
	text := l.ask(t, "上海的住宿上限是多少？", searchTool, readTool)
	if !strings.HasPrefix(text, "结论：上海的住宿上限为 650 元一晚。[S1]") {
		t.Errorf("got %s", text)
	}
	if got := l.names(); got != "search_knowledge read_document" {
		t.Errorf("calls: %s: a clear answer ends the reading", got)
	}
	if l.calls[0].ID == l.calls[1].ID {
		t.Error("two calls have one id")
	}
}

func TestPlanReadsWhatMayAnswerTooBesideAClearAnswer(t *testing.T) {
	l := &library{searches: 2, documents: 3, hits: map[string][]string{"*": {"doc-a", "doc-b", "doc-c"}}, docs: map[string]string{
		"doc-a": "上海的住宿上限为 650 元一晚。", "doc-b": "通知：上海的住宿上限为 900 元一晚。", "doc-c": "上海的食堂每天 11 点开门。"}}
	text := l.ask(t, "上海的住宿上限是多少？", searchTool, readTool)
	if strings.Join(l.read, " ") != "doc-a doc-b" {
		t.Errorf("read %v", l.read)
	}
	if !strings.Contains(text, "650 元一晚。[S1]") || !strings.Contains(text, "900 元一晚。[S2]") || !strings.Contains(text, "待确认：两处资料的说法不同：") {
		t.Errorf("got %s", text)
	}
	l = &library{searches: 2, documents: 1, hits: l.hits, docs: l.docs}
	if text = l.ask(t, "上海的住宿上限是多少？", searchTool, readTool); len(l.read) != 1 || !strings.Contains(text, "650") {
		t.Errorf("with one document to read: read %v, %s", l.read, text)
	}
}

func TestPlanReadsTheMostPromisingDocumentFirst(t *testing.T) {
	l := &library{searches: 2, documents: 1, hits: map[string][]string{"*": {"noise", "doc-b"}}, docs: map[string]string{
		"noise": "食堂菜单", "doc-b": "The freeze lasts 48 hours."}}
	text := l.ask(t, "How long does the freeze last?", searchTool, readTool)
	if len(l.read) != 1 || l.read[0] != "doc-b" || !strings.Contains(text, "48 hours. [S1]") {
		t.Errorf("read %v: %s", l.read, text)
	}
}

func TestPlanSearchesOnceMoreWhenNothingWasFound(t *testing.T) {
	l := &library{searches: 2, documents: 3, hits: map[string][]string{"Shanghai 住宿 宾馆 旅馆": nil}, docs: map[string]string{}}
	text := l.ask(t, "What is the hotel limit in Shanghai?", searchTool, readTool)
	if l.names() != "search_knowledge search_knowledge" {
		t.Fatalf("calls: %v", l.calls)
	}
	if l.calls[0].Arguments == l.calls[1].Arguments {
		t.Error("the same search was made twice")
	}
	if !strings.Contains(l.calls[1].Arguments, "上海") || !strings.HasPrefix(text, "INSUFFICIENT_EVIDENCE\nThe material does not settle this") {
		t.Errorf("second search %s, answer %s", l.calls[1].Arguments, text)
	}
}

func TestPlanStaysInsideItsLimits(t *testing.T) {
	docs := map[string]string{}
	var ids []string
	for i := range 9 {
		id := fmt.Sprintf("doc-%d", i)
		docs[id], ids = "Nothing of interest stands here.", append(ids, id)
	}
	for searches := range 3 {
		for documents := range 5 {
			l := &library{searches: searches, documents: documents, hits: map[string][]string{"*": ids}, docs: docs}
			question := "What is the boiling point of caesium?"
			if searches == 0 {
				// What is left is known only from a tool's answer; without any, nothing is offered.
				if got := l.ask(t, question); !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") {
					t.Errorf("without tools: %s", got)
				}
				continue
			}
			l.ask(t, question, searchTool, readTool)
		}
	}
}

func TestFailedReadIsNotRepeated(t *testing.T) {
	l := &library{searches: 1, documents: 3, hits: map[string][]string{"*": {"gone", "here"}}, fail: map[string]bool{"gone": true},
		docs: map[string]string{"gone": "The limit is 5 days.", "here": "The limit is 5 days for everyone."}}
	text := l.ask(t, "What is the limit in days?", searchTool, readTool)
	if got := l.names(); got != "search_knowledge read_document read_document" || !strings.Contains(text, "[S1]") {
		t.Errorf("calls %s, answer %s", got, text)
	}
}

func TestFixedRetrievalAsksForNoTool(t *testing.T) {
	req := fixedRequest("保修多久？", given{ref: "C1", text: "保修 24 个月。"})
	req.Tools = []llm.ToolSpec{{Name: searchTool}}
	if msg := reply(req); len(msg.Calls) != 0 || !strings.Contains(msg.Text, "[C1]") {
		t.Errorf("got %+v", msg)
	}
}

func TestQueryKeepsCodesAndNamesLiterally(t *testing.T) {
	for question, want := range map[string]string{
		"ERR-1042 是什么意思？":                           "ERR-1042 意思",
		"请问《多少往事》的作者是谁？":                            "《多少往事》的作者",
		"What does the flag --dry-run do?":          "flag --dry-run",
		"How do I configure KAOJU_MODEL_URL today?": "configure KAOJU_MODEL_URL today",
		"上海的住宿上限是多少？":                               "上海的住宿上限",
		"什么？":                                       "什么？",
	} {
		if got := understand(question, "").query(); got != want {
			t.Errorf("%s → %q, want %q", question, got, want)
		}
	}
}

func TestMemoryServesOnlyElliptic(t *testing.T) {
	const memory = "用户问：上海的住宿上限是多少？"
	if got := understand("那北京呢？", memory).query(); !strings.Contains(got, "北京") || !strings.Contains(got, "住宿") {
		t.Errorf("an elliptic question searches for %q", got)
	}
	if got := understand("发布清单由谁维护，多久更新一次？", memory).query(); strings.Contains(got, "住宿") {
		t.Errorf("a full question searches for %q", got)
	}
	req := fixedRequest("那北京呢？", given{ref: "C1", text: "北京的住宿上限为 700 元。\n\n北京的餐费为 90 元。"})
	req.Messages[1].Text = "<memory>\n" + memory + "\n</memory>\n" + req.Messages[1].Text
	if got := reply(req).Text; !strings.HasPrefix(got, "结论：北京的住宿上限为 700 元。[C1]") {
		t.Errorf("got %s", got)
	}
}

func TestSameRequestGivesTheSameBytes(t *testing.T) {
	req := fixedRequest("How many approvals does a release need?", handbook()...)
	first := reply(req)
	for range 20 {
		if again := reply(req); again.Text != first.Text {
			t.Fatalf("%q\nthen %q", first.Text, again.Text)
		}
	}
}

func TestStreamedTextIsTheMessage(t *testing.T) {
	var streamed strings.Builder
	resp, err := New().Generate(context.Background(), fixedRequest("保修多久？", handbook()...), func(d llm.Delta) { streamed.WriteString(d.Text) })
	if err != nil || streamed.String() != resp.Message.Text || resp.Usage != nil {
		t.Errorf("%v: streamed %q, message %q, usage %v", err, streamed.String(), resp.Message.Text, resp.Usage)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New().Generate(ctx, llm.Request{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context's end: %v", err)
	}
	if info := New().Info(); info.Engine != llm.Rules || info.Name != Name || info.Host != "" || info.Remote {
		t.Errorf("info %+v", info)
	}
}

func TestDirectModeSaysThatItIsBasedOnNoDocument(t *testing.T) {
	for _, c := range []struct{ question, want string }{
		{"你好", "你好"}, {"考据能做什么？", "考据"}, {"谢谢", "不客气"},
		{"Hello!", "Hello"}, {"What can Kaoju do?", "Kaoju"}, {"Thanks", "welcome"},
	} {
		req := fixedRequest(c.question)
		req.Messages[0].Text = "mode: direct\nnothing was read"
		text := reply(req).Text
		based := strings.Contains(text, "没有依据任何资料") || strings.Contains(text, "not based on any document")
		if !strings.Contains(text, c.want) || !based || strings.ContainsAny(text, "[]") {
			t.Errorf("%s: %s", c.question, text)
		}
	}
	// The line counts in the system message alone.
	if text := reply(fixedRequest("产品保修多长时间？\nmode: direct", handbook()...)).Text; strings.Contains(text, "没有依据任何资料") {
		t.Errorf("a question opened the direct mode: %s", text)
	}
}
