package httpapi

import (
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// list makes an absent list an empty one.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// each turns a list into wire form.
func each[T, U any](in []T, fn func(T) U) []U {
	out := make([]U, len(in))
	for i, v := range in {
		out[i] = fn(v)
	}
	return out
}

func texts[T ~string](in []T) []string { return each(in, func(v T) string { return string(v) }) }

// moment is a time that may be absent.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// raw marshals a value whose JSON form its own package defines; null if that fails.
func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

func optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

func wireSpan(s corpus.Span) api.Span { return api.Span{Start: s.Start, End: s.End} }

func wireBase(b desk.Base) api.KnowledgeBase {
	return api.KnowledgeBase{
		ID: string(b.ID), Name: b.Name, Publishing: string(b.Publishing), Role: b.Level.String(),
		LockVersion: b.LockVersion, CreatedAt: b.CreatedAt.UTC(),
	}
}

func wireGrants(b desk.Base) api.Grants {
	return api.Grants{Grants: each(b.Grants, func(g access.Grant) api.Grant {
		return api.Grant{Principal: string(g.Principal), Role: g.Level.String()}
	})}
}

func wireDocument(d desk.Document) api.Document {
	out := api.Document{
		ID: string(d.ID), TenantID: string(d.Tenant), KnowledgeBaseID: string(d.KnowledgeBase), DocKey: string(d.Key),
		Title: d.Title, Version: d.Version, Status: string(d.Status), SourceURI: d.SourceURI,
		Checksum: string(d.Checksum), MediaType: d.MediaType, Language: d.Language, Size: d.Size,
		Labels: list(d.Labels), Notices: list(d.Notices), ChunkCount: d.ChunkCount, CharCount: d.CharCount,
		LockVersion: d.LockVersion, CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(), PublishedAt: moment(d.PublishedAt),
	}
	if d.Level >= access.Editor {
		out.AccessPolicy = raw(d.Policy)
	}
	return out
}

func wireJob(j queue.Job) api.Job {
	out := api.Job{
		ID: j.ID, State: string(j.State), Stage: j.Stage, Done: j.Done, Total: j.Total, Attempt: j.Attempt,
		DocumentID: j.Subject, Notices: list(j.Notices), CreatedAt: j.CreatedAt.UTC(), UpdatedAt: j.UpdatedAt.UTC(),
	}
	if j.Code != "" {
		out.Error = &api.JobError{Code: j.Code, Detail: j.Detail}
	}
	return out
}

func wireChunk(c corpus.Chunk) api.Chunk {
	return api.Chunk{
		ID: string(c.ID), ChunkNo: c.No, Text: c.Full(), Context: c.Context, HeadingPath: list(c.HeadingPath),
		Locator: raw(c.Locator), Span: wireSpan(c.Span),
		Segments: each(c.Segments, func(s corpus.Segment) api.Segment {
			return api.Segment{Span: wireSpan(s.Span), Locator: raw(s.Locator)}
		}),
	}
}

func wireResult(r retrieval.Result) api.SearchResult {
	out := api.SearchResult{
		Items: each(r.Hits, wireHit), TookMS: float64(r.Took.Microseconds()) / 1000, Legs: list(r.Legs),
		Skipped: each(r.Skipped, func(s retrieval.Skipped) api.SkippedLeg { return api.SkippedLeg{Leg: s.Leg, Reason: string(s.Reason)} }),
	}
	if r.Usage != nil {
		out.RerankTokens = r.Usage.Total
	}
	return out
}

func wireHit(h retrieval.Hit) api.Hit {
	return api.Hit{
		ChunkID: string(h.Chunk), DocumentID: string(h.Document.ID), KnowledgeBaseID: string(h.Document.KnowledgeBase),
		DocKey: string(h.Document.Key), Title: h.Document.Title, Version: h.Document.Version,
		HeadingPath: list(h.HeadingPath), Locator: raw(h.Locator), Span: wireSpan(h.Span), Snippet: h.Snippet, Score: h.Score,
		Ranks:   api.Ranks{Keyword: optional(h.Ranks.Keyword), Semantic: optional(h.Ranks.Semantic), Rerank: optional(h.Ranks.Rerank)},
		Matched: list(h.Matched),
	}
}

func wireEvent(e event.Event) api.Event {
	data := e.Data
	if len(data) == 0 {
		data = json.RawMessage("{}")
	}
	return api.Event{
		V: 1, ID: e.ID(), Sequence: e.Sequence, RunID: e.RunID, Type: string(e.Type), Time: e.Time.UTC(), Attempt: e.Attempt, Data: data,
	}
}

func wireEntry(e ledger.Entry) api.Entry {
	return api.Entry{
		ID: e.ID, Sequence: e.Sequence, TenantID: e.Tenant, Kind: string(e.Kind), RunID: e.RunID, Actor: e.Actor,
		Time: e.Time.UTC(), Body: e.Body, Previous: e.Previous, Hash: e.Hash,
	}
}
