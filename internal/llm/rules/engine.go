// Package rules is the rule-based engine: a generator that plans searches, reads, and answers
// with sentences copied from what was read. It serves where no model is configured.
//
// It sees what a model sees, the messages, and nothing else. Each turn is a pure function of the
// request: the same messages give the same bytes. What passages and tool results say is data; it
// can raise or lower the rank of a sentence and do nothing more. It asks for two tools alone,
// names only references that it was given, and writes no sentence about a document that does not
// stand there word for word: only a line break inside a sentence becomes a space, and words lose the
// marks that make them strong.
package rules

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/llm"
)

// Name is the engine's name in Info.
const Name = "kaoju-rules"

// The two tools that the engine knows.
const (
	searchTool = "search_knowledge"
	readTool   = "read_document"
)

// Engine is the generator. The zero value is ready; it holds nothing.
type Engine struct{}

// New returns the engine.
func New() *Engine { return &Engine{} }

// Info names the engine. No host receives anything.
func (*Engine) Info() llm.Info { return llm.Info{Engine: llm.Rules, Name: Name} }

// Generate produces one turn: a tool call, or the answer. It reports no usage, since it has no
// tokens, and fails only when the context has ended.
func (*Engine) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	msg, finish, remarks := turn(observe(req))
	if emit != nil && msg.Text != "" {
		for line := range strings.SplitAfterSeq(msg.Text, "\n") {
			emit(llm.Delta{Text: line})
		}
	}
	return llm.Response{Message: msg, Finish: finish, Remarks: remarks}, nil
}

// turn decides what comes next.
func turn(v *view) (llm.Message, llm.Finish, []llm.Remark) {
	if v.summary && len(v.passages) > 0 {
		answer, remarks := summarize(v.question, v.passages)
		return say(answer), llm.Stop, remarks
	}
	q := understand(v.question, v.memory)
	if v.direct {
		return say(smallTalk(q)), llm.Stop, nil
	}
	f := find(q, v.passages)
	parts := q.parts(v.passages)
	if call, ok := plan(v, q, least(f, parts)); ok {
		call.ID = "rules_" + strconv.Itoa(v.calls+1)
		return llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{call}}, llm.CallTools, nil
	}
	answer, remarks := write(q, f, parts)
	return say(answer), llm.Stop, remarks
}

// least returns what is known least well: the finding to the whole question if it asks one thing, else that
// to a part which is not answered yet.
func least(f *finding, parts []part) *finding {
	if len(parts) > 0 && parts[0].among {
		parts = chosen(f, parts)
	}
	for i, p := range parts {
		if f = p.finding; !f.clear(p.question) || i == len(parts)-1 {
			break
		}
	}
	return f
}

func say(text string) llm.Message { return llm.Message{Role: llm.Assistant, Text: text} }

// toolCall makes a call with arguments in JSON.
func toolCall(name string, args map[string]any) llm.ToolCall {
	b, err := json.Marshal(args)
	if err != nil {
		panic("rules: a map of strings and numbers is always JSON: " + err.Error())
	}
	return llm.ToolCall{Name: name, Arguments: string(b)}
}
