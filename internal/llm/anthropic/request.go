package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/kaoju/kaoju/internal/llm"
)

type object = map[string]any

// body writes a request. The system messages at the beginning become the system text; one that
// comes later stays at its place, as text of the user's side.
func (m *Model) body(req llm.Request) ([]byte, error) {
	b := object{}
	for name, value := range m.config.Extra {
		b[name] = value
	}
	var system []string
	rest := req.Messages
	for len(rest) > 0 && rest[0].Role == llm.System {
		system, rest = append(system, rest[0].Text), rest[1:]
	}
	delete(b, "system")
	if len(system) > 0 {
		b["system"] = strings.Join(system, "\n\n")
	}
	b["model"], b["stream"], b["messages"] = m.endpoint.Model(), !m.config.NoStream, messages(rest)
	b["max_tokens"] = req.MaxOutput
	if req.MaxOutput <= 0 {
		b["max_tokens"] = DefaultMaxOutput
	}
	delete(b, "tools")
	if len(req.Tools) > 0 {
		var tools []object
		for _, s := range req.Tools {
			tools = append(tools, object{"name": s.Name, "description": s.Description, "input_schema": s.Schema})
		}
		b["tools"] = tools
	}
	return json.Marshal(b)
}

// messages writes the conversation. The protocol wants the two sides to alternate, so messages
// of one side that follow each other become one with several blocks.
func messages(in []llm.Message) []object {
	out := []object{}
	for _, m := range in {
		side, blocks := "user", []any{}
		switch m.Role {
		case llm.Assistant:
			side, blocks = "assistant", spoken(m)
		case llm.Tool:
			blocks = append(blocks, object{"type": "tool_result", "tool_use_id": m.CallID, "content": m.Text})
		default:
			blocks = text(blocks, m.Text)
		}
		if len(blocks) == 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1]["role"] == side {
			out[n-1]["content"] = append(out[n-1]["content"].([]any), blocks...)
			continue
		}
		out = append(out, object{"role": side, "content": blocks})
	}
	return out
}

// spoken writes an assistant message: its thinking as it came, then text, then calls.
func spoken(m llm.Message) []any {
	var out []any
	var thinking []json.RawMessage
	if json.Unmarshal(m.State, &thinking) == nil {
		for _, t := range thinking {
			out = append(out, t)
		}
	}
	out = text(out, m.Text)
	for _, c := range m.Calls {
		out = append(out, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": input(c.Arguments)})
	}
	return out
}

// text adds a block of text unless it is blank, which the protocol refuses.
func text(blocks []any, s string) []any {
	if strings.TrimSpace(s) == "" {
		return blocks
	}
	return append(blocks, object{"type": "text", "text": s})
}

// input makes an object of a call's arguments, since the protocol takes nothing else. What is no
// JSON object is shown to the model as the text it was.
func input(arguments string) any {
	var o map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &o) == nil && o != nil {
		return json.RawMessage(arguments)
	}
	return object{"malformed_arguments": arguments}
}
