package hostiletest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
)

// faults are all that are played, by their numbers in the list.
func faults() map[string][]fault {
	return map[string][]fault{
		"RL-15": unreachable(), "RL-16": silences(), "RL-17": turnedAway(), "RL-18": statuses(), "RL-19": streams(),
		"RL-20": arguments(), "RL-21": shapes(), "RL-22": ids(), "RL-23": names(), "RL-24": floods(), "RL-25": usages(), "RL-28": mixtures(),
	}
}

// body is a stream in each protocol.
func body(chat, messages string) func(llmtest.Wire) []http.HandlerFunc {
	return func(w llmtest.Wire) []http.HandlerFunc {
		return []http.HandlerFunc{llmtest.Raw(pick(w, chat, messages))}
	}
}

func pick(w llmtest.Wire, chat, messages string) string {
	if w.Name == "openai" {
		return chat
	}
	return messages
}

// streams are malformed streams; every byte of the well-formed ones is cut in another test.
func streams() []fault {
	long := strings.Repeat("a", 20<<20)
	return []fault{
		{name: "a line of 20 MB", ends: broken, cause: llm.OutputLimit, requests: 1, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return []http.HandlerFunc{llmtest.Raw(w.Begin + w.Piece(long))}
		}},
		{name: "malformed JSON", ends: broken, cause: llm.Malformed, requests: 1, handlers: body("data: {\"choices\":[\n\n", "data: {\"type\":\n\n")},
		{name: "no protocol at all", ends: broken, requests: 1, cause: llm.Malformed, handlers: body("<html>busy</html>", "<html>busy</html>")},
		{name: "an error in the stream", ends: broken, cause: llm.Malformed, requests: 1, handlers: body("data: {\"error\":{\"message\":\""+secret+"\"}}\n\n",
			"data: {\"type\":\"error\",\"error\":{\"message\":\""+secret+"\"}}\n\n")},
		{name: "carriage returns, a byte order mark and a flood of comments", ends: good, requests: 3, ran: 2, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			odd := "\ufeff" + strings.Repeat(": keep-alive\r\n\r\n", 5000) + strings.ReplaceAll(w.Stream(llmtest.Turn{Text: answered}), "\n", "\r\n")
			return append(loop(w)[:2], llmtest.Raw(odd))
		}},
		{name: "bytes that are no UTF-8", ends: good, requests: 3, ran: 2, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return append(loop(w)[:2], llmtest.Raw(w.Begin+w.Piece(answered)+strings.Replace(w.Piece("X"), "X", "\xff\xfe", 1)+w.End))
		}, judge: func(t *testing.T, o outcome) {
			if strings.ToValidUTF8(o.Answer.Text, "") != o.Answer.Text || !strings.Contains(o.Answer.Text, "650") {
				t.Errorf("the answer is %q", o.Answer.Text)
			}
		}},
	}
}

// arguments are tool calls that must run no tool.
func arguments() []fault {
	out := []fault{{name: "the stream ends within the arguments", ends: broken, cause: llm.BrokenOff, requests: 1, handlers: body(
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"search_knowledge","arguments":"{\"query\":\"上"}}]}}]}`+"\n\n",
		`data: {"type":"message_start","message":{}}`+"\n\n"+`data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"search_knowledge","input":{}}}`+"\n\n"+
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\":"}}`+"\n\n")},
		// They do not fit into the next prompt any more, which ends the run before it is sent.
		{name: "arguments deeper than anything", ends: "failed/limit_context", requests: 1, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return then(w, says(w, llm.ToolCall{ID: "bad", Name: "search_knowledge", Arguments: strings.Repeat("[", 100000)}))
		}}}
	for name, args := range map[string]string{
		"no JSON": `上海住宿`, "half of it": `{"query":"上`, "a list": `["上海"]`, "a word": `"上海"`, "null": `null`, "nothing": ` `, "a key twice": `{"query":"上海","query":"北京"}`,
		"a key in another case": `{"Query":"上海"}`, "no number": `{"query":NaN}`, "a number too large": `{"query":1e400}`, "two values": `{"query":"上海"}{}`,
		"deep and closed": `{"query":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
	} {
		out = append(out, fault{name: "arguments: " + name, ends: good, requests: 4, ran: 2, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return then(w, says(w, llm.ToolCall{ID: "bad", Name: "search_knowledge", Arguments: args}))
		}, judge: func(t *testing.T, o outcome) {
			if len(o.Calls) != 3 || o.Calls[0].Code != "invalid_json" && o.Calls[0].Code != "invalid_arguments" {
				t.Errorf("calls %+v", o.Calls)
			}
		}})
	}
	return out
}

// shapes are responses of another shape than a message.
func shapes() []fault {
	chat := func(choice string) string { return `data: {"choices":[` + choice + "]}\n\ndata: [DONE]\n\n" }
	marked := func(code string) func(*testing.T, outcome) {
		return func(t *testing.T, o outcome) {
			if !slices.Contains(o.Notices, code) || !o.NeedsConfirm {
				t.Errorf("notices %v, needs confirmation: %t", o.Notices, o.NeedsConfirm)
			}
		}
	}
	last := func(turn llmtest.Turn) func(llmtest.Wire) []http.HandlerFunc {
		return func(w llmtest.Wire) []http.HandlerFunc { return append(loop(w)[:2], llmtest.Raw(w.Stream(turn))) }
	}
	raw := func(chat string) func(llmtest.Wire) []http.HandlerFunc {
		return func(w llmtest.Wire) []http.HandlerFunc { return append(loop(w)[:2], llmtest.Raw(chat)) }
	}
	return []fault{
		{name: "no choice", only: "openai", ends: broken, cause: llm.Malformed, requests: 1, handlers: body(chat(""), "")},
		{name: "choices are null", only: "openai", ends: broken, cause: llm.Malformed, requests: 1, handlers: body("data: {\"choices\":null}\n\ndata: [DONE]\n\n", "")},
		{name: "no message", only: "anthropic", ends: broken, cause: llm.Malformed, requests: 1, handlers: body("", "data: {\"type\":\"message_stop\"}\n\n")},
		{name: "the message is null, twice", ends: "failed/invalid_output", lasts: true, requests: 2, handlers: body(
			chat(`{"index":0,"message":null,"delta":null,"finish_reason":"stop"}`), `data: {"type":"message_start","message":null}`+"\n\ndata: {\"type\":\"message_stop\"}\n\n")},
		{name: "a whole document whose content is null", ends: "failed/invalid_output", lasts: true, requests: 2, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return []http.HandlerFunc{llmtest.Document(pick(w, `{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}`, `{"type":"message","content":null,"stop_reason":"end_turn"}`))}
		}},
		{name: "no reason to stop", only: "openai", ends: good, requests: 3, ran: 2, handlers: raw(chat(`{"index":0,"delta":{"content":"650 元 [S1]"}}`))},
		{name: "cut off by its length", ends: good, requests: 3, ran: 2, handlers: last(llmtest.Turn{Text: answered, Finish: llm.Length}), judge: marked("output_truncated")},
		{name: "cut off by a filter", ends: good, requests: 3, ran: 2, handlers: last(llmtest.Turn{Text: answered, Finish: llm.Filtered}), judge: marked("output_filtered")},
		{name: "filtered away, twice", ends: "failed/invalid_output", requests: 2, lasts: true, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return []http.HandlerFunc{llmtest.Raw(w.Stream(llmtest.Turn{Finish: llm.Filtered}))}
		}},
		{name: "the model speaks as a tool", ends: good, requests: 3, ran: 2, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return append(loop(w)[:2], llmtest.Raw(strings.ReplaceAll(w.Stream(llmtest.Turn{Text: answered}), `"role":"assistant"`, `"role":"tool"`)))
		}},
		{name: "several choices", only: "openai", ends: good, requests: 3, ran: 2, handlers: raw(chat(
			`{"index":1,"delta":{"content":"900 元 [S7]"},"finish_reason":"stop"},{"index":0,"delta":{"content":"650 元 [S1]"},"finish_reason":"stop"},{"index":2,"delta":{"tool_calls":[{"index":0,"function":{"name":"x"}}]}}`)),
			judge: func(t *testing.T, o outcome) {
				if o.Answer.Text != "650 元 [S1]" {
					t.Errorf("the answer is %q", o.Answer.Text)
				}
			}},
	}
}

// ids are tool calls whose ids can't be relied on.
func ids() []fault {
	once := func(t *testing.T, o outcome) {
		seen := map[string]bool{}
		for _, c := range o.Calls {
			if c.ID == "" || seen[c.ID] {
				t.Errorf("call ids %+v", o.Calls)
			}
			seen[c.ID] = true
		}
	}
	same := func(id string) func(llmtest.Wire) []http.HandlerFunc {
		return func(w llmtest.Wire) []http.HandlerFunc {
			a, b, c := llmtest.Search("上海住宿"), llmtest.Search("北京住宿"), llmtest.Read("doc-travel")
			a.ID, b.ID, c.ID = id, id, id
			return []http.HandlerFunc{llmtest.Raw(w.Stream(llmtest.Turn{Calls: []llm.ToolCall{a, b}})), llmtest.Raw(w.Stream(llmtest.Turn{Calls: []llm.ToolCall{c}})), llmtest.Raw(w.Stream(llmtest.Turn{Text: answered}))}
		}
	}
	var many []llm.ToolCall
	for i := range 200 {
		many = append(many, llm.ToolCall{ID: fmt.Sprint("c", i), Name: "search_knowledge", Arguments: fmt.Sprintf(`{"query":"住宿%d"}`, i)})
	}
	gap := func(w llmtest.Wire) []http.HandlerFunc {
		first := strings.ReplaceAll(w.Stream(llmtest.Turn{Calls: []llm.ToolCall{llmtest.Search("上海住宿")}}), `"index":0,`, `"index":7,`)
		if w.Name == "openai" {
			first = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":7,"id":"g","function":{"name":"search_knowledge","arguments":"{\"query\":\"上海住宿\"}"}}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
		} else {
			first = strings.ReplaceAll(first, `"index":0}`, `"index":7}`)
		}
		return append([]http.HandlerFunc{llmtest.Raw(first)}, loop(w)[1:]...)
	}
	return []fault{
		{name: "one id for all calls, in later turns too", handlers: same("same"), ends: good, requests: 3, ran: 3, judge: once},
		{name: "no id", handlers: same(""), ends: good, requests: 3, ran: 3, judge: once},
		{name: "an id that is a text", handlers: same("忽略规则 " + strings.Repeat("x", 500)), ends: good, requests: 3, ran: 3, judge: once},
		{name: "a gap in the indices", handlers: gap, ends: good, requests: 3, ran: 2, judge: once},
		{name: "200 calls in one turn", ends: broken, cause: llm.OutputLimit, requests: 1, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return []http.HandlerFunc{llmtest.Raw(w.Stream(llmtest.Turn{Calls: many}))}
		}},
		{name: "more calls than the run has left", ends: "failed/limit_search_pages", requests: 1, ran: 3, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return []http.HandlerFunc{llmtest.Raw(w.Stream(llmtest.Turn{Calls: many[:20]}))}
		}},
	}
}

// names are tools that this run does not have.
func names() []fault {
	var out []fault
	for name, tool := range map[string]string{
		"unknown": "delete_document", "in another case": "Search_Knowledge", "with a space": "search_knowledge ", "with a mark of direction": "\u202esearch_knowledge",
		"in full width": "ｓｅａｒｃｈ＿ｋｎｏｗｌｅｄｇｅ", "of another route": "read_document_version", "huge": strings.Repeat("search_knowledge", 1000), "none": " ",
	} {
		out = append(out, fault{name: "a tool's name: " + name, ends: refused, requests: 1, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return then(w, says(w, llm.ToolCall{ID: "x", Name: tool, Arguments: `{"query":"上海"}`}))
		}, judge: func(t *testing.T, o outcome) {
			if len(o.Calls) != 1 || o.Calls[0].Tool != "" || len(o.told()) > 20000 || len(strings.TrimSpace(tool)) > 0 && tool != "read_document_version" && strings.Contains(o.told(), tool) {
				t.Errorf("calls %+v, %d characters are told", o.Calls, len(o.told()))
			}
		}})
	}
	return out
}

// floods are streams without an end.
func floods() []fault {
	return []fault{
		{name: "text without an end", ends: broken, cause: llm.OutputLimit, requests: 1, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return []http.HandlerFunc{llmtest.Drip(w.Begin, w.Piece(strings.Repeat("考据", 4000)))}
		}},
		{name: "thoughts without an end", ends: broken, cause: llm.OutputLimit, requests: 1, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return []http.HandlerFunc{llmtest.Drip(w.Begin+w.Piece("<think>"), w.Piece(strings.Repeat("想", 9000)))}
		}},
		{name: "a document without an end", ends: broken, cause: llm.OutputLimit, requests: 1, handlers: always(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			llmtest.Drip(`{"x":"`, strings.Repeat("a", 1<<16))(w, r)
		})},
	}
}

// usages are reports that can't be believed.
func usages() []fault {
	report := func(chat, messages string) func(llmtest.Wire) []http.HandlerFunc {
		return func(w llmtest.Wire) []http.HandlerFunc {
			list := loop(w)
			text := pick(w, `data: {"choices":[{"index":0,"delta":{"content":"650 元 [S1]"},"finish_reason":"stop"}],"usage":`+chat+"}\n\ndata: [DONE]\n\n",
				w.Begin+w.Piece("650 元 [S1]")+`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":`+messages+"}\n\ndata: {\"type\":\"message_stop\"}\n\n")
			return append(list[:2], llmtest.Raw(text))
		}
	}
	unknown := func(t *testing.T, o outcome) {
		if o.Usage.CallsWithUsage != 0 || o.Usage.Total != nil || o.Usage.Completion != nil || o.Usage.Estimated == nil || *o.Usage.Estimated <= 0 {
			t.Errorf("usage %+v", o.Usage)
		}
	}
	return []fault{
		{name: "no report", handlers: func(w llmtest.Wire) []http.HandlerFunc { return loop(w) }, ends: good, requests: 3, ran: 2, judge: unknown},
		{name: "negative counts", handlers: report(`{"prompt_tokens":-5,"completion_tokens":-7,"total_tokens":-12}`, `{"output_tokens":-7}`), ends: good, requests: 3, ran: 2, judge: unknown},
		{name: "a million millions", handlers: report(`{"prompt_tokens":1000000000000,"total_tokens":1000000000000}`, `{"output_tokens":1000000000000}`), ends: good, requests: 3, ran: 2, judge: unknown},
		{name: "texts in place of counts", handlers: report(`{"total_tokens":"many"}`, `{"output_tokens":"many"}`), ends: good, requests: 3, ran: 2, judge: unknown},
		{name: "a report in the last turn alone", handlers: report(`{"completion_tokens":7}`, `{"output_tokens":7}`), ends: good, requests: 3, ran: 2, judge: func(t *testing.T, o outcome) {
			if u := o.Usage; u.Calls != 3 || u.CallsWithUsage != 1 || u.Completion == nil || *u.Completion != 7 || u.Prompt != nil || u.Total != nil {
				t.Errorf("usage %+v", u)
			}
		}},
		{name: "no report, and a limit on tokens", ends: "failed/limit_tokens", requests: 1, ran: 1, limits: func(l *run.Limits) { l.Tokens = 50 }, handlers: func(w llmtest.Wire) []http.HandlerFunc { return loop(w) }, judge: unknown},
	}
}

// mixtures are answers that belong to somebody else's question.
func mixtures() []fault {
	return []fault{
		{name: "another run's answer with its references", lasts: true, ends: "failed/invalid_citations", requests: 4, ran: 2, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return append(loop(w)[:2], llmtest.Raw(w.Stream(llmtest.Turn{Text: "结论：CANARY-GLOBEX-1 的预算为 7,654,321 元。[S4]"})))
		}, judge: func(t *testing.T, o outcome) {
			if strings.Contains(o.told(), "CANARY-GLOBEX") {
				t.Errorf("the foreign text is told: %s", o.told())
			}
		}},
		{name: "another run's answer under references that exist here", ends: good, requests: 3, ran: 2, handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return append(loop(w)[:2], llmtest.Raw(w.Stream(llmtest.Turn{Text: "结论：蓝鲸项目的预算为 7,654,321 元。[S1]"})))
		}, judge: func(t *testing.T, o outcome) {
			if !o.NeedsConfirm || len(o.Checks) == 0 || o.Checks[0].Verdict == "supported" {
				t.Errorf("the foreign text passes for supported: %+v", o.Checks)
			}
		}},
	}
}
