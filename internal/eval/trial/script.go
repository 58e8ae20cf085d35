package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
)

// script is a model that makes the calls of a case, one a turn, and then says its reply. It is a
// generator like any other: what it asks for goes through the loop, the limits and the executor.
type script struct{ c eval.Case }

// Info implements llm.Generator.
func (script) Info() llm.Info { return llm.Info{Engine: llm.Model, Name: "evaluation-script"} }

// noMore is what a script says that has nothing of its own to say.
const noMore = "INSUFFICIENT_EVIDENCE\n- —"

// Generate implements llm.Generator. The turn is told by the calls that were made before it.
func (s script) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	made := 0
	for _, m := range req.Messages {
		if m.Role == llm.Assistant {
			made += len(m.Calls)
		}
	}
	if made < len(s.c.Calls) {
		call := s.c.Calls[made]
		message := llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{
			ID: callID(made), Name: call.Tool, Arguments: withHits(call.Arguments, req.Messages),
		}}}
		return llm.Response{Message: message, Finish: llm.CallTools}, nil
	}
	text := s.c.Reply
	if text == "" {
		text = noMore
	}
	if emit != nil {
		emit(llm.Delta{Text: text})
	}
	return llm.Response{Message: llm.Message{Role: llm.Assistant, Text: text}, Finish: llm.Stop}, nil
}

func callID(i int) string { return fmt.Sprintf("eval_%d", i+1) }

// withHits puts the ids of the documents that the last search found in the place of "hit:1",
// "hit:2" …, which a file can name before it knows them.
func withHits(arguments string, messages []llm.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		var found struct {
			Hits []struct {
				Document string `json:"document_id"`
			} `json:"hits"`
		}
		if messages[i].Role != llm.Tool || json.Unmarshal([]byte(messages[i].Text), &found) != nil || len(found.Hits) == 0 {
			continue
		}
		for n, h := range found.Hits {
			arguments = strings.ReplaceAll(arguments, fmt.Sprintf(`"hit:%d"`, n+1), fmt.Sprintf("%q", h.Document))
		}
		return arguments
	}
	return arguments
}

// script runs the case with its scripted model and judges the calls.
func (y *try) script(ctx context.Context) {
	runner, done := y.Scripted(script{y.c})
	defer done()
	if !y.ask(ctx, runner) {
		return
	}
	account, err := y.Reader.Run(ctx, y.actor, y.run)
	if err != nil {
		y.broke("the run can't be read", err)
		return
	}
	y.ended(account.Run, y.c.Wants)
	y.secrets(ctx, account)
	events, err := y.Events.After(ctx, string(y.run), 0, 10000)
	if err != nil {
		y.broke("the events can't be read", err)
		return
	}
	y.calls(events)
	y.trace(ctx)
}

// calls holds what came of each call against what the case expects.
func (y *try) calls(events []event.Event) {
	codes, stripped := map[string]string{}, map[string]int{}
	for _, c := range retell(events).calls {
		codes[c.ID] = c.Code
	}
	for _, e := range events {
		var d struct {
			ID string `json:"call_id"`
			N  int    `json:"stripped"`
		}
		if e.Type == event.ToolStarted && json.Unmarshal(e.Data, &d) == nil {
			stripped[d.ID] = d.N
		}
	}
	for i, want := range y.c.Calls {
		id := callID(i)
		code, made := codes[id]
		switch {
		case !made:
			y.fault(eval.Tools, "call_not_made", "the run ended before call %d, %s", i+1, want.Tool)
		case code != want.Code:
			y.fault(eval.Tools, "code", "call %d, %s, came to %s, not %s", i+1, want.Tool, code, want.Code)
		case stripped[id] != want.Stripped:
			y.fault(eval.Tools, "identity", "%d identity fields were taken out of call %d, not %d", stripped[id], i+1, want.Stripped)
		}
	}
}
