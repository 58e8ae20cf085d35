package anthropic

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
)

// content is a block as it arrives, whole or at its start.
type content struct {
	Type      string          `json:"type"`
	Text      json.RawMessage `json:"text"`
	Thinking  json.RawMessage `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
}

// piece is what one event adds to a block.
type piece struct {
	Type        string          `json:"type"`
	Text        json.RawMessage `json:"text"`
	Thinking    json.RawMessage `json:"thinking"`
	Signature   string          `json:"signature"`
	PartialJSON json.RawMessage `json:"partial_json"`
}

// block is a block while it arrives. Body is its text, thinking or arguments.
type block struct {
	content
	body  strings.Builder
	joint endpoint.Joint
	// thought is the reasoning of an endpoint that has no blocks for it.
	thought endpoint.Thought
}

// turn accumulates one response.
type turn struct {
	endpoint *endpoint.Endpoint
	emit     func(llm.Delta)
	ids      *endpoint.IDs

	blocks []*block
	slots  map[int]*block

	textBytes, thinkingBytes, callBytes, thoughtChars int

	calls     int
	begun     bool
	completed bool
	stop      string
	usage     *llm.Usage
}

// start opens a block. What it already holds counts as its first piece.
func (t *turn) start(index int, c content) error {
	b := &block{content: c}
	switch {
	case t.slots[index] != nil:
		return t.endpoint.Bad("two blocks have one index")
	case c.Type == "tool_use":
		if t.calls++; t.calls > endpoint.MaxCalls {
			return t.endpoint.TooLong(fmt.Sprintf("there are more than %d tool calls", endpoint.MaxCalls))
		}
	case len(t.slots) >= 4*endpoint.MaxCalls:
		return t.endpoint.TooLong("there are too many blocks")
	}
	b.Name = endpoint.CapName(b.Name)
	t.slots[index] = b
	t.blocks = append(t.blocks, b)
	switch c.Type {
	case "text":
		return t.grow(b, c.Text)
	case "thinking":
		return t.grow(b, c.Thinking)
	}
	return nil
}

// add takes in a piece of an open block.
func (t *turn) add(index int, p piece) error {
	b := t.slots[index]
	if b == nil {
		return t.endpoint.Bad("a piece belongs to no block")
	}
	switch p.Type {
	case "text_delta":
		return t.grow(b, p.Text)
	case "thinking_delta":
		return t.grow(b, p.Thinking)
	case "input_json_delta":
		return t.grow(b, p.PartialJSON)
	case "signature_delta":
		if b.Signature += p.Signature; len(b.Signature) > endpoint.MaxReasoning {
			return t.endpoint.TooLong("a signature is too long")
		}
	}
	return nil
}

// grow adds to the body of a block, within the caps, and streams text and thinking.
func (t *turn) grow(b *block, raw json.RawMessage) error {
	if len(raw) == 0 || raw[0] == 'n' {
		return nil
	}
	s, err := b.joint.Add(raw)
	if err != nil {
		return t.endpoint.Bad("a piece is no text")
	}
	switch b.Type {
	case "text":
		thought, text := b.thought.Add(s)
		return t.say(b, thought, text)
	case "thinking":
		b.body.WriteString(s)
		return t.say(b, s, "")
	}
	b.body.WriteString(s)
	t.callBytes += len(s)
	return t.bounded()
}

// say takes in a piece of a block: what of it is thought, and what is answer.
func (t *turn) say(b *block, thought, text string) error {
	t.thinkingBytes += len(thought)
	t.thoughtChars += utf8.RuneCountInString(thought)
	t.textBytes += len(text)
	if err := t.bounded(); err != nil {
		return err
	}
	b.body.WriteString(text)
	if thought != "" {
		t.emit(llm.Delta{Reasoning: thought})
	}
	if text != "" {
		t.emit(llm.Delta{Text: text})
	}
	return nil
}

// bounded holds the caps on a turn.
func (t *turn) bounded() error {
	if t.textBytes > endpoint.MaxText || t.thinkingBytes > endpoint.MaxReasoning || t.callBytes > endpoint.MaxArguments {
		return t.endpoint.TooLong("the response is too long")
	}
	return nil
}

// response is the whole turn.
func (t *turn) response() (llm.Response, error) {
	switch {
	case !t.begun:
		return llm.Response{}, t.endpoint.Bad("there is no message in the response")
	case t.stop == "" && !t.completed:
		return llm.Response{}, t.endpoint.Incomplete("the stream ended before the response did")
	}
	msg := llm.Message{Role: llm.Assistant}
	var state []any
	cut := finish(t.stop, 0) == llm.Length
	for i, b := range t.blocks {
		switch b.Type {
		case "text":
			held, rest := b.thought.End()
			if err := t.say(b, held, rest); err != nil {
				return llm.Response{}, err
			}
			thought, text := endpoint.Unopened(b.body.String())
			t.thoughtChars += utf8.RuneCountInString(thought)
			msg.Text += text
		case "tool_use":
			msg.Calls = append(msg.Calls, llm.ToolCall{ID: t.ids.Assign(b.ID), Name: b.Name, Arguments: b.arguments(cut && i == len(t.blocks)-1)})
		case "thinking":
			state = append(state, object{"type": "thinking", "thinking": b.body.String(), "signature": b.Signature})
		case "redacted_thinking":
			state = append(state, object{"type": "redacted_thinking", "data": b.Data})
		}
	}
	if len(state) > 0 {
		raw, err := json.Marshal(state)
		if err != nil {
			return llm.Response{}, t.endpoint.Bad("the thinking can't be kept")
		}
		msg.State = raw
	}
	return llm.Response{Message: msg, Finish: finish(t.stop, len(msg.Calls)), Usage: t.usage, Reasoning: t.thoughtChars}, nil
}

// arguments are the pieces, or without any the object that the block began with. A call that was
// cut off before its first piece has none: the object it began with is not what the model meant.
func (b *block) arguments(cut bool) string {
	switch {
	case cut && b.body.Len() == 0 && string(b.Input) == "{}":
		return ""
	case b.body.Len() > 0:
		return b.body.String()
	case len(b.Input) > 0:
		return string(b.Input)
	}
	return "{}"
}

// finish maps the protocol's reasons.
func finish(reason string, calls int) llm.Finish {
	switch {
	case reason == "max_tokens" || reason == "model_context_window_exceeded":
		return llm.Length
	case reason == "refusal":
		return llm.Filtered
	case calls > 0:
		return llm.CallTools
	}
	return llm.Stop
}
