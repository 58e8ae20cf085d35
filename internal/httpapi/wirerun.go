package httpapi

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
)

func wireModel(i llm.Info) api.Model {
	return api.Model{Configured: i.Engine == llm.Model, Name: i.Name, Host: i.Host, Remote: i.Remote}
}

func wireHealth(h llm.Health) *api.ModelHealth {
	out := &api.ModelHealth{Condition: string(h.Condition)}
	if !h.Since.IsZero() {
		out.Since = &h.Since
	}
	return out
}

func wireLimits(l run.Limits) api.Limits {
	return api.Limits{
		Steps: l.Steps, Repairs: l.Repairs, ToolCalls: l.ToolCalls, SearchPages: l.SearchPages, PageSize: l.PageSize,
		Documents: l.Documents, DocumentText: l.TextUnits, Window: l.WindowUnits, ContextChars: l.ContextChars,
		Tokens: optional(l.Tokens), TotalMS: l.Total.Milliseconds(), RequestMS: l.Request.Milliseconds(),
	}
}

func wireUse(u run.Use) api.Use {
	return api.Use{
		Steps: u.Steps, Repairs: u.Repairs, ToolCalls: u.ToolCalls, SearchPages: u.SearchPages,
		Documents: u.Documents, Text: u.Text, Tokens: u.Tokens, ElapsedMS: u.Elapsed.Milliseconds(),
	}
}

func wireUsage(u run.Usage) api.Usage {
	return api.Usage{
		Calls: u.Calls, CallsWithUsage: u.CallsWithUsage, PromptTokens: u.Prompt, CompletionTokens: u.Completion,
		TotalTokens: u.Total, EstimatedTokens: u.Estimated, Messages: u.Messages, Characters: u.Characters, Cost: u.Cost,
	}
}

func wireAnswer(a desk.Account) api.Answer {
	r := a.Run
	engine := r.Model.Engine
	if engine == "" {
		engine = llm.Rules
	}
	return api.Answer{
		RunID: string(r.ID), ConversationID: r.Conversation, State: string(r.State), FinishReason: string(r.Reason), Route: string(r.Route), Engine: string(engine),
		Answer: r.Answer.Text, Sections: api.Sections(r.Answer.Sections), Citations: citations(a.Cited, r.Checks),
		Checks: each(r.Checks, wireCheck), Conflicts: each(a.Conflicts, wireConflict), Missing: list(r.Answer.Missing), NeedsConfirmation: r.NeedsConfirm,
		Notices: list(r.Notices), Usage: wireUsage(r.Usage), Reduced: a.Reduced,
	}
}

func wireRun(a desk.Account) api.Run {
	r := a.Run
	return api.Run{
		Answer: wireAnswer(a), Kind: string(r.Kind), Goal: r.Goal,
		Scope: api.RunScope{
			KnowledgeBaseIDs: texts(r.Scope.Bases), DocKey: r.Scope.DocKey,
			UpdatedFrom: moment(r.Scope.UpdatedFrom), UpdatedTo: moment(r.Scope.UpdatedTo), AsOf: moment(r.Scope.AsOf),
		},
		Model: wireModel(r.Model), Tools: list(r.Tools), Limits: wireLimits(r.Limits), Use: wireUse(r.Use),
		Attempt: r.Attempt, Step: r.Step, ReadNotCited: citations(a.Read, nil), FoundNotRead: each(a.Found, wireFound),
		CreatedAt: r.CreatedAt.UTC(), StartedAt: moment(r.StartedAt), EndedAt: moment(r.EndedAt), Integrity: wireIntegrity(a.Integrity),
	}
}

func wireIntegrity(i *run.Integrity) *api.Integrity {
	if i == nil {
		return nil
	}
	return &api.Integrity{Verified: i.Verified(), Problems: list(i.Problems), Unproved: list(i.Unproved)}
}

func citations(list []desk.Source, checks []citation.Check) []api.Citation {
	return each(list, func(s desk.Source) api.Citation { return wireCitation(s, checks) })
}

func wireCitation(s desk.Source, checks []citation.Check) api.Citation {
	if s.Withheld {
		return api.Citation{Label: s.Ref, Withheld: true}
	}
	return api.Citation{
		Label: s.Ref, DocumentID: string(s.Document), KnowledgeBaseID: string(s.KnowledgeBase), DocKey: string(s.Key), Title: s.Title, Version: s.Version,
		ChunkID: string(s.Chunk), ChunkIDs: texts(s.Chunks), Locator: raw(s.Locator), Span: wireSpan(s.Span),
		SourceURI: s.SourceURI, Excerpt: s.Excerpt, Truncated: s.Truncated(), Status: string(s.Now),
		Quotes: each(s.Quotes(checks), wireQuote),
	}
}

func wireQuote(q citation.Quote) api.Quote {
	return api.Quote{Text: q.Text, Span: wireSpan(q.Span), Locator: raw(q.Locator)}
}

func wireConflict(c desk.Conflict) api.Conflict {
	return api.Conflict{Kind: c.Kind, Sides: each(c.Sides[:], func(s desk.Side) api.Side {
		return api.Side{
			Label: s.Ref, DocumentID: string(s.Document), KnowledgeBaseID: string(s.KnowledgeBase), DocKey: string(s.Key), Title: s.Title, Version: s.Version, Status: string(s.Now),
			PublishedAt: moment(s.Published), Quote: wireQuote(s.Quote),
		}
	})}
}

func wireFound(f desk.Found) api.Found {
	return api.Found{DocumentID: string(f.Document), Title: f.Title, Version: f.Version, ChunkID: string(f.Chunk)}
}

func wireCheck(c citation.Check) api.Check {
	return api.Check{
		Sentence: c.Sentence, Labels: list(c.Labels), Verdict: string(c.Verdict), DecidedBy: c.DecidedBy, Quote: c.Quote,
		Score: c.Score, Reasons: each(c.Reasons, func(r citation.Reason) api.Reason { return api.Reason(r) }),
	}
}

func wireSource(o desk.Opened) api.Source {
	e := o.Evidence
	return api.Source{
		RunID: string(o.Run), Ref: e.Ref, Cited: o.Cited, DocumentID: string(e.Document), KnowledgeBaseID: string(e.KnowledgeBase),
		DocKey: string(e.Key), Title: e.Title, Version: e.Version, ChunkID: string(e.Chunk), ChunkIDs: texts(e.Chunks),
		Locator: raw(e.Locator), Span: wireSpan(e.Span), SourceURI: e.SourceURI, Excerpt: e.Excerpt, ExcerptHash: e.Hash, Nonce: e.Nonce,
		TruncatedBefore: e.TruncatedBefore, TruncatedAfter: e.TruncatedAfter, Truncated: e.Truncated(),
		StatusThen: string(e.Status), ReadAt: e.ReadAt.UTC(), Integrity: *wireIntegrity(&o.Integrity),
		Current: api.Current{
			Status: string(o.Current.Status), Version: optional(o.Current.Version),
			DocumentID: optional(string(o.Current.Document)), Change: optional(string(o.Current.Change)), Span: optionalSpan(o.Current.Span),
			Lines: each(o.Current.Lines, wireLine), Numbers: each(o.Current.Numbers, wireNumber),
		},
	}
}
