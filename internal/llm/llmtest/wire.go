package llmtest

import (
	"encoding/json"
	"net/http/httptest"
	"strings"

	"github.com/kaoju/kaoju/internal/llm"
)

// Wire is a protocol of models, as an endpoint writes it.
type Wire struct {
	Name string
	// Stream is a turn as a stream, Whole as one document.
	Stream, Whole func(Turn) string
	// Begin opens a stream of text, Piece is some text in it, and End closes it.
	Begin, End string
	Piece      func(text string) string
	// Event frames one event.
	Event func(data string) string
}

// ChatCompletions is the protocol of llm/openai.
func ChatCompletions() Wire {
	return Wire{
		Name: "openai",
		Stream: func(t Turn) string {
			rec := httptest.NewRecorder()
			t.stream(rec, true)
			return rec.Body.String()
		},
		Whole: func(t Turn) string { return text(t.whole()) },
		End:   "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		Piece: func(s string) string {
			return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":" + quote(s) + "}}]}\n\n"
		},
		Event: func(data string) string { return "data: " + data + "\n\n" },
	}
}

// Messages is the protocol of llm/anthropic.
func Messages() Wire {
	w := Wire{
		Name: "anthropic",
		Piece: func(s string) string {
			return message(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + quote(s) + `}}`)
		},
		Event:  message,
		Stream: messages,
		Whole:  wholeMessage,
	}
	w.Begin = message(`{"type":"message_start","message":{"type":"message","role":"assistant"}}`) +
		message(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
	w.End = message(`{"type":"content_block_stop","index":0}`) + message(`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`) + message(`{"type":"message_stop"}`)
	return w
}

// Wires are both protocols.
func Wires() []Wire { return []Wire{ChatCompletions(), Messages()} }

// message frames an event of Messages: its name is its type.
func message(data string) string {
	var typed struct{ Type string }
	_ = json.Unmarshal([]byte(data), &typed) // what is no JSON has no name
	return "event: " + typed.Type + "\ndata: " + data + "\n\n"
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("llmtest: " + err.Error())
	}
	return string(b)
}

// messages is a turn as a stream of Messages; a call's arguments come in pieces.
func messages(t Turn) string {
	var b strings.Builder
	send := func(v map[string]any) { b.WriteString(message(text(v))) }
	head := map[string]any{"type": "message", "role": "assistant"}
	if t.Usage != nil && t.Usage.Prompt != nil {
		head["usage"] = map[string]any{"input_tokens": *t.Usage.Prompt}
	}
	send(map[string]any{"type": "message_start", "message": head})
	index := 0
	block := func(start map[string]any, kind, field string, list []string) {
		send(map[string]any{"type": "content_block_start", "index": index, "content_block": start})
		for _, p := range list {
			send(map[string]any{"type": "content_block_delta", "index": index, "delta": map[string]any{"type": kind, field: p}})
		}
		send(map[string]any{"type": "content_block_stop", "index": index})
		index++
	}
	if t.Reasoning != "" {
		block(map[string]any{"type": "thinking", "thinking": ""}, "thinking_delta", "thinking", pieces(t.Reasoning))
	}
	if t.Text != "" {
		block(map[string]any{"type": "text", "text": ""}, "text_delta", "text", pieces(t.Text))
	}
	for _, c := range t.Calls {
		block(map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": map[string]any{}}, "input_json_delta", "partial_json", pieces(c.Arguments))
	}
	end := map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": t.stopReason()}}
	if t.Usage != nil && t.Usage.Completion != nil {
		end["usage"] = map[string]any{"output_tokens": *t.Usage.Completion}
	}
	send(end)
	send(map[string]any{"type": "message_stop"})
	return b.String()
}

// wholeMessage is a turn as one document of Messages.
func wholeMessage(t Turn) string {
	list := []any{map[string]any{"type": "text", "text": t.Text}}
	for _, c := range t.Calls {
		list = append(list, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.Arguments)})
	}
	return text(map[string]any{"type": "message", "role": "assistant", "content": list, "stop_reason": t.stopReason()})
}

// stopReason is the turn's reason to stop in Messages' words.
func (t Turn) stopReason() string {
	return map[llm.Finish]string{llm.Stop: "end_turn", llm.CallTools: "tool_use", llm.Length: "max_tokens", llm.Filtered: "refusal"}[t.finish()]
}
