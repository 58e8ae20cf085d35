package wire

import (
	"encoding/json"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
)

// Proof proves an entry of the ledger.
func Proof(p desk.Proved) api.Proof {
	return api.Proof{
		Entry: Entry(p.Entry), Index: p.Proof.Index, Hashes: List(p.Proof.Hashes), Checkpoint: p.Proof.Checkpoint, Key: string(p.Key),
	}
}

// Checkpoint is the state of a log.
func Checkpoint(g desk.Grown) api.Checkpoint {
	out := api.Checkpoint{Checkpoint: g.Checkpoint.Note, Size: g.Checkpoint.Tree.Size, Key: string(g.Key)}
	if g.Proof != nil {
		out.Consistency = &api.Consistency{From: g.Proof.From, Hashes: List(g.Proof.Hashes)}
	}
	return out
}

// Why is how a run came to what it says.
func Why(w desk.Why) api.Why {
	r := w.Run
	out := api.Why{
		RunID: string(r.ID), Actor: string(r.Actor), Kind: string(r.Kind), Goal: r.Goal, Route: string(r.Route), State: string(r.State),
		FinishReason: string(r.Reason), Engine: string(r.Model.Engine), Model: Model(r.Model), Answer: r.Answer.Text,
		Sections: api.Sections(r.Answer.Sections), Reduced: w.Reduced, Withheld: !w.Whole, Prompt: []api.Message{}, PromptHash: r.PromptHash,
		Exchanges: []api.Exchange{}, RecordingHash: r.TapeHash, RecordingsHold: w.TapeHolds,
		ToolCalls: Each(r.Calls, func(c run.Call) api.ToolCall {
			return api.ToolCall{CallID: c.ID, Tool: c.Tool, ArgsHash: c.ArgsHash, ResultHash: c.ResultHash, Code: c.Code}
		}),
		Evidence: []api.Evidence{}, Checks: Each(r.Checks, Check), States: Each(w.Moves, Event),
		Decisions: Each(w.Decisions, Entry), Entries: Each(w.Entries, Entry), Integrity: Integrity(w.Integrity),
		GoalNonce: w.GoalNonce, AnswerNonce: w.AnswerNonce,
	}
	for _, s := range w.Cited {
		out.Evidence = append(out.Evidence, Evidence(s, true))
	}
	for _, s := range w.Read {
		out.Evidence = append(out.Evidence, Evidence(s, false))
	}
	for i, t := range w.Tape {
		out.Exchanges = append(out.Exchanges, Exchange(i+1, t))
	}
	if w.Whole {
		for _, prompt := range run.Prompts(w.Tape) {
			if prompt != nil {
				out.Prompt = Each(prompt, Message)
			}
		}
	}
	if w.Ended != nil {
		p := Proof(*w.Ended)
		out.Proof = &p
	}
	return out
}

// Evidence is a piece of evidence, cited or not.
func Evidence(s desk.Source, cited bool) api.Evidence {
	if s.Withheld {
		return api.Evidence{Label: s.Ref, Cited: cited, Withheld: true}
	}
	span := Span(s.Span)
	return api.Evidence{
		Label: s.Ref, Cited: cited, DocumentID: string(s.Document), DocKey: string(s.Key), Title: s.Title, Version: s.Version, Status: string(s.Now),
		ChunkID: string(s.Chunk), Locator: Raw(s.Locator), Span: &span, Excerpt: s.Excerpt, Nonce: s.Nonce, ExcerptHash: s.Hash, Truncated: s.Truncated(),
		ReadAt: Moment(s.ReadAt),
	}
}

// Message is a message to or from a model.
func Message(m llm.Message) api.Message {
	return api.Message{Role: string(m.Role), Text: m.Text, CallID: m.CallID, Calls: Each(m.Calls, Requested)}
}

// Requested is a call that a model asked for.
func Requested(c llm.ToolCall) api.RequestedCall { return api.RequestedCall(c) }

// Exchange is one exchange with a model, by its number.
func Exchange(no int, t run.Recorded) api.Exchange {
	out := api.Exchange{No: no, Kind: "erased", Attempt: t.Attempt, Step: t.Step, Hash: t.Hash}
	switch {
	case t.Withheld:
		out.Kind = "withheld"
	case t.Resumed != nil:
		out.Kind, out.Lost = "resumed", List(t.Resumed.Lost)
	case t.Began != nil:
		out.Kind, out.Memory = "began", t.Began.Memory
	case t.Turn != nil:
		out.Kind, out.PromptHash, out.Kept, out.Failure = "model", t.Turn.Hash, t.Turn.Kept, string(t.Turn.Failure)
		out.Prompt = Each(t.Turn.Prompt, Message)
		if r := t.Turn.Response; r != nil {
			m := Message(r.Message)
			out.Response, out.Finish = &m, string(r.Finish)
		}
	case t.Judged != nil:
		out.Kind, out.Lost = "judged", List(t.Judged.Lost)
	case t.Tool != nil:
		o := t.Tool.Outcome
		out.Kind, out.Tool = "tool", o.Spec.Name
		if t.Tool.Call.Name == "" {
			break // withheld
		}
		call := Requested(t.Tool.Call)
		out.Call, out.Code = &call, "ok"
		if json.Valid(o.Result.Content) {
			out.Result = o.Result.Content
		}
		if o.Failure != nil {
			out.Code = string(o.Failure.Code)
		}
	}
	return out
}
