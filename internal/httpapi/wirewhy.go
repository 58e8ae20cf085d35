package httpapi

import (
	"encoding/json"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
)

func wireProof(p desk.Proved) api.Proof {
	return api.Proof{
		Entry: wireEntry(p.Entry), Index: p.Proof.Index, Hashes: list(p.Proof.Hashes), Checkpoint: p.Proof.Checkpoint, Key: string(p.Key),
	}
}

func wireCheckpoint(g desk.Grown) api.Checkpoint {
	out := api.Checkpoint{Checkpoint: g.Checkpoint.Note, Size: g.Checkpoint.Tree.Size, Key: string(g.Key)}
	if g.Proof != nil {
		out.Consistency = &api.Consistency{From: g.Proof.From, Hashes: list(g.Proof.Hashes)}
	}
	return out
}

func wireWhy(w desk.Why) api.Why {
	r := w.Run
	out := api.Why{
		RunID: string(r.ID), Actor: string(r.Actor), Kind: string(r.Kind), Goal: r.Goal, Route: string(r.Route), State: string(r.State),
		FinishReason: string(r.Reason), Engine: string(r.Model.Engine), Model: wireModel(r.Model), Answer: r.Answer.Text,
		Sections: api.Sections(r.Answer.Sections), Reduced: w.Reduced, Withheld: !w.Whole, Prompt: []api.Message{}, PromptHash: r.PromptHash,
		Exchanges: []api.Exchange{}, RecordingHash: r.TapeHash, RecordingsHold: w.TapeHolds,
		ToolCalls: each(r.Calls, func(c run.Call) api.ToolCall {
			return api.ToolCall{CallID: c.ID, Tool: c.Tool, ArgsHash: c.ArgsHash, ResultHash: c.ResultHash, Code: c.Code}
		}),
		Evidence: []api.Evidence{}, Checks: each(r.Checks, wireCheck), States: each(w.Moves, wireEvent),
		Decisions: each(w.Decisions, wireEntry), Entries: each(w.Entries, wireEntry), Integrity: wireIntegrity(w.Integrity),
		GoalNonce: w.GoalNonce, AnswerNonce: w.AnswerNonce,
	}
	for _, s := range w.Cited {
		out.Evidence = append(out.Evidence, wireEvidence(s, true))
	}
	for _, s := range w.Read {
		out.Evidence = append(out.Evidence, wireEvidence(s, false))
	}
	for i, t := range w.Tape {
		out.Exchanges = append(out.Exchanges, wireExchange(i+1, t))
	}
	if w.Whole {
		for _, prompt := range run.Prompts(w.Tape) {
			if prompt != nil {
				out.Prompt = each(prompt, wireMessage)
			}
		}
	}
	if w.Ended != nil {
		p := wireProof(*w.Ended)
		out.Proof = &p
	}
	return out
}

func wireEvidence(s desk.Source, cited bool) api.Evidence {
	if s.Withheld {
		return api.Evidence{Label: s.Ref, Cited: cited, Withheld: true}
	}
	span := wireSpan(s.Span)
	return api.Evidence{
		Label: s.Ref, Cited: cited, DocumentID: string(s.Document), DocKey: string(s.Key), Title: s.Title, Version: s.Version, Status: string(s.Now),
		ChunkID: string(s.Chunk), Locator: raw(s.Locator), Span: &span, Excerpt: s.Excerpt, Nonce: s.Nonce, ExcerptHash: s.Hash, Truncated: s.Truncated(),
		ReadAt: moment(s.ReadAt),
	}
}

func wireMessage(m llm.Message) api.Message {
	return api.Message{Role: string(m.Role), Text: m.Text, CallID: m.CallID, Calls: each(m.Calls, wireRequested)}
}

func wireRequested(c llm.ToolCall) api.RequestedCall { return api.RequestedCall(c) }

func wireExchange(no int, t run.Recorded) api.Exchange {
	out := api.Exchange{No: no, Kind: "erased", Attempt: t.Attempt, Step: t.Step, Hash: t.Hash}
	switch {
	case t.Resumed != nil:
		out.Kind, out.Lost = "resumed", list(t.Resumed.Lost)
	case t.Began != nil:
		out.Kind, out.Memory = "began", t.Began.Memory
	case t.Turn != nil:
		out.Kind, out.PromptHash, out.Kept, out.Failure = "model", t.Turn.Hash, t.Turn.Kept, string(t.Turn.Failure)
		out.Prompt = each(t.Turn.Prompt, wireMessage)
		if r := t.Turn.Response; r != nil {
			m := wireMessage(r.Message)
			out.Response, out.Finish = &m, string(r.Finish)
		}
	case t.Judged != nil:
		out.Kind, out.Lost = "judged", list(t.Judged.Lost)
	case t.Tool != nil:
		o := t.Tool.Outcome
		out.Kind, out.Tool = "tool", o.Spec.Name
		if t.Tool.Call.Name == "" {
			break // withheld
		}
		call := wireRequested(t.Tool.Call)
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
