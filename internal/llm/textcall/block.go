package textcall

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kaoju/kaoju/internal/llm"
)

// maxCalls bounds the calls of one turn.
const maxCalls = 32

// write puts the calls of a message behind its text, as the model itself wrote them.
func (m marks) write(msg llm.Message) string {
	var b strings.Builder
	b.WriteString(msg.Text)
	for _, c := range msg.Calls {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		arguments := json.RawMessage(c.Arguments)
		if !json.Valid(arguments) || strings.Contains(c.Arguments, end) {
			arguments, _ = json.Marshal(c.Arguments)
		}
		name, _ := json.Marshal(c.Name)
		b.WriteString(m.open() + "\n" + `{"name": ` + string(name) + `, "arguments": ` + string(arguments) + "}\n" + end)
	}
	return b.String()
}

// read takes the calls off the end of a model's text. Text in which no line is this run's fence
// holds none. A block that is not as it must be is a call whose arguments are no JSON, so that the
// executor refuses it and the model is told.
func (m marks) read(text string, req llm.Request) (string, []llm.ToolCall) {
	before, rest, found := cutLine(text, m.open())
	if !found {
		return text, nil
	}
	var calls []llm.ToolCall
	for found {
		var body string
		body, rest, found = cutLine(rest, end)
		if !found || len(calls) == maxCalls {
			calls = append(calls, broken(body, req))
			break
		}
		call, err := parse(body)
		if err != nil {
			call = broken(body, req)
		}
		calls = append(calls, call)
		var between string
		between, rest, found = cutLine(rest, m.open())
		if strings.TrimSpace(between) != "" {
			// Something was written after a call. What it was meant to be can't be told.
			return strings.TrimSpace(before), []llm.ToolCall{broken("", req)}
		}
	}
	number(calls, req)
	return strings.TrimSpace(before), calls
}

// cutLine cuts a text around the first line that equals mark but for white space at its end.
func cutLine(text, mark string) (before, after string, found bool) {
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if strings.TrimRight(line, " \t\r") == mark {
			return text[:at], text[min(len(text), at+len(line)+1):], true
		}
		at += len(line) + 1
	}
	return text, "", false
}

// parse reads a block: one JSON object with exactly a name and arguments, which are an object.
func parse(body string) (llm.ToolCall, error) {
	dec := json.NewDecoder(strings.NewReader(body))
	fields := map[string]json.RawMessage{}
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return llm.ToolCall{}, errors.New("no object")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return llm.ToolCall{}, err
		}
		name, _ := key.(string)
		if _, twice := fields[name]; twice || name != "name" && name != "arguments" {
			return llm.ToolCall{}, fmt.Errorf("the field %q does not belong there", name)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return llm.ToolCall{}, err
		}
		fields[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return llm.ToolCall{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return llm.ToolCall{}, errors.New("there is more than one value")
	}
	var call llm.ToolCall
	if err := json.Unmarshal(fields["name"], &call.Name); err != nil || call.Name == "" {
		return llm.ToolCall{}, errors.New("there is no name")
	}
	arguments := bytes.TrimSpace(fields["arguments"])
	if len(arguments) == 0 || arguments[0] != '{' {
		return llm.ToolCall{}, errors.New("the arguments are no object")
	}
	call.Arguments = string(arguments)
	return call, nil
}

// broken stands for a block that can't be read. It names the first tool that was offered, whose
// arguments it can't be: what is valid JSON is left out.
func broken(body string, req llm.Request) llm.ToolCall {
	call := llm.ToolCall{Arguments: strings.TrimSpace(body)}
	if json.Valid([]byte(call.Arguments)) {
		call.Arguments = ""
	}
	if len(req.Tools) > 0 {
		call.Name = req.Tools[0].Name
	}
	return call
}

// number gives the calls ids that the conversation does not hold yet.
func number(calls []llm.ToolCall, req llm.Request) {
	n := 0
	for _, m := range req.Messages {
		n += len(m.Calls)
	}
	for i := range calls {
		calls[i].ID = fmt.Sprintf("text_call_%d", n+i+1)
	}
}
