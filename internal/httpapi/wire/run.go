package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/citation/lack"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
)

// Model is a model as its settings tell of it.
func Model(i llm.Info) api.Model {
	return api.Model{Configured: i.Engine == llm.Model, Name: i.Name, Host: i.Host, Remote: i.Remote}
}

// Health is how an endpoint last answered; nil if it was never asked.
func Health(h llm.Health) *api.ModelHealth {
	out := &api.ModelHealth{Condition: string(h.Condition)}
	if !h.Since.IsZero() {
		out.Since = &h.Since
	}
	return out
}

// Limits are the limits of a run.
func Limits(l run.Limits) api.Limits {
	return api.Limits{
		Steps: l.Steps, Repairs: l.Repairs, ToolCalls: l.ToolCalls, SearchPages: l.SearchPages, PageSize: l.PageSize,
		Documents: l.Documents, DocumentText: l.TextUnits, Window: l.WindowUnits, ContextChars: l.ContextChars,
		Tokens: Optional(l.Tokens), TotalMS: l.Total.Milliseconds(), RequestMS: l.Request.Milliseconds(),
	}
}

// Use is what a run has used of its limits.
func Use(u run.Use) api.Use {
	return api.Use{
		Steps: u.Steps, Repairs: u.Repairs, ToolCalls: u.ToolCalls, SearchPages: u.SearchPages,
		Documents: u.Documents, Text: u.Text, Tokens: u.Tokens, ElapsedMS: u.Elapsed.Milliseconds(),
	}
}

// Usage is what models were paid for; a null was not obtained.
func Usage(u run.Usage) api.Usage {
	return api.Usage{
		Calls: u.Calls, CallsWithUsage: u.CallsWithUsage, PromptTokens: u.Prompt, CompletionTokens: u.Completion,
		TotalTokens: u.Total, EstimatedTokens: u.Estimated, Messages: u.Messages, Characters: u.Characters, Cost: u.Cost,
	}
}

// Answer is what a run came to.
func Answer(a desk.Account) api.Answer {
	r := a.Run
	engine := r.Model.Engine
	if engine == "" {
		engine = llm.Rules
	}
	return api.Answer{
		RunID: string(r.ID), ConversationID: r.Conversation, State: string(r.State), FinishReason: string(r.Reason), Route: string(r.Route), Engine: string(engine),
		Answer: r.Answer.Text, Sections: api.Sections(r.Answer.Sections), Citations: Citations(a.Cited, r.Checks),
		Checks: Each(r.Checks, Check), Conflicts: Each(a.Conflicts, Conflict), Missing: List(r.Answer.Missing), Lacking: Each(r.Answer.Missing, func(line string) api.Lack { return lacking(engine, line) }), NeedsConfirmation: r.NeedsConfirm,
		Notices: List(r.Notices), Usage: Usage(r.Usage), Reduced: a.Reduced,
	}
}

// lacking is what a line says to be missing. Only the rule-based engine has phrases of its own for it.
func lacking(by llm.Engine, line string) api.Lack {
	l := lack.Lack{Code: lack.Other, About: line}
	if by == llm.Rules {
		l = lack.Read(line)
	}
	return api.Lack{Code: string(l.Code), About: l.About}
}

// Run is a run with its answer, limits and use.
func Run(a desk.Account) api.Run {
	r := a.Run
	return api.Run{
		Answer: Answer(a), Kind: string(r.Kind), Goal: r.Goal,
		Scope: api.RunScope{
			KnowledgeBaseIDs: Texts(r.Scope.Bases), DocKey: r.Scope.DocKey,
			UpdatedFrom: Moment(r.Scope.UpdatedFrom), UpdatedTo: Moment(r.Scope.UpdatedTo), AsOf: Moment(r.Scope.AsOf),
		},
		Model: Model(r.Model), Tools: List(r.Tools), Limits: Limits(r.Limits), Use: Use(r.Use),
		Attempt: r.Attempt, Step: r.Step, ReadNotCited: Citations(a.Read, nil), FoundNotRead: Each(a.Found, Found),
		CreatedAt: r.CreatedAt.UTC(), StartedAt: Moment(r.StartedAt), EndedAt: Moment(r.EndedAt), Integrity: Integrity(a.Integrity),
	}
}

// Integrity is what a run is held to; nil where nothing was held.
func Integrity(i *run.Integrity) *api.Integrity {
	if i == nil {
		return nil
	}
	return &api.Integrity{Verified: i.Verified(), Problems: List(i.Problems), Unproved: List(i.Unproved)}
}

// Citations are the sources of an answer, in its order.
func Citations(list []desk.Source, checks []citation.Check) []api.Citation {
	return Each(list, func(s desk.Source) api.Citation { return Citation(s, checks) })
}

// Citation is a source that an answer cites.
func Citation(s desk.Source, checks []citation.Check) api.Citation {
	if s.Withheld {
		return api.Citation{Label: s.Ref, Withheld: true}
	}
	return api.Citation{
		Label: s.Ref, DocumentID: string(s.Document), KnowledgeBaseID: string(s.KnowledgeBase), DocKey: string(s.Key), Title: s.Title, Version: s.Version,
		ChunkID: string(s.Chunk), ChunkIDs: Texts(s.Chunks), Locator: Raw(s.Locator), Span: Span(s.Span),
		SourceURI: s.SourceURI, Excerpt: s.Excerpt, Truncated: s.Truncated(), Status: string(s.Now), PublishedAt: Moment(s.Published),
		Quotes: Each(s.Quotes(checks), Quote),
	}
}

// Quote is what a check was decided by.
func Quote(q citation.Quote) api.Quote {
	return api.Quote{Text: q.Text, Span: Span(q.Span), Locator: Raw(q.Locator)}
}

// Conflict is a disagreement of two sources.
func Conflict(c desk.Conflict) api.Conflict {
	return api.Conflict{Kind: c.Kind, Sides: Each(c.Sides[:], func(s desk.Side) api.Side {
		return api.Side{
			Label: s.Ref, DocumentID: string(s.Document), KnowledgeBaseID: string(s.KnowledgeBase), DocKey: string(s.Key), Title: s.Title, Version: s.Version, Status: string(s.Now),
			PublishedAt: Moment(s.Published), Quote: Quote(s.Quote),
		}
	})}
}

// Found is what was found and not read.
func Found(f desk.Found) api.Found {
	return api.Found{DocumentID: string(f.Document), Title: f.Title, Version: f.Version, ChunkID: string(f.Chunk)}
}

// Check is the check of a sentence.
func Check(c citation.Check) api.Check {
	return api.Check{
		Sentence: c.Sentence, Labels: List(c.Labels), Verdict: string(c.Verdict), DecidedBy: c.DecidedBy, Quote: c.Quote,
		Score: c.Score, Reasons: Each(c.Reasons, func(r citation.Reason) api.Reason { return api.Reason(r) }),
	}
}

// Source is a source that was opened.
func Source(o desk.Opened) api.Source {
	e := o.Evidence
	return api.Source{
		RunID: string(o.Run), Ref: e.Ref, Cited: o.Cited, DocumentID: string(e.Document), KnowledgeBaseID: string(e.KnowledgeBase),
		DocKey: string(e.Key), Title: e.Title, Version: e.Version, ChunkID: string(e.Chunk), ChunkIDs: Texts(e.Chunks),
		Locator: Raw(e.Locator), Span: Span(e.Span), SourceURI: e.SourceURI, Excerpt: e.Excerpt, ExcerptHash: e.Hash, Nonce: e.Nonce,
		TruncatedBefore: e.TruncatedBefore, TruncatedAfter: e.TruncatedAfter, Truncated: e.Truncated(),
		StatusThen: string(e.Status), ReadAt: e.ReadAt.UTC(), Integrity: *Integrity(&o.Integrity),
		Current: api.Current{
			Status: string(o.Current.Status), Version: Optional(o.Current.Version),
			DocumentID: Optional(string(o.Current.Document)), Change: Optional(string(o.Current.Change)), Span: optionalSpan(o.Current.Span),
			Lines: Each(o.Current.Lines, Line), Numbers: Each(o.Current.Numbers, Number),
		},
	}
}
