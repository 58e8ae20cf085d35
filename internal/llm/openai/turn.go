package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
)

// delta is a piece of a message, or a whole one. Every field may be absent or null; strings are
// kept raw, since a character may be cut in two between pieces.
type delta struct {
	Content          json.RawMessage `json:"content"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	Refusal          json.RawMessage `json:"refusal"`
	ToolCalls        []fragment      `json:"tool_calls"`
}

// fragment is a piece of a tool call.
type fragment struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// call is a tool call while it arrives.
type call struct {
	id, name  string
	arguments strings.Builder
	joint     endpoint.Joint
}

// turn accumulates one response.
type turn struct {
	endpoint *endpoint.Endpoint
	emit     func(llm.Delta)
	ids      *endpoint.IDs

	text, refusal      strings.Builder
	thought            endpoint.Thought // reasoning at the beginning of the text
	thoughtChars       int
	thoughtBytes       int
	textJoint          endpoint.Joint
	refusalJoint       endpoint.Joint
	reasoning          map[string]*strings.Builder // by field name; present means received
	reasoningJoint     map[string]*endpoint.Joint
	calls              []*call
	slots              map[int]*call
	argumentBytes      int
	finish             string
	usage              *llm.Usage
	choices, completed bool
}

func newTurn(e *endpoint.Endpoint, req llm.Request, emit func(llm.Delta)) *turn {
	return &turn{
		endpoint: e, emit: emit, ids: endpoint.NewIDs(req), slots: map[int]*call{},
		reasoning: map[string]*strings.Builder{}, reasoningJoint: map[string]*endpoint.Joint{},
	}
}

// add takes in one piece.
func (t *turn) add(d delta) error {
	if err := t.addReasoning("reasoning_content", d.ReasoningContent); err != nil {
		return err
	}
	if err := t.addReasoning("reasoning", d.Reasoning); err != nil {
		return err
	}
	text, err := content(d.Content, &t.textJoint)
	if err != nil {
		return t.endpoint.Bad("content is no text")
	}
	refusal, err := content(d.Refusal, &t.refusalJoint)
	if err != nil {
		return t.endpoint.Bad("refusal is no text")
	}
	t.refusal.WriteString(refusal)
	if err := t.say(t.thought.Add(text)); err != nil {
		return err
	}
	for _, f := range d.ToolCalls {
		if err := t.addCall(f); err != nil {
			return err
		}
	}
	return nil
}

// say takes in a piece of the text: what of it was thought, and what is answer.
func (t *turn) say(thought, text string) error {
	t.thoughtBytes += len(thought)
	t.thoughtChars += utf8.RuneCountInString(thought)
	if t.thoughtBytes > endpoint.MaxReasoning {
		return t.endpoint.TooLong(fmt.Sprintf("the reasoning is longer than %d bytes", endpoint.MaxReasoning))
	}
	if thought != "" {
		t.emit(llm.Delta{Reasoning: thought})
	}
	if t.text.WriteString(text); t.text.Len()+t.refusal.Len() > endpoint.MaxText {
		return t.endpoint.TooLong(fmt.Sprintf("the text is longer than %d bytes", endpoint.MaxText))
	}
	if text != "" {
		t.emit(llm.Delta{Text: text})
	}
	return nil
}

// addReasoning keeps reasoning under the name it came with. Where both names come, they say the
// same, so only the first is streamed.
func (t *turn) addReasoning(name string, raw json.RawMessage) error {
	if len(raw) == 0 || raw[0] != '"' {
		return nil
	}
	if t.reasoning[name] == nil {
		t.reasoning[name], t.reasoningJoint[name] = &strings.Builder{}, &endpoint.Joint{}
	}
	piece, err := t.reasoningJoint[name].Add(raw)
	if err != nil {
		return t.endpoint.Bad("reasoning is no text")
	}
	if t.reasoning[name].WriteString(piece); t.reasoning[name].Len() > endpoint.MaxReasoning {
		return t.endpoint.TooLong(fmt.Sprintf("the reasoning is longer than %d bytes", endpoint.MaxReasoning))
	}
	first := name == "reasoning_content" || t.reasoning["reasoning_content"] == nil
	if first {
		t.thoughtChars += utf8.RuneCountInString(piece)
	}
	if piece != "" && first {
		t.emit(llm.Delta{Reasoning: piece})
	}
	return nil
}

// addCall puts a fragment where it belongs: by its index; without one, to the last call unless
// it brings a new id. A new id under a used index is a new call too, since some gateways give
// every parallel call the index 0.
func (t *turn) addCall(f fragment) error {
	var c *call
	switch {
	case f.Index != nil:
		c = t.slots[*f.Index]
	case len(t.calls) > 0:
		c = t.calls[len(t.calls)-1]
	}
	if c == nil || f.ID != "" && c.id != "" && f.ID != c.id {
		if len(t.calls) == endpoint.MaxCalls {
			return t.endpoint.TooLong(fmt.Sprintf("there are more than %d tool calls", endpoint.MaxCalls))
		}
		c = &call{}
		t.calls = append(t.calls, c)
	}
	if f.Index != nil {
		t.slots[*f.Index] = c
	}
	if c.id == "" {
		c.id = f.ID
	}
	if f.Function.Name != c.name {
		c.name = endpoint.CapName(c.name + f.Function.Name)
	}
	piece, err := arguments(f.Function.Arguments, &c.joint)
	if err != nil {
		return t.endpoint.Bad("a tool call's arguments are no text")
	}
	c.arguments.WriteString(piece)
	t.argumentBytes += len(piece)
	if t.argumentBytes > endpoint.MaxArguments {
		return t.endpoint.TooLong("the tool calls are too long")
	}
	return nil
}

// content reads a string, null, or a list of parts of which the texts count.
func content(raw json.RawMessage, j *endpoint.Joint) (string, error) {
	if len(raw) == 0 || raw[0] == 'n' {
		return "", nil
	}
	if raw[0] != '[' {
		return j.Add(raw)
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", err
	}
	var out strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" {
			out.WriteString(p.Text)
		}
	}
	return out.String(), nil
}

// arguments reads a string, or a JSON value that a gateway forgot to put into one.
func arguments(raw json.RawMessage, j *endpoint.Joint) (string, error) {
	switch {
	case len(raw) == 0 || bytes.Equal(raw, []byte("null")):
		return "", nil
	case raw[0] == '"':
		return j.Add(raw)
	}
	return string(raw), nil
}

// response is the whole turn. A turn in which no choice ever came, or that broke off before its
// end, is an error.
func (t *turn) response() (llm.Response, error) {
	switch {
	case !t.choices:
		return llm.Response{}, t.endpoint.Bad("there is no choice in the response")
	case t.finish == "" && !t.completed:
		return llm.Response{}, t.endpoint.Incomplete("the stream ended before the response did")
	}
	if err := t.say(t.thought.End()); err != nil {
		return llm.Response{}, err
	}
	thought, text := endpoint.Unopened(t.text.String())
	t.thoughtChars += utf8.RuneCountInString(thought)
	msg := llm.Message{Role: llm.Assistant, Text: text}
	if msg.Text == "" && t.refusal.Len() > 0 {
		msg.Text = t.refusal.String()
		t.emit(llm.Delta{Text: msg.Text})
	}
	for _, c := range t.calls {
		msg.Calls = append(msg.Calls, llm.ToolCall{ID: t.ids.Assign(c.id), Name: c.name, Arguments: c.arguments.String()})
	}
	if len(t.reasoning) > 0 {
		state := map[string]string{}
		for name, b := range t.reasoning {
			state[name] = b.String()
		}
		raw, err := json.Marshal(state)
		if err != nil {
			return llm.Response{}, t.endpoint.Bad("the reasoning can't be kept")
		}
		msg.State = raw
	}
	return llm.Response{Message: msg, Finish: finish(t.finish, len(msg.Calls)), Usage: t.usage, Reasoning: t.thoughtChars}, nil
}

// finish maps the protocol's reasons. A reason that is missing, unknown or in conflict with the
// calls is decided by whether there are calls.
func finish(reason string, calls int) llm.Finish {
	switch {
	case reason == "length" || reason == "max_tokens":
		return llm.Length
	case reason == "content_filter":
		return llm.Filtered
	case calls > 0:
		return llm.CallTools
	}
	return llm.Stop
}
