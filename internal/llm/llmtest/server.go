package llmtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/kaoju/kaoju/internal/llm"
)

// Server is an endpoint that speaks Chat Completions and plays a Script, for tests of the whole
// product. Every answer is streamed if the request asks for it.
type Server struct {
	// URL is the base with /v1, as a model's settings want it.
	URL string

	script *Script
	http   *httptest.Server
	mu     sync.Mutex
	header []http.Header
	bodies [][]byte
}

// NewServer starts a server that plays the turns. The caller closes it.
func NewServer(turns ...Turn) *Server {
	s := &Server{script: New(turns...)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{map[string]string{"id": "script", "object": "model"}}})
	})
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	return s
}

// Close ends the server; requests that wait are ended too.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// HostPort is what a guarded client must allow to reach the server.
func (s *Server) HostPort() string { return s.http.Listener.Addr().String() }

// Requests returns the requests so far, as far as the protocol carries them.
func (s *Server) Requests() []llm.Request { return s.script.Requests() }

// Bodies returns the requests as they came.
func (s *Server) Bodies() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]byte(nil), s.bodies...)
}

// Headers returns the headers of the requests.
func (s *Server) Headers() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]http.Header(nil), s.header...)
}

// wireCall is a tool call in the protocol.
type wireCall struct {
	Index    *int   `json:"index,omitempty"`
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// wireRequest is what the server reads of a request.
type wireRequest struct {
	Messages []struct {
		Role    string     `json:"role"`
		Content *string    `json:"content"`
		Calls   []wireCall `json:"tool_calls"`
		CallID  string     `json:"tool_call_id"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	MaxTokens int  `json:"max_tokens"`
	Stream    bool `json:"stream"`
	Options   struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// request turns what came into the contract's form.
func (w wireRequest) request() llm.Request {
	req := llm.Request{MaxOutput: w.MaxTokens}
	for _, m := range w.Messages {
		msg := llm.Message{Role: llm.Role(m.Role), CallID: m.CallID}
		if m.Content != nil {
			msg.Text = *m.Content
		}
		for _, c := range m.Calls {
			msg.Calls = append(msg.Calls, llm.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		req.Messages = append(req.Messages, msg)
	}
	for _, t := range w.Tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	return req
}

// complete plays the next turn.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	var in wireRequest
	if json.NewDecoder(r.Body).Decode(&raw) != nil || json.Unmarshal(raw, &in) != nil {
		writeJSON(w, http.StatusBadRequest, fault("the body is no request"))
		return
	}
	s.mu.Lock()
	s.bodies, s.header = append(s.bodies, raw), append(s.header, r.Header.Clone())
	s.mu.Unlock()
	turn, err := s.script.next(in.request())
	if err == nil && turn.Block != nil {
		select {
		case <-turn.Block:
		case <-r.Context().Done():
			return
		}
	}
	if err == nil {
		err = turn.Err
	}
	switch {
	case err != nil:
		writeJSON(w, http.StatusBadRequest, fault(err.Error()))
	case in.Stream:
		turn.stream(w, in.Options.Usage)
	default:
		writeJSON(w, http.StatusOK, turn.whole())
	}
}

func fault(message string) any { return map[string]any{"error": map[string]string{"message": message}} }

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// calls returns the turn's tool calls in the protocol's form.
func (t Turn) calls() []wireCall {
	var out []wireCall
	for i, c := range t.Calls {
		w := wireCall{Index: &i, ID: c.ID, Type: "function"}
		w.Function.Name, w.Function.Arguments = c.Name, c.Arguments
		out = append(out, w)
	}
	return out
}

func (t Turn) usage() map[string]int {
	out := map[string]int{}
	for name, n := range map[string]*int{"prompt_tokens": t.Usage.Prompt, "completion_tokens": t.Usage.Completion, "total_tokens": t.Usage.Total} {
		if n != nil {
			out[name] = *n
		}
	}
	return out
}

// whole is the turn as one document.
func (t Turn) whole() map[string]any {
	message := map[string]any{"role": "assistant", "content": t.Text}
	if calls := t.calls(); calls != nil {
		message["tool_calls"] = calls
	}
	if t.Reasoning != "" {
		message["reasoning_content"] = t.Reasoning
	}
	out := map[string]any{"object": "chat.completion", "choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": string(t.finish())}}}
	if t.Usage != nil {
		out["usage"] = t.usage()
	}
	return out
}

// stream writes the turn piece by piece; a call's arguments come in pieces too.
func (t Turn) stream(w http.ResponseWriter, withUsage bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(v any) {
		b, err := json.Marshal(v)
		if err != nil {
			panic("llmtest: " + err.Error())
		}
		_, _ = w.Write([]byte("data: " + string(b) + "\n\n"))
		_ = http.NewResponseController(w).Flush()
	}
	delta := func(d map[string]any, finish any) {
		send(map[string]any{"object": "chat.completion.chunk", "choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": finish}}})
	}
	delta(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range pieces(t.Reasoning) {
		delta(map[string]any{"reasoning_content": p}, nil)
	}
	for _, p := range pieces(t.Text) {
		delta(map[string]any{"content": p}, nil)
	}
	for _, c := range t.calls() {
		arguments := c.Function.Arguments
		c.Function.Arguments = ""
		delta(map[string]any{"tool_calls": []wireCall{c}}, nil)
		for _, p := range pieces(arguments) {
			part := wireCall{Index: c.Index}
			part.Function.Arguments = p
			delta(map[string]any{"tool_calls": []wireCall{part}}, nil)
		}
	}
	delta(map[string]any{}, string(t.finish()))
	if withUsage && t.Usage != nil {
		send(map[string]any{"object": "chat.completion.chunk", "choices": []any{}, "usage": t.usage()})
	}
	_, _ = w.Write([]byte("data: [DONE]\n\n"))
}
