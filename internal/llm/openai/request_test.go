package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestRequestIsWrittenAsTheProtocolWants(t *testing.T) {
	s := newStub(t, events(hello, stop, done))
	m := s.model(func(c *Config) {
		c.MaxTokensField = "max_completion_tokens"
		c.Extra = map[string]json.RawMessage{"enable_thinking": []byte("false"), "model": []byte(`"evil"`), "stream": []byte("false"), "tools": []byte("[]")}
	})
	_, _, _, err := generate(m, llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "规则"}, {Role: llm.User, Text: "住宿 <上限>?"},
			{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "search_knowledge", Arguments: `not json`}}},
			{Role: llm.Tool, CallID: "1", Text: `{"ok":true}`}, {Role: llm.Assistant, Text: ""},
		},
		Tools:     []llm.ToolSpec{{Name: "search_knowledge", Description: "d", Schema: []byte(`{"type":"object"}`)}},
		MaxOutput: 99,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"model": `"m"`, "stream": `true`, "stream_options": `{"include_usage":true}`, "max_completion_tokens": `99`, "enable_thinking": `false`,
		"tools": `[{"function":{"description":"d","name":"search_knowledge","parameters":{"type":"object"}},"type":"function"}]`,
		"messages": `[{"content":"规则","role":"system"},{"content":"住宿 \u003c上限\u003e?","role":"user"},` +
			`{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"not json","name":"search_knowledge"},"id":"1","type":"function"}]},` +
			`{"content":"{\"ok\":true}","role":"tool","tool_call_id":"1"},{"content":"","role":"assistant"}]`,
	}
	got := map[string]string{}
	for k, v := range s.body(0) {
		got[k] = string(v)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.Path(0) != "/v1/chat/completions" || s.Header(0).Get("Authorization") != "Bearer "+testKey || s.Header(0).Get("Content-Type") != "application/json" {
		t.Errorf("%s %v", s.Path(0), s.Header(0))
	}
}

func TestWithoutKeyNoneIsSent(t *testing.T) {
	s := newStub(t, document(`{"choices":[{"message":{"content":"x"}}]}`))
	m := s.model(func(c *Config) { c.Key, c.NoStream = "", true })
	if _, _, _, err := generate(m, ask("?")); err != nil {
		t.Fatal(err)
	}
	if _, sent := s.Header(0)["Authorization"]; sent || string(s.body(0)["stream"]) != "false" || s.body(0)["stream_options"] != nil {
		t.Errorf("%v %v", s.Header(0), s.body(0))
	}
}

func TestRejectedUsageOptionIsLeftOutFromThenOn(t *testing.T) {
	for _, code := range []int{400, 422} {
		s := newStub(t, status(code, `{"error":"unknown field stream_options"}`), events(hello, stop, done), events(hello, stop, done))
		m := s.model(nil)
		resp, text, _, err := generate(m, ask("?"))
		if err != nil || text != "hello" || len(resp.Attempts) != 1 || !strings.HasPrefix(resp.Attempts[0].Code, "http_4") {
			t.Fatalf("%d: %q %+v %v", code, text, resp, err)
		}
		if _, _, _, err := generate(m, ask("?")); err != nil {
			t.Fatal(err)
		}
		for i, want := range []bool{true, false, false} {
			if got := s.body(i)["stream_options"] != nil; got != want {
				t.Errorf("%d: request %d has the option: %t", code, i, got)
			}
		}
	}
	// A request that is refused for another reason is refused again, and nothing is remembered.
	s := newStub(t, status(400, `context_length`), status(400, `context_length`), events(hello, stop, done))
	m := s.model(nil)
	if _, _, _, err := generate(m, ask("?")); problem.CodeOf(err) != "model_error" {
		t.Errorf("%v", err)
	}
	if _, _, _, err := generate(m, ask("?")); err != nil || s.body(2)["stream_options"] == nil {
		t.Errorf("the option is gone: %v", err)
	}
	off := newStub(t, status(400, "no"))
	if _, _, _, err := generate(off.model(func(c *Config) { c.NoUsageOption = true }), ask("?")); err == nil || off.Requests() != 1 || off.body(0)["stream_options"] != nil {
		t.Errorf("switched off: %d requests, %v", off.Requests(), err)
	}
}

func TestTransientFailuresAreRetried(t *testing.T) {
	for _, c := range []struct {
		name string
		fail http.HandlerFunc
		code string
	}{
		{"408", status(408, ""), "http_408"}, {"409", status(409, ""), "http_409"}, {"429", status(429, "", "Retry-After", "0"), "rate_limited"},
		{"429 garbage", status(429, "", "Retry-After", "soon"), "rate_limited"}, {"429 past date", status(429, "", "Retry-After", "Mon, 02 Jan 2006 15:04:05 GMT"), "rate_limited"},
		{"500", status(500, ""), "http_500"}, {"502", status(502, ""), "http_502"}, {"503", status(503, ""), "http_503"}, {"504", status(504, ""), "http_504"},
		{"529", status(529, ""), "http_529"}, {"broken connection", abort, "connect"},
	} {
		s := newStub(t, c.fail, c.fail, events(hello, stop, done))
		resp, text, _, err := generate(s.model(nil), ask("?"))
		if err != nil || text != "hello" || len(resp.Attempts) != 2 || resp.Attempts[0].Code != c.code || resp.Attempts[1].Code != c.code {
			t.Errorf("%s: %q %+v %v", c.name, text, resp.Attempts, err)
		}
		s = newStub(t, c.fail, c.fail, c.fail, events(hello, stop, done))
		resp, _, _, err = generate(s.model(nil), ask("?"))
		if problem.CodeOf(err) != "model_error" || len(resp.Attempts) != 3 || s.Requests() != 3 {
			t.Errorf("%s for ever: %d requests, %+v, %v", c.name, s.Requests(), resp.Attempts, err)
		}
	}
}

func TestLastingFailuresAreNotRetried(t *testing.T) {
	for _, code := range []int{401, 402, 403, 404, 413, 204, 301} {
		s := newStub(t, status(code, `{"error":{"message":"Incorrect API key provided: `+testKey+`. Bearer `+testKey[:12]+`****"}}`))
		resp, _, _, err := generate(s.model(nil), ask("?"))
		if problem.CodeOf(err) != "model_error" || !problem.Is(err, problem.Unavailable) || s.Requests() != 1 || len(resp.Attempts) != 1 {
			t.Errorf("%d: %d requests, %+v, %v", code, s.Requests(), resp.Attempts, err)
		}
		var p *problem.Error
		if !errors.As(err, &p) || strings.Contains(p.Detail, "127.0.0.1") || strings.Contains(causes(err), testKey[:12]) {
			t.Errorf("%d: the error tells too much: %s", code, causes(err))
		}
	}
	s := newStub(t, status(503, ""))
	if _, _, _, err := generate(s.model(func(c *Config) { c.Retries = -1 }), ask("?")); err == nil || s.Requests() != 1 {
		t.Errorf("retries are switched off: %d requests, %v", s.Requests(), err)
	}
}

func TestRetryThatWouldComeTooLateIsNotAwaited(t *testing.T) {
	s := newStub(t, status(429, "", "Retry-After", "3600"))
	if _, _, _, err := generate(s.model(nil), ask("?")); problem.CodeOf(err) != "model_error" || s.Requests() != 1 {
		t.Errorf("an hour: %d requests, %v", s.Requests(), err)
	}
	s = newStub(t, status(429, "", "Retry-After", "50"))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := s.model(nil).Generate(ctx, ask("?"), nil); problem.CodeOf(err) != "model_error" || s.Requests() != 1 {
		t.Errorf("beyond the deadline: %d requests, %v", s.Requests(), err)
	}
}

func TestSilenceEndsInATimeout(t *testing.T) {
	short := 30 * time.Millisecond
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		change  func(*Config)
	}{
		"no header": {hang(""), func(c *Config) { c.FirstByte = short }},
		"header alone": {func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, func(c *Config) { c.FirstByte = short }},
		"after a chunk":  {hang("data: " + hello + "\n\n"), func(c *Config) { c.Idle = short }},
		"total, silent":  {hang(""), func(c *Config) { c.Total = short }},
		"total, at work": {hang("data: " + hello + "\n\n"), func(c *Config) { c.Total = short }},
	} {
		s := newStub(t, c.handler)
		_, _, _, err := generate(s.model(c.change), ask("?"))
		if problem.CodeOf(err) != "model_timeout" || !problem.Is(err, problem.Unavailable) || s.Requests() != 1 {
			t.Errorf("%s: %d requests, %v", name, s.Requests(), err)
		}
	}
}

func TestSlowConsumerIsNoSilence(t *testing.T) {
	s := newStub(t, events(hello, hello, stop, done))
	m := s.model(func(c *Config) { c.Idle = 20 * time.Millisecond })
	slow := make(chan struct{})
	time.AfterFunc(80*time.Millisecond, func() { close(slow) })
	resp, err := m.Generate(context.Background(), ask("?"), func(llm.Delta) { <-slow })
	if err != nil || resp.Message.Text != "hellohello" {
		t.Errorf("%q, %v", resp.Message.Text, err)
	}
}

func TestCancellingReachesTheEndpoint(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	gone, streaming := make(chan struct{}), make(chan struct{})
	s := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		hang("data: "+hello+"\n\n")(w, r)
		close(gone)
	})
	m := s.model(nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := m.Generate(ctx, ask("?"), func(llm.Delta) { close(streaming) })
		done <- err
	}()
	<-streaming
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-gone
	s.Close()
	m.config.Client.CloseIdleConnections()
}

func TestUnreachableEndpointIsAModelError(t *testing.T) {
	s := newStub(t)
	m := s.model(nil)
	s.Close()
	resp, _, _, err := generate(m, ask("?"))
	var p *problem.Error
	if problem.CodeOf(err) != "model_error" || len(resp.Attempts) != 3 || resp.Attempts[2].Code != "connect" || !errors.As(err, &p) || strings.Contains(p.Detail, "127") {
		t.Errorf("%+v, %v", resp.Attempts, err)
	}
	// An address that the client refuses is not tried again.
	m = s.model(func(c *Config) { c.Client = outbound.New(outbound.Options{}) })
	resp, _, _, err = generate(m, ask("?"))
	if problem.CodeOf(err) != "model_error" || len(resp.Attempts) != 1 {
		t.Errorf("%+v, %v", resp.Attempts, err)
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	client := outbound.New(outbound.Options{})
	for name, c := range map[string]Config{
		"no model": {BaseURL: "http://a/v1", Client: client}, "no client": {BaseURL: "http://a/v1", Model: "m"}, "no URL": {Model: "m", Client: client},
		"query": {BaseURL: "http://a/v1?key=secret", Model: "m", Client: client}, "user": {BaseURL: "http://u:p@a/v1", Model: "m", Client: client},
		"scheme": {BaseURL: "file:///v1", Model: "m", Client: client},
	} {
		if _, err := New(c); !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for base, remote := range map[string]bool{"http://localhost:11434/v1": false, "http://127.0.0.1/v1": false, "https://api.example.com/v1": true, "http://10.0.0.5:8000/v1": true} {
		m, err := New(Config{BaseURL: base, Model: "m", Client: client})
		if err != nil {
			t.Fatal(err)
		}
		info := m.Info()
		if info.Remote != remote || info.Name != "m" || info.Engine != llm.Model || !strings.Contains(base, "//"+info.Host+"/") {
			t.Errorf("%s: %+v", base, info)
		}
	}
}

func TestScriptedServerIsUnderstood(t *testing.T) {
	server := llmtest.NewServer(
		llmtest.Turn{Reasoning: "想", Calls: []llm.ToolCall{llmtest.Search("住宿 上限"), llmtest.Read("doc-1")}, Usage: llmtest.Tokens(3, 4)},
		llmtest.Turn{Text: "结论：650 元。[S1]"}, llmtest.Turn{Err: errors.New("scripted")})
	defer server.Close()
	m, err := New(Config{BaseURL: server.URL, Model: "m", Client: outbound.New(outbound.Options{Allow: []string{server.HostPort()}}), Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	first, _, reasoning, err := generate(m, ask("一"))
	if err != nil || reasoning != "想" || len(first.Message.Calls) != 2 || first.Message.Calls[0].Arguments != `{"query":"住宿 上限"}` || *first.Usage.Total != 7 {
		t.Errorf("%+v %q %v", first, reasoning, err)
	}
	second, text, _, err := generate(m, ask("二"))
	if err != nil || text != "结论：650 元。[S1]" || second.Usage != nil {
		t.Errorf("%+v %q %v", second, text, err)
	}
	if _, _, _, err := generate(m, ask("三")); problem.CodeOf(err) != "model_error" {
		t.Errorf("%v", err)
	}
	if got := server.Requests(); len(got) < 3 || got[1].Messages[0].Text != "二" || len(server.Bodies()) != len(got) || len(server.Headers()) != len(got) {
		t.Errorf("%+v", got)
	}
}
