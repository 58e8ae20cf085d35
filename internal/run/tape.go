package run

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/tool"
)

// packed turns a recording into its record.
func packed(r Recording) tapeRecord {
	out := tapeRecord{V: tapeVersion, Attempt: r.Attempt, Step: r.Step}
	if s := r.Resumed; s != nil {
		u := s.Use
		out.Resumed = &resumeTape{
			Model: modelTape(s.Model), Lost: s.Lost, Found: s.Found, Requests: s.Requests, PromptHash: s.PromptHash, Notices: s.Notices,
			Use: useTape{u.Steps, u.Repairs, u.ToolCalls, u.SearchPages, u.Documents, u.Text, u.Tokens},
		}
	}
	if b := r.Began; b != nil {
		out.Began = &beganTape{Model: modelTape(b.Model), Memory: b.Memory, Notices: b.Notices}
		if b.Verifier != (llm.Info{}) {
			out.Began.Verifier = (*modelTape)(&b.Verifier)
		}
	}
	if t := r.Turn; t != nil {
		out.Turn = &turnTape{Kept: t.Kept, Prompt: each(t.Prompt, packMessage), Hash: t.Hash, Model: modelTape(t.Model), Failure: t.Failure}
		out.Turn.Tools = each(t.Tools, func(s llm.ToolSpec) specTape { return specTape{s.Name, s.Description, string(s.Schema)} })
		if p := t.Response; p != nil {
			out.Turn.Response = &responseTape{
				Message: packMessage(p.Message), Finish: p.Finish, Usage: (*usageTape)(p.Usage),
				Attempts: each(p.Attempts, func(a llm.Attempt) attemptTape { return attemptTape(a) }), Reasoning: p.Reasoning,
				Remarks: each(p.Remarks, func(m llm.Remark) remarkTape { return remarkTape(m) }),
			}
		}
	}
	if t := r.Tool; t != nil {
		out.Tool = packResult(t)
	}
	out.Judged = (*judgedTape)(r.Judged)
	return out
}

// recording turns a record into the recording that it is of.
func (r tapeRecord) recording() (Recording, error) {
	out := Recording{Attempt: r.Attempt, Step: r.Step}
	if s := r.Resumed; s != nil {
		out.Resumed = s.resumed()
	}
	if b := r.Began; b != nil {
		out.Began = &Began{Model: llm.Info(b.Model), Memory: b.Memory, Notices: b.Notices}
		if b.Verifier != nil {
			out.Began.Verifier = llm.Info(*b.Verifier)
		}
	}
	if t := r.Turn; t != nil {
		out.Turn = &Turn{Kept: t.Kept, Prompt: each(t.Prompt, messageTape.message), Hash: t.Hash, Model: llm.Info(t.Model), Failure: t.Failure}
		out.Turn.Tools = each(t.Tools, func(s specTape) llm.ToolSpec {
			return llm.ToolSpec{Name: s.Name, Description: s.Description, Schema: text(s.Schema)}
		})
		if p := t.Response; p != nil {
			out.Turn.Response = &llm.Response{
				Message: p.Message.message(), Finish: p.Finish, Usage: (*llm.Usage)(p.Usage),
				Attempts: each(p.Attempts, func(a attemptTape) llm.Attempt { return llm.Attempt(a) }), Reasoning: p.Reasoning,
				Remarks: each(p.Remarks, func(m remarkTape) llm.Remark { return llm.Remark(m) }),
			}
		}
	}
	out.Judged = (*Judged)(r.Judged)
	if r.Tool == nil {
		return out, nil
	}
	var err error
	out.Tool, err = r.Tool.result()
	return out, err
}

func (s resumeTape) resumed() *Resumed {
	u := s.Use
	return &Resumed{
		Model: llm.Info(s.Model), Lost: s.Lost, Found: s.Found, Requests: s.Requests, PromptHash: s.PromptHash, Notices: s.Notices,
		Use: Use{
			Steps: u.Steps, Repairs: u.Repairs, ToolCalls: u.ToolCalls, SearchPages: u.SearchPages, Documents: u.Documents, Text: u.Text, Tokens: u.Tokens,
		},
	}
}

func packMessage(m llm.Message) messageTape {
	return messageTape{m.Role, m.Text, each(m.Calls, func(c llm.ToolCall) callTape { return callTape(c) }), m.CallID, string(m.State)}
}

func (m messageTape) message() llm.Message {
	return llm.Message{
		Role: m.Role, Text: m.Text, Calls: each(m.Calls, func(c callTape) llm.ToolCall { return llm.ToolCall(c) }), CallID: m.CallID, State: text(m.State),
	}
}

func packResult(t *ToolCall) *resultTape {
	o := t.Outcome
	out := &resultTape{
		Call: callTape(t.Call), Name: o.Spec.Name, Sensitivity: o.Spec.Sensitivity, Args: string(o.Args), Stripped: o.Stripped, Tries: o.Tries,
		Content: string(o.Result.Content), Search: (*searchTape)(o.Result.Search), Passages: each(o.Result.Passages, packPassage),
	}
	if f := o.Failure; f != nil {
		out.Failure = &failureTape{f.Code, f.Detail}
	}
	for _, h := range o.Result.Hits {
		hit := hitTape{h.Document, h.Version, h.Title, h.Chunk, pair(h.Span), h.Versions, nil}
		if h.Passage.Document != "" {
			p := packPassage(h.Passage)
			hit.Passage = &p
		}
		out.Hits = append(out.Hits, hit)
	}
	return out
}

func (r resultTape) result() (*ToolCall, error) {
	o := tool.Outcome{Spec: tool.Spec{Name: r.Name, Sensitivity: r.Sensitivity}, Stripped: r.Stripped, Tries: r.Tries}
	o.Args, o.Result.Content = text(r.Args), text(r.Content)
	o.Result.Search = (*tool.Search)(r.Search)
	if r.Failure != nil {
		o.Failure = &tool.Failure{Code: r.Failure.Code, Detail: r.Failure.Detail}
	}
	for _, p := range r.Passages {
		passage, err := p.passage()
		if err != nil {
			return nil, err
		}
		o.Result.Passages = append(o.Result.Passages, passage)
	}
	for _, h := range r.Hits {
		hit := tool.Hit{Document: h.Document, Version: h.Version, Title: h.Title, Chunk: h.Chunk, Span: span(h.Span), Versions: h.Versions}
		if h.Passage != nil {
			passage, err := h.Passage.passage()
			if err != nil {
				return nil, err
			}
			hit.Passage = passage
		}
		o.Result.Hits = append(o.Result.Hits, hit)
	}
	return &ToolCall{llm.ToolCall(r.Call), o}, nil
}

func packPassage(p corpus.Passage) passageTape {
	return passageTape{
		Document: p.Document, KnowledgeBase: p.KnowledgeBase, BaseName: p.BaseName, Key: p.Key, Version: p.Version, Status: p.Status, Title: p.Title,
		SourceURI: p.SourceURI, Chunk: p.Chunk, Chunks: p.Chunks, Locator: packLocator(p.Locator), Span: pair(p.Span), Text: p.Text,
		Segments: each(p.Segments, func(s corpus.Segment) segmentTape { return segmentTape{pair(s.Span), packLocator(s.Locator)} }),
		Context:  p.Context, TruncatedBefore: p.TruncatedBefore, TruncatedAfter: p.TruncatedAfter,
	}
}

func (p passageTape) passage() (out corpus.Passage, err error) {
	out = corpus.Passage{
		Document: p.Document, KnowledgeBase: p.KnowledgeBase, BaseName: p.BaseName, Key: p.Key, Version: p.Version, Status: p.Status, Title: p.Title,
		SourceURI: p.SourceURI, Chunk: p.Chunk, Chunks: p.Chunks, Span: span(p.Span), Text: p.Text, Context: p.Context,
		TruncatedBefore: p.TruncatedBefore, TruncatedAfter: p.TruncatedAfter,
	}
	if out.Locator, err = locator(p.Locator); err != nil {
		return out, err
	}
	for _, s := range p.Segments {
		l, err := locator(s.Locator)
		if err != nil {
			return out, err
		}
		out.Segments = append(out.Segments, corpus.Segment{Span: span(s.Span), Locator: l})
	}
	return out, nil
}

// A locator's JSON is fixed by the product's contract, so that it is stored as it is.
func packLocator(l corpus.Locator) json.RawMessage {
	if l == nil {
		return nil
	}
	b, err := json.Marshal(l)
	if err != nil {
		return json.RawMessage("!") // makes the record around it one that can't be written either
	}
	return b
}

func locator(raw json.RawMessage) (corpus.Locator, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	return corpus.ParseLocator(raw)
}

func pair(s corpus.Span) [2]int { return [2]int{s.Start, s.End} }
func span(p [2]int) corpus.Span { return corpus.Span{Start: p[0], End: p[1]} }

// each converts a list; nil stays nil.
func each[T, U any](list []T, convert func(T) U) []U {
	if list == nil {
		return nil
	}
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

// text is JSON that was kept as text, to the byte; nil if there was none.
func text(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}
