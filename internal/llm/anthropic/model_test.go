package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

const testKey = "sk-ant-0123456789abcdef"

// stub is a scripted endpoint and the adapters for it.
type stub struct {
	*llmtest.Endpoint
}

func newStub(t *testing.T, handlers ...http.HandlerFunc) *stub {
	t.Helper()
	return &stub{llmtest.NewEndpoint(t, handlers...)}
}

func (s *stub) body(n int) string { return string(s.Body(n)) }

func (s *stub) model(t *testing.T, change func(*Config)) *Model {
	t.Helper()
	c := Config{BaseURL: s.URL, Model: "m", Key: testKey, Backoff: time.Millisecond,
		Client: outbound.New(outbound.Options{Allow: []string{s.HostPort()}})}
	if change != nil {
		change(&c)
	}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

func generate(m *Model, req llm.Request) (resp llm.Response, text, reasoning string, err error) {
	var t, r strings.Builder
	resp, err = m.Generate(context.Background(), req, func(d llm.Delta) {
		t.WriteString(d.Text)
		r.WriteString(d.Reasoning)
	})
	return resp, t.String(), r.String(), err
}

// events answers with a stream; each event's name is its type, as the protocol has it.
func events(list ...string) http.HandlerFunc {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(llmtest.Messages().Event(e))
	}
	return llmtest.Raw(b.String())
}

func status(code int, body string, headers ...string) http.HandlerFunc {
	return llmtest.Status(code, body, headers...)
}

const (
	start     = `{"type":"message_start","message":{"id":"x","type":"message","role":"assistant","content":[],"usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1}}}`
	textBlock = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	hello     = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}`
	blockStop = `{"type":"content_block_stop","index":0}`
	endTurn   = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7}}`
	end       = `{"type":"message_stop"}`
)

func number(n int) *int { return &n }

func TestStreamIsAccumulatedAsItArrives(t *testing.T) {
	s := newStub(t, events(start, textBlock, `{"type":"ping"}`, `{"type":"something_new","x":1}`, hello,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"，世界"}}`, blockStop, endTurn, end))
	resp, text, _, err := generate(s.model(t, nil), ask("?"))
	want := llm.Response{Message: llm.Message{Role: llm.Assistant, Text: "hello，世界"}, Finish: llm.Stop, Usage: &llm.Usage{Prompt: number(15), Completion: number(7)}}
	if diff := cmp.Diff(want, resp); diff != "" || err != nil || text != "hello，世界" {
		t.Errorf("%q %v (-want +got):\n%s", text, err, diff)
	}
	if h := s.Header(0); h.Get("X-Api-Key") != testKey || h.Get("Anthropic-Version") != Version || h.Get("Authorization") != "" || s.Path(0) != "/v1/messages" {
		t.Errorf("headers %v", h)
	}
}

func TestUsageThatWasNotReportedIsNil(t *testing.T) {
	bare := `{"type":"message_start","message":{"type":"message"}}`
	for name, c := range map[string]struct {
		list []string
		want *llm.Usage
	}{
		"none":              {[]string{bare, textBlock, hello, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, end}, nil},
		"prompt alone":      {[]string{start, textBlock, hello, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, end}, &llm.Usage{Prompt: number(15)}},
		"completion alone":  {[]string{bare, textBlock, hello, endTurn, end}, &llm.Usage{Completion: number(7)}},
		"cache without new": {[]string{`{"type":"message_start","message":{"usage":{"cache_read_input_tokens":5}}}`, textBlock, hello, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, end}, nil},
		"negative":          {[]string{bare, textBlock, hello, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":-7}}`, end}, nil},
	} {
		resp, _, _, err := generate(newStub(t, events(c.list...)).model(t, nil), ask("?"))
		if diff := cmp.Diff(c.want, resp.Usage); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestToolCallsAndThinkingAreKept(t *testing.T) {
	s := newStub(t, events(start,
		`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"想一"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"想"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}`, blockStop,
		`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"opaque"}}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"先查。"}}`,
		`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t1","name":"search_knowledge","input":{}}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"\ud83d"}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"\ude00\"}"}}`,
		`{"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"t1","name":"read_document","input":{}}}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, end), events(start, textBlock, hello, endTurn, end))
	m := s.model(t, nil)
	resp, text, reasoning, err := generate(m, ask("?"))
	want := llm.Message{Role: llm.Assistant, Text: "先查。", Calls: []llm.ToolCall{
		{ID: "t1", Name: "search_knowledge", Arguments: `{"query":"😀"}`}, {ID: "kaoju_call_1", Name: "read_document", Arguments: `{}`}},
		State: []byte(`[{"signature":"sig","thinking":"想一想","type":"thinking"},{"data":"opaque","type":"redacted_thinking"}]`)}
	if diff := cmp.Diff(want, resp.Message); diff != "" || err != nil || resp.Finish != llm.CallTools || reasoning != "想一想" || text != "先查。" {
		t.Errorf("%q %q %s %v (-want +got):\n%s", text, reasoning, resp.Finish, err, diff)
	}
	next := ask("?")
	next.Messages = append(next.Messages, resp.Message, llm.Message{Role: llm.Tool, CallID: "t1", Text: "a"}, llm.Message{Role: llm.Tool, CallID: "kaoju_call_1", Text: "b"}, llm.Message{Role: llm.User, Text: "go on"})
	if _, _, _, err := generate(m, next); err != nil {
		t.Fatal(err)
	}
	var sent struct{ Messages json.RawMessage }
	if err := json.Unmarshal([]byte(s.body(1)), &sent); err != nil {
		t.Fatal(err)
	}
	wantSent := `[{"content":[{"text":"?","type":"text"}],"role":"user"},` +
		`{"content":[{"signature":"sig","thinking":"想一想","type":"thinking"},{"data":"opaque","type":"redacted_thinking"},{"text":"先查。","type":"text"},` +
		`{"id":"t1","input":{"query":"😀"},"name":"search_knowledge","type":"tool_use"},{"id":"kaoju_call_1","input":{},"name":"read_document","type":"tool_use"}],"role":"assistant"},` +
		`{"content":[{"content":"a","tool_use_id":"t1","type":"tool_result"},{"content":"b","tool_use_id":"kaoju_call_1","type":"tool_result"},{"text":"go on","type":"text"}],"role":"user"}]`
	if string(sent.Messages) != wantSent {
		t.Errorf("sent %s", sent.Messages)
	}
}

func TestRequestIsWrittenAsTheProtocolWants(t *testing.T) {
	s := newStub(t, events(start, textBlock, hello, endTurn, end))
	m := s.model(t, func(c *Config) {
		c.Extra = map[string]json.RawMessage{"thinking": []byte(`{"type":"enabled"}`), "model": []byte(`"evil"`)}
	})
	_, _, _, err := generate(m, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: "one"}, {Role: llm.System, Text: "two"}, {Role: llm.User, Text: "q"}, {Role: llm.System, Text: "late"},
		{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "x", Arguments: "not json"}, {ID: "2", Name: "x", Arguments: "[1]"}, {ID: "3", Name: "x", Arguments: "null"}}, State: []byte(`{"reasoning_content":"foreign"}`)},
		{Role: llm.Assistant, Text: "  "},
	}, Tools: []llm.ToolSpec{{Name: "x", Description: "d", Schema: []byte(`{"type":"object"}`)}}, MaxOutput: 50})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"max_tokens":50,"messages":[{"content":[{"text":"q","type":"text"},{"text":"late","type":"text"}],"role":"user"},` +
		`{"content":[{"id":"1","input":{"malformed_arguments":"not json"},"name":"x","type":"tool_use"},{"id":"2","input":{"malformed_arguments":"[1]"},"name":"x","type":"tool_use"},` +
		`{"id":"3","input":{"malformed_arguments":"null"},"name":"x","type":"tool_use"}],"role":"assistant"}],` +
		`"model":"m","stream":true,"system":"one\n\ntwo","thinking":{"type":"enabled"},"tools":[{"description":"d","input_schema":{"type":"object"},"name":"x"}]}`
	if s.body(0) != want {
		t.Errorf("sent %s", s.body(0))
	}
}

func TestFinishReasonsAreMapped(t *testing.T) {
	for reason, want := range map[string]llm.Finish{"end_turn": llm.Stop, "stop_sequence": llm.Stop, "pause_turn": llm.Stop, "max_tokens": llm.Length,
		"model_context_window_exceeded": llm.Length, "refusal": llm.Filtered, "new": llm.Stop} {
		// The stream ends without message_stop, which a reason makes good.
		s := newStub(t, events(start, textBlock, hello, `{"type":"message_delta","delta":{"stop_reason":"`+reason+`"}}`))
		if resp, _, _, err := generate(s.model(t, nil), ask("?")); resp.Finish != want || err != nil {
			t.Errorf("%s: %s, %v", reason, resp.Finish, err)
		}
	}
}

// TestACallThatWasCutOffIsNotACompleteOne ends the output before the arguments of the second call
// came: the empty object that its block began with must not pass for them.
func TestACallThatWasCutOffIsNotACompleteOne(t *testing.T) {
	open := func(i int) string {
		return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"t%d","name":"x","input":{}}}`, i, i)
	}
	for reason, want := range map[string]string{"max_tokens": "", "tool_use": "{}"} {
		s := newStub(t, events(start, open(0), open(1), `{"type":"message_delta","delta":{"stop_reason":"`+reason+`"}}`, end))
		resp, _, _, err := generate(s.model(t, nil), ask("?"))
		if err != nil || len(resp.Message.Calls) != 2 || resp.Message.Calls[0].Arguments != "{}" || resp.Message.Calls[1].Arguments != want {
			t.Errorf("%s: %+v, %v", reason, resp.Message.Calls, err)
		}
	}
}

func TestWholeResponseIsAccepted(t *testing.T) {
	const body = `{"type":"message","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"hello"},{"type":"tool_use","id":"a","name":"x","input":{"q":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}}`
	s := newStub(t, status(200, body, "Content-Type", "application/json"))
	resp, text, _, err := generate(s.model(t, func(c *Config) { c.NoStream = true }), ask("?"))
	want := llm.Response{Message: llm.Message{Role: llm.Assistant, Text: "hello", Calls: []llm.ToolCall{{ID: "a", Name: "x", Arguments: `{"q":1}`}},
		State: []byte(`[{"signature":"s","thinking":"t","type":"thinking"}]`)}, Finish: llm.CallTools, Reasoning: 1, Usage: &llm.Usage{Prompt: number(3), Completion: number(4)}}
	if diff := cmp.Diff(want, resp); diff != "" || err != nil || text != "hello" {
		t.Errorf("%q %v (-want +got):\n%s", text, err, diff)
	}
}

func TestUnusableResponseIsAModelError(t *testing.T) {
	open := func(i int, kind string) string {
		return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"%s","id":"i","name":"x"}}`, i, kind)
	}
	var calls, blocks []string
	for i := range 200 {
		calls, blocks = append(calls, open(i, "tool_use")), append(blocks, open(i, "text"))
	}
	long := func(kind, field string, n int) string {
		return `{"type":"content_block_delta","index":0,"delta":{"type":"` + kind + `","` + field + `":"` + strings.Repeat("a", n) + `"}}`
	}
	for name, h := range map[string]http.HandlerFunc{
		"malformed JSON":     events(start, `{"type":`),
		"malformed delta":    events(start, textBlock, `{"type":"content_block_delta","index":0,"delta":[]}`),
		"text a number":      events(start, textBlock, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":5}}`),
		"only the end":       events(end),
		"broken off":         events(start, textBlock, hello),
		"error in stream":    events(start, textBlock, `{"type":"error","error":{"type":"overloaded_error","message":"key `+testKey+`"}}`),
		"piece of no block":  events(start, hello),
		"index used twice":   events(start, textBlock, textBlock),
		"too many calls":     events(append([]string{start}, calls...)...),
		"too many blocks":    events(append([]string{start}, blocks...)...),
		"text too long":      events(start, textBlock, long("text_delta", "text", 1<<20), hello),
		"thinking too long":  events(start, open(0, "thinking"), long("thinking_delta", "thinking", 3<<20), long("thinking_delta", "thinking", 3<<20)),
		"arguments too long": events(start, open(0, "tool_use"), long("input_json_delta", "partial_json", 300<<10)),
		"line too long":      events(start, `{"x":"`+strings.Repeat("a", 5<<20)+`"}`),
		"whole error":        status(200, `{"type":"error","error":{"message":"no"}}`, "Content-Type", "application/json"),
		"whole malformed":    status(200, `{"type":`, "Content-Type", "application/json"),
		"whole empty":        status(200, `{}`, "Content-Type", "application/json"),
		"unauthorised":       status(401, `{"error":{"message":"invalid x-api-key `+testKey+`"}}`),
	} {
		s := newStub(t, h)
		_, _, _, err := generate(s.model(t, nil), ask("?"))
		if problem.CodeOf(err) != "model_error" || !problem.Is(err, problem.Unavailable) || s.Requests() != 1 {
			t.Errorf("%s: %d requests, %v", name, s.Requests(), err)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), testKey) {
				t.Errorf("%s: the error holds the key", name)
			}
		}
	}
}

func TestOverloadedEndpointIsAskedAgain(t *testing.T) {
	s := newStub(t, status(529, `{"type":"error","error":{"type":"overloaded_error"}}`), status(429, "", "Retry-After", "0"), events(start, textBlock, hello, endTurn, end))
	resp, text, _, err := generate(s.model(t, nil), ask("?"))
	if err != nil || text != "hello" || len(resp.Attempts) != 2 || resp.Attempts[0].Code != "http_529" || resp.Attempts[1].Code != "rate_limited" {
		t.Errorf("%q %+v %v", text, resp.Attempts, err)
	}
}

func TestSilenceAndCancellingEndTheCall(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) {
		events(start, textBlock)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	_, _, _, err := generate(newStub(t, hang).model(t, func(c *Config) { c.Idle = 30 * time.Millisecond }), ask("?"))
	if problem.CodeOf(err) != "model_timeout" {
		t.Errorf("silence: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	arrived := make(chan struct{})
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) { close(arrived); hang(w, r) })
	go func() { <-arrived; cancel() }()
	if _, err := s.model(t, nil).Generate(ctx, ask("?"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	if _, err := New(Config{BaseURL: "ftp://a/v1", Model: "m", Client: http.DefaultClient}); !problem.Is(err, problem.Invalid) {
		t.Errorf("got %v", err)
	}
	m, err := New(Config{BaseURL: "https://api.example/v1", Model: "m", Client: outbound.New(outbound.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Info(), (llm.Info{Engine: llm.Model, Name: "m", Host: "api.example", Remote: true}); got != want {
		t.Errorf("got %+v", got)
	}
}
