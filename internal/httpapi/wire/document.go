package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// Span is a stretch of a text in code points.
func Span(s corpus.Span) api.Span { return api.Span{Start: s.Start, End: s.End} }

// Base is a knowledge base.
func Base(b desk.Base) api.KnowledgeBase {
	return api.KnowledgeBase{
		ID: string(b.ID), Name: b.Name, Publishing: string(b.Publishing), Role: b.Level.String(),
		LockVersion: b.LockVersion, CreatedAt: b.CreatedAt.UTC(),
	}
}

// Grants are the grants of a knowledge base.
func Grants(b desk.Base) api.Grants {
	return api.Grants{Grants: Each(b.Grants, func(g access.Grant) api.Grant {
		return api.Grant{Principal: string(g.Principal), Role: g.Level.String()}
	})}
}

// Document is a version of a document.
func Document(d desk.Document) api.Document {
	out := api.Document{
		ID: string(d.ID), TenantID: string(d.Tenant), KnowledgeBaseID: string(d.KnowledgeBase), DocKey: string(d.Key),
		Title: d.Title, Version: d.Version, Status: string(d.Status), SourceURI: d.SourceURI, SourcePath: d.SourcePath,
		Checksum: string(d.Checksum), MediaType: d.MediaType, Language: d.Language, Size: d.Size,
		Labels: List(d.Labels), Notices: List(d.Notices), ChunkCount: d.ChunkCount, CharCount: d.CharCount,
		LockVersion: d.LockVersion, CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(), PublishedAt: Moment(d.PublishedAt),
	}
	if d.Level >= access.Editor {
		out.AccessPolicy = Raw(d.Policy)
	}
	return out
}

// Job is the state of a job.
func Job(j queue.Job) api.Job {
	out := api.Job{
		ID: j.ID, State: string(j.State), Stage: j.Stage, Done: j.Done, Total: j.Total, Attempt: j.Attempt,
		DocumentID: j.Subject, Notices: List(j.Notices), CreatedAt: j.CreatedAt.UTC(), UpdatedAt: j.UpdatedAt.UTC(),
	}
	out.Error = fault(j.Code, j.Detail)
	out.Contents = Each(j.Contents, func(c queue.Content) api.JobContent {
		return api.JobContent{
			Path: c.Path, DocKey: c.Key, DocumentID: Optional(c.Document), Version: c.Version, JobID: Optional(c.Job), Error: fault(c.Code, c.Detail),
		}
	})
	return out
}

// fault is why a job or a file failed; nil without a code.
func fault(code, detail string) *api.JobError {
	if code == "" {
		return nil
	}
	return &api.JobError{Code: code, Detail: detail}
}

// Chunk is a chunk with its places.
func Chunk(c corpus.Chunk) api.Chunk {
	return api.Chunk{
		ID: string(c.ID), ChunkNo: c.No, Text: c.Full(), Context: c.Context, HeadingPath: List(c.HeadingPath),
		Locator: Raw(c.Locator), Span: Span(c.Span),
		Segments: Each(c.Segments, func(s corpus.Segment) api.Segment {
			return api.Segment{Span: Span(s.Span), Locator: Raw(s.Locator)}
		}),
	}
}

// SearchResult is a search, without the cursor of a next page.
func SearchResult(r retrieval.Result) api.SearchResult {
	out := api.SearchResult{
		Items: Each(r.Hits, Hit), TookMS: float64(r.Took.Microseconds()) / 1000, Legs: List(r.Legs),
		Skipped: Each(r.Skipped, func(s retrieval.Skipped) api.SkippedLeg { return api.SkippedLeg{Leg: s.Leg, Reason: string(s.Reason)} }),
	}
	if r.Usage != nil {
		out.RerankTokens = r.Usage.Total
	}
	return out
}

// Hit is what a search found.
func Hit(h retrieval.Hit) api.Hit {
	return api.Hit{
		ChunkID: string(h.Chunk), DocumentID: string(h.Document.ID), KnowledgeBaseID: string(h.Document.KnowledgeBase),
		DocKey: string(h.Document.Key), Title: h.Document.Title, Version: h.Document.Version,
		HeadingPath: List(h.HeadingPath), Locator: Raw(h.Locator), Span: Span(h.Span), Snippet: h.Snippet, Score: h.Score,
		Ranks:   api.Ranks{Keyword: Optional(h.Ranks.Keyword), Semantic: Optional(h.Ranks.Semantic), Rerank: Optional(h.Ranks.Rerank)},
		Matched: List(h.Matched),
	}
}

// DocumentVersion is a version with its whole text.
func DocumentVersion(text corpus.Text) api.DocumentVersion {
	d := text.Document
	return api.DocumentVersion{
		DocumentID: string(d.ID), DocKey: string(d.Key), Title: d.Title, Version: d.Version, Status: string(d.Status),
		Checksum: string(d.Checksum), MediaType: d.MediaType, Content: text.Text,
	}
}

// Synonyms is a list as the interface writes it.
func Synonyms(l desk.Lexicon) api.Synonyms {
	out := api.Synonyms{Lines: l.Lines, Words: l.Words, Synonyms: l.Synonyms, Indexed: l.Indexed, LockVersion: l.LockVersion, UpdatedBy: string(l.UpdatedBy)}
	if !l.UpdatedAt.IsZero() {
		out.UpdatedAt = &l.UpdatedAt
	}
	return out
}
