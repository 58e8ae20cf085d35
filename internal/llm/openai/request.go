package openai

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/llm"
)

// reasoningFields are the names under which endpoints send reasoning: DeepSeek's and vLLM's.
func reasoningFields() []string { return []string{"reasoning_content", "reasoning"} }

type message = map[string]any

// body writes a request. Maps are written with sorted keys, so that equal requests are equal
// bytes.
func (m *Model) body(req llm.Request, withUsage bool) ([]byte, error) {
	b := map[string]any{}
	for name, value := range m.config.Extra {
		b[name] = value
	}
	messages := make([]message, 0, len(req.Messages))
	for _, msg := range req.Messages {
		messages = append(messages, encode(msg))
	}
	b["model"], b["messages"], b["stream"] = m.endpoint.Model(), messages, !m.config.NoStream
	delete(b, "stream_options")
	if withUsage {
		b["stream_options"] = map[string]bool{"include_usage": true}
	}
	if req.MaxOutput > 0 {
		b[m.config.MaxTokensField] = req.MaxOutput
	}
	delete(b, "tools")
	if len(req.Tools) > 0 {
		b["tools"] = tools(req.Tools)
	}
	return json.Marshal(b)
}

func tools(specs []llm.ToolSpec) []message {
	out := make([]message, 0, len(specs))
	for _, s := range specs {
		out = append(out, message{"type": "function", "function": message{
			"name": s.Name, "description": s.Description, "parameters": s.Schema,
		}})
	}
	return out
}

// encode writes one message. An assistant message without text has the content null beside its
// calls, which is what endpoints send themselves.
func encode(m llm.Message) message {
	out := message{"role": string(m.Role), "content": m.Text}
	switch m.Role {
	case llm.Tool:
		out["tool_call_id"] = m.CallID
	case llm.Assistant:
		if len(m.Calls) > 0 {
			var calls []message
			for _, c := range m.Calls {
				calls = append(calls, message{"id": c.ID, "type": "function", "function": message{"name": c.Name, "arguments": c.Arguments}})
			}
			out["tool_calls"] = calls
			if m.Text == "" {
				out["content"] = nil
			}
		}
		var state map[string]json.RawMessage
		if json.Unmarshal(m.State, &state) == nil {
			for _, name := range reasoningFields() {
				if v, ok := state[name]; ok {
					out[name] = v
				}
			}
		}
	}
	return out
}
