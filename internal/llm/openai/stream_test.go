package openai

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

func number(n int) *int { return &n }

func TestStreamIsAccumulatedAsItArrives(t *testing.T) {
	s := newStub(t, events(
		`{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"上海的上限是 "}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"650 元。"}}]}`, stop,
		`{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}`, done))
	resp, text, _, err := generate(s.model(nil), ask("?"))
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Response{Message: llm.Message{Role: llm.Assistant, Text: "上海的上限是 650 元。"}, Finish: llm.Stop,
		Usage: &llm.Usage{Prompt: number(7), Completion: number(5), Total: number(12)}}
	if diff := cmp.Diff(want, resp); diff != "" || text != want.Message.Text {
		t.Errorf("streamed %q (-want +got):\n%s", text, diff)
	}
}

func TestUsageThatWasNotReportedIsNil(t *testing.T) {
	for name, c := range map[string]struct {
		usage string
		want  *llm.Usage
	}{
		"none":         {``, nil},
		"null":         {`,"usage":null`, nil},
		"empty":        {`,"usage":{}`, nil},
		"zero":         {`,"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`, &llm.Usage{Prompt: number(0), Completion: number(0), Total: number(0)}},
		"partial":      {`,"usage":{"prompt_tokens":3}`, &llm.Usage{Prompt: number(3)}},
		"negative":     {`,"usage":{"prompt_tokens":-3,"completion_tokens":4}`, &llm.Usage{Completion: number(4)}},
		"absurd":       {`,"usage":{"total_tokens":1000000000000}`, nil},
		"fraction":     {`,"usage":{"prompt_tokens":1.5,"total_tokens":5.0}`, &llm.Usage{Total: number(5)}},
		"not a number": {`,"usage":{"prompt_tokens":"7"}`, nil},
	} {
		s := newStub(t, events(`{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]`+c.usage+`}`, done))
		resp, _, _, err := generate(s.model(nil), ask("?"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, resp.Usage); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestToolCallsAreJoinedFromFragments(t *testing.T) {
	call := func(fields string) string { return `{"choices":[{"index":0,"delta":{"tool_calls":[` + fields + `]}}]}` }
	end := `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	one := []llm.ToolCall{{ID: "a", Name: "search_knowledge", Arguments: `{"query":"住宿"}`}}
	two := append(append([]llm.ToolCall{}, one...), llm.ToolCall{ID: "b", Name: "read_document", Arguments: `{}`})
	for name, c := range map[string]struct {
		chunks []string
		want   []llm.ToolCall
	}{
		"by index": {[]string{call(`{"index":0,"id":"a","type":"function","function":{"name":"search_knowledge","arguments":""}}`),
			call(`{"index":0,"function":{"arguments":"{\"query\""}}`), call(`{"index":0,"function":{"arguments":":\"住宿\"}"}}`), end}, one},
		"interleaved": {[]string{call(`{"index":0,"id":"a","function":{"name":"search_knowledge","arguments":"{\"query\""}},{"index":1,"id":"b","function":{"name":"read_document"}}`),
			call(`{"index":1,"function":{"arguments":"{}"}},{"index":0,"function":{"arguments":":\"住宿\"}"}}`), end}, two},
		"gap in the index": {[]string{call(`{"index":3,"id":"a","function":{"name":"search_knowledge","arguments":"{\"query\":\"住宿\"}"}}`),
			call(`{"index":7,"id":"b","function":{"name":"read_document","arguments":"{}"}}`), end}, two},
		"no index": {[]string{call(`{"id":"a","function":{"name":"search_knowledge","arguments":"{\"query\""}}`),
			call(`{"function":{"arguments":":\"住宿\"}"}}`), call(`{"id":"b","function":{"name":"read_document","arguments":"{}"}}`), end}, two},
		"one index for all": {[]string{call(`{"index":0,"id":"a","function":{"name":"search_knowledge","arguments":"{\"query\":\"住宿\"}"}}`),
			call(`{"index":0,"id":"b","function":{"name":"read_document","arguments":"{}"}}`), end}, two},
		"name repeated": {[]string{call(`{"index":0,"id":"a","function":{"name":"search_knowledge","arguments":"{\"query\""}}`),
			call(`{"index":0,"id":"a","function":{"name":"search_knowledge","arguments":":\"住宿\"}"}}`), end}, one},
		"arguments as an object": {[]string{call(`{"index":0,"id":"a","function":{"name":"search_knowledge","arguments":{"query":"住宿"}}}`), end}, one},
		"finish says stop":       {[]string{call(`{"index":0,"id":"a","function":{"name":"search_knowledge","arguments":"{\"query\":\"住宿\"}"}}`), stop}, one},
	} {
		s := newStub(t, events(append(c.chunks, done)...))
		resp, _, _, err := generate(s.model(nil), ask("?"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, resp.Message.Calls); diff != "" || resp.Finish != llm.CallTools {
			t.Errorf("%s: finish %s (-want +got):\n%s", name, resp.Finish, diff)
		}
	}
}

func TestEveryCallGetsItsOwnID(t *testing.T) {
	s := newStub(t, events(`{"choices":[{"index":0,"delta":{"tool_calls":[`+
		`{"index":0,"id":"same","function":{"name":"x"}},{"index":1,"id":"same","function":{"name":"x"}},{"index":2,"function":{"name":"x"}},`+
		`{"index":3,"id":"used","function":{"name":"x"}},{"index":4,"id":"`+strings.Repeat("i", 300)+`","function":{"name":"x"}}]}}]}`, done))
	req := ask("?")
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "used"}, {ID: "kaoju_call_1"}}})
	resp, _, _, err := generate(s.model(nil), req)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range resp.Message.Calls {
		ids = append(ids, c.ID)
	}
	if diff := cmp.Diff([]string{"same", "kaoju_call_2", "kaoju_call_3", "kaoju_call_4", "kaoju_call_5"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReasoningIsKeptUnderItsNameAndSentBack(t *testing.T) {
	delta := func(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }
	for name, c := range map[string]struct {
		chunks          []string
		state, streamed string
	}{
		"DeepSeek's name": {[]string{delta(`"reasoning_content":"想","content":null`), delta(`"reasoning_content":"一想","content":null`), delta(`"content":"好","reasoning_content":null`)},
			`{"reasoning_content":"想一想"}`, "想一想"},
		"vLLM's name": {[]string{delta(`"reasoning":"hm"`), delta(`"content":"好"`)}, `{"reasoning":"hm"}`, "hm"},
		"both names":  {[]string{delta(`"reasoning":"hm","reasoning_content":"hm"`), delta(`"content":"好"`)}, `{"reasoning":"hm","reasoning_content":"hm"}`, "hm"},
		"empty":       {[]string{delta(`"reasoning_content":"","content":"好"`)}, `{"reasoning_content":""}`, ""},
		"absent":      {[]string{delta(`"content":"好"`)}, ``, ""},
	} {
		s := newStub(t, events(append(c.chunks, stop, done)...), events(hello, stop, done))
		m := s.model(nil)
		resp, text, reasoning, err := generate(m, ask("?"))
		if err != nil || text != "好" || reasoning != c.streamed || string(resp.Message.State) != c.state {
			t.Errorf("%s: text %q, reasoning %q, state %s, %v", name, text, reasoning, resp.Message.State, err)
		}
		next := ask("?")
		resp.Message.Calls = []llm.ToolCall{{ID: "1", Name: "x", Arguments: "{}"}}
		next.Messages = append(next.Messages, resp.Message, llm.Message{Role: llm.Tool, CallID: "1", Text: "ok"})
		if _, _, _, err := generate(m, next); err != nil {
			t.Fatal(err)
		}
		sent := string(s.body(1)["messages"])
		want := strings.Trim(c.state, "{}")
		for part := range strings.SplitSeq(want, ",") {
			if !strings.Contains(sent, part) {
				t.Errorf("%s: %s is not sent back: %s", name, part, sent)
			}
		}
		if c.state == "" && strings.Contains(sent, "reasoning") {
			t.Errorf("%s: reasoning is sent that never came: %s", name, sent)
		}
	}
}

func TestForeignStateIsNotSent(t *testing.T) {
	s := newStub(t, events(hello, stop, done))
	req := ask("?")
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "a", State: []byte(`[{"type":"thinking"}]`)},
		llm.Message{Role: llm.Assistant, Text: "b", State: []byte(`{"role":"system","reasoning":"r"}`)})
	if _, _, _, err := generate(s.model(nil), req); err != nil {
		t.Fatal(err)
	}
	want := `[{"content":"?","role":"user"},{"content":"a","role":"assistant"},{"content":"b","reasoning":"r","role":"assistant"}]`
	if got := string(s.body(0)["messages"]); got != want {
		t.Errorf("sent %s", got)
	}
}

func TestCharactersCutInTwoAreWhole(t *testing.T) {
	han := "考"
	s := newStub(t, events(
		`{"choices":[{"index":0,"delta":{"content":"a\ud83d"}}]}`, `{"choices":[{"index":0,"delta":{"content":"\ude00b\\ud83d"}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"`+han[:1]+`"}}]}`, `{"choices":[{"index":0,"delta":{"content":"`+han[1:]+`"}}]}`, stop, done))
	_, text, _, err := generate(s.model(nil), ask("?"))
	if want := `a😀b\ud83d考`; text != want || err != nil {
		t.Errorf("got %q, %v, want %q", text, err, want)
	}
}

func TestUnusualFramingGivesTheSameText(t *testing.T) {
	for name, body := range map[string]string{
		"CRLF":                  "data: " + hello + "\r\n\r\ndata: " + stop + "\r\n\r\ndata: [DONE]\r\n\r\n",
		"CR":                    "data: " + hello + "\r\rdata: " + stop + "\r\rdata: [DONE]\r\r",
		"mixed ends":            "data: " + hello + "\n\r\ndata: " + stop + "\r\n\ndata: [DONE]\n\n",
		"byte order mark":       "\ufeffdata: " + hello + "\n\ndata: " + stop + "\n\ndata: [DONE]\n\n",
		"no space":              "data:" + hello + "\n\ndata:" + stop + "\n\ndata:[DONE]\n\n",
		"comments and names":    ": keep-alive\n\nevent: message\nid: 7\nretry: 10\ndata: " + hello + "\n\n:\n\ndata: " + stop + "\n\ndata: [DONE]\n\n",
		"empty data":            "data: \n\ndata: " + hello + "\n\ndata:\n\ndata: " + stop + "\n\ndata: [DONE]\n\n",
		"JSON over two lines":   "data: {\"choices\":\ndata: [{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\ndata: " + stop + "\n\ndata: [DONE]\n\n",
		"no last blank line":    "data: " + hello + "\n\ndata: " + stop,
		"no DONE":               "data: " + hello + "\n\ndata: " + stop + "\n\n",
		"no finish":             "data: " + hello + "\n\ndata: [DONE]\n\n",
		"data after DONE":       "data: " + hello + "\n\ndata: [DONE]\n\ndata: " + hello + "\n\ndata: {broken\n\n",
		"unknown fields":        `data: {"x":[1],"choices":[{"index":0,"logprobs":null,"delta":{"content":"hello","annotations":[]}}]}` + "\n\ndata: " + stop + "\n\n",
		"other choices":         `data: {"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"hello"}}]}` + "\n\ndata: " + stop + "\n\n",
		"role of another":       `data: {"choices":[{"index":0,"delta":{"role":"tool","content":"hello"}}]}` + "\n\ndata: " + stop + "\n\n",
		"null choices and null": "data: {\"choices\":null}\n\ndata: null\n\ndata: " + hello + "\n\ndata: " + stop + "\n\n",
		"parts":                 `data: {"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"hel"},{"type":"x"},{"type":"text","text":"lo"}]}}]}` + "\n\ndata: " + stop + "\n\n",
		"refusal":               `data: {"choices":[{"index":0,"delta":{"refusal":"hello"}}]}` + "\n\ndata: " + stop + "\n\n",
	} {
		s := newStub(t, raw(body))
		resp, text, _, err := generate(s.model(nil), ask("?"))
		if err != nil || text != "hello" || resp.Message.Text != "hello" || resp.Finish != llm.Stop || resp.Message.Role != llm.Assistant {
			t.Errorf("%s: %q, %+v, %s", name, text, resp, causes(err))
		}
	}
}

func TestFinishReasonsAreMapped(t *testing.T) {
	for reason, want := range map[string]llm.Finish{"stop": llm.Stop, "length": llm.Length, "content_filter": llm.Filtered, "eos": llm.Stop} {
		s := newStub(t, events(hello, `{"choices":[{"index":0,"delta":{},"finish_reason":"`+reason+`"}]}`, done))
		resp, _, _, err := generate(s.model(nil), ask("?"))
		if resp.Finish != want || err != nil {
			t.Errorf("%s: %s, %v", reason, resp.Finish, err)
		}
	}
}

func TestUnusableResponseIsAModelError(t *testing.T) {
	many := func(n int, f string) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(f, i, i))
		}
		return `{"choices":[{"index":0,"delta":{"tool_calls":[` + strings.Join(out, ",") + `]}}]}`
	}
	for name, chunks := range map[string][]string{
		"malformed JSON":     {hello, `{"choices":[`, done},
		"an array":           {`[]`, done},
		"no choice ever":     {`{"choices":[]}`, done},
		"only DONE":          {done},
		"broken off":         {hello},
		"error in stream":    {hello, `{"error":{"message":"overloaded, key ` + testKey + `"}}`, done},
		"content a number":   {`{"choices":[{"index":0,"delta":{"content":5}}]}`, done},
		"arguments a number": {`{"choices":[{"index":0,"delta":{"tool_calls":[5]}}]}`, done},
		"too many calls":     {many(200, `{"index":%d,"id":"c%d","function":{"name":"x"}}`), done},
		"arguments too long": {`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"` + strings.Repeat("a", 300<<10) + `"}}]}}]}`, done},
		"text too long":      {`{"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("a", 1<<20) + `"}}]}`, hello, done},
		"line too long":      {`{"x":"` + strings.Repeat("a", 5<<20) + `"}`, done},
		"deep nesting":       {`{"x":` + strings.Repeat("[", 100000) + `}`, done},
	} {
		s := newStub(t, events(chunks...))
		_, _, _, err := generate(s.model(nil), ask("?"))
		if problem.CodeOf(err) != "model_error" || !problem.Is(err, problem.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(causes(err), testKey) || len(causes(err)) > 2000 {
			t.Errorf("%s: the error tells too much: %s", name, causes(err))
		}
		if s.Requests() != 1 {
			t.Errorf("%s: the request was repeated after a byte was consumed", name)
		}
	}
}

func TestWholeResponseToAStreamingRequestIsAccepted(t *testing.T) {
	const body = `{"choices":[{"index":0,"message":{"role":"assistant","content":"hello","reasoning_content":"r","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1}}`
	for name, h := range map[string]func() *stub{
		"declared":         func() *stub { return newStub(t, document(body)) },
		"with blank start": func() *stub { return newStub(t, document("\n  "+body)) },
		"undeclared":       func() *stub { return newStub(t, status(200, body, "Content-Type", "text/plain")) },
	} {
		resp, text, reasoning, err := generate(h().model(nil), ask("?"))
		want := llm.Response{Message: llm.Message{Role: llm.Assistant, Text: "hello", State: []byte(`{"reasoning_content":"r"}`),
			Calls: []llm.ToolCall{{ID: "a", Name: "x", Arguments: "{}"}}}, Finish: llm.CallTools, Reasoning: 1, Usage: &llm.Usage{Prompt: number(1)}}
		if diff := cmp.Diff(want, resp); diff != "" || err != nil || text != "hello" || reasoning != "r" {
			t.Errorf("%s: %q %q %v (-want +got):\n%s", name, text, reasoning, err, diff)
		}
	}
	for name, body := range map[string]string{"error": `{"error":{"message":"no"}}`, "empty": `{}`, "cut": `{"choices":[`, "long": `{"x":"` + strings.Repeat("a", 9<<20) + `"}`} {
		_, _, _, err := generate(newStub(t, document(body)).model(nil), ask("?"))
		if problem.CodeOf(err) != "model_error" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
