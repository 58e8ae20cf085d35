package api

import (
	"encoding/json"
	"time"
)

// NewKnowledgeBase asks for a knowledge base. An empty ID lets the server choose one.
type NewKnowledgeBase struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
}

// KnowledgeBase is a set of documents that share grants. Role is the caller's own level on it.
type KnowledgeBase struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Publishing  string    `json:"publishing"` // "proposal" or "direct"
	Role        string    `json:"role"`       // "reader", "editor" or "manager"
	LockVersion int       `json:"lock_version"`
	CreatedAt   time.Time `json:"created_at"`
}

// KnowledgeBaseChange edits a knowledge base. Nil fields stay as they are.
type KnowledgeBaseChange struct {
	Name       *string `json:"name,omitempty"`
	Publishing *string `json:"publishing,omitempty"`
}

// Grant gives a principal ("user:ID", "group:ID" or "everyone") a role on a knowledge base.
type Grant struct {
	Principal string `json:"principal"`
	Role      string `json:"role"`
}

// Grants are all the grants of a knowledge base.
type Grants struct {
	Grants []Grant `json:"grants"`
}

// Document is one version of one document. AccessPolicy ("inherit", or allow and deny lists) is
// shown to editors and managers.
type Document struct {
	ID              string `json:"id"`
	TenantID        string `json:"tenant_id"`
	KnowledgeBaseID string `json:"knowledge_base_id"`
	DocKey          string `json:"doc_key"`
	Title           string `json:"title"`
	Version         int    `json:"version"`
	Status          string `json:"status"`
	SourceURI       string `json:"source_uri"`
	// SourcePath is the place of the version in the source that a list was asked for.
	SourcePath   string          `json:"source_path,omitempty"`
	AccessPolicy json.RawMessage `json:"access_policy,omitempty"`
	Checksum     string          `json:"checksum"`
	MediaType    string          `json:"media_type"`
	Language     string          `json:"language"`
	Size         int64           `json:"size"`
	Labels       []string        `json:"labels"`
	Notices      []string        `json:"notices"`
	ChunkCount   int             `json:"chunk_count"`
	CharCount    int             `json:"char_count"`
	LockVersion  int             `json:"lock_version"`
	CreatedAt    time.Time       `json:"created_at"`
	UpdatedAt    time.Time       `json:"updated_at"`
	PublishedAt  *time.Time      `json:"published_at"`
}

// DocumentChange edits a document's metadata. Nil fields stay as they are.
type DocumentChange struct {
	Title        *string         `json:"title,omitempty"`
	AccessPolicy json.RawMessage `json:"access_policy,omitempty"`
	Labels       *[]string       `json:"labels,omitempty"`
}

// Upload says what became of an upload. JobID is null when the bytes were unchanged: DocumentID
// is then the version that holds them already.
type Upload struct {
	DocumentID string  `json:"document_id"`
	DocKey     string  `json:"doc_key"`
	Version    int     `json:"version"`
	JobID      *string `json:"job_id"`
	Unchanged  bool    `json:"unchanged"`
	// Published is true when the unchanged bytes were those of a draft and this request
	// published it.
	Published bool `json:"published"`
}

// Job is the work that makes an upload a version.
type Job struct {
	ID         string    `json:"id"`
	State      string    `json:"state"`
	Stage      string    `json:"stage"`
	Done       int       `json:"done"`
	Total      int       `json:"total"`
	Attempt    int       `json:"attempt"`
	DocumentID string    `json:"document_id"`
	Notices    []string  `json:"notices"`
	Error      *JobError `json:"error"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	// Contents are the files that were in the file of a job that succeeded: what is attached to a message, or
	// the entries of an archive. Each that was taken has a job of its own.
	Contents []JobContent `json:"contents"`
}

// JobContent is a file that was in another one. DocumentID is null for one that was not taken, for the
// reason in Error, and JobID also where the bytes were unchanged.
type JobContent struct {
	Path       string    `json:"path"` // inside the other file
	DocKey     string    `json:"doc_key"`
	DocumentID *string   `json:"document_id"`
	Version    int       `json:"version"` // 0 for one that was not taken
	JobID      *string   `json:"job_id"`
	Error      *JobError `json:"error"`
}

// JobError says why a job failed, or why it will be tried again.
type JobError struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Span is a half-open range of code points in a document's normalised text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Segment maps a piece of a chunk's text to its exact place in the original.
type Segment struct {
	Span    Span            `json:"span"`
	Locator json.RawMessage `json:"locator"`
}

// Chunk is a piece of a version, as it is to be read: Context, which is repeated from elsewhere in
// the document (a table's header row, a code fence's opening line), and then the normalised text
// at Span. Context has no width in Span and is usually empty.
type Chunk struct {
	ID          string          `json:"id"`
	ChunkNo     int             `json:"chunk_no"`
	Text        string          `json:"text"`
	Context     string          `json:"context"`
	HeadingPath []string        `json:"heading_path"`
	Locator     json.RawMessage `json:"locator"`
	Span        Span            `json:"span"`
	Segments    []Segment       `json:"segments"`
}

// SearchRequest is a search. UpdatedFrom and UpdatedTo are days in UTC, both included.
type SearchRequest struct {
	Query            string   `json:"query"`
	KnowledgeBaseIDs []string `json:"knowledge_base_ids,omitempty"`
	DocKey           string   `json:"doc_key,omitempty"`
	UpdatedFrom      string   `json:"updated_from,omitempty"`
	UpdatedTo        string   `json:"updated_to,omitempty"`
	Limit            int      `json:"limit,omitempty" minimum:"1"`
	Cursor           string   `json:"cursor,omitempty"`
	// AsOf searches what was in force at a past time (RFC 3339), or at the end of a day in UTC. It is
	// for knowledge administrators.
	AsOf string `json:"as_of,omitempty"`
	// ViewAs leaves only hits that this user too may see. It is for tenant administrators, never shows
	// more than they may see themselves, and is recorded in the ledger.
	ViewAs string `json:"view_as,omitempty"`
}

// SearchResult is one page of hits, best first.
type SearchResult struct {
	Items      []Hit   `json:"items"`
	NextCursor *string `json:"next_cursor"`
	TookMS     float64 `json:"took_ms"`
	// Legs are the ways in which was searched: "keyword", "semantic", and "rerank" where a model
	// reordered the first hits.
	Legs []string `json:"legs"`
	// Skipped are those that are there and did not run.
	Skipped []SkippedLeg `json:"skipped"`
	// RerankTokens is what the reranker's endpoint told of its use for this page; null if it was not
	// asked for it, or told nothing.
	RerankTokens *int `json:"rerank_tokens"`
}

// SkippedLeg is a leg of a search that did not run, and why: "failed", "too_slow", "literal" (the
// query is codes and numbers), "language" (the model does not know its script), "local_only",
// "rebuilding", "no_vectors" (nothing that the caller may read has a vector), or "nothing" (no two hits could
// change places). The hits are those of the other legs, in their order.
type SkippedLeg struct {
	Leg    string `json:"leg"`
	Reason string `json:"reason"`
}

// Hit is a chunk that matched, with a snippet around the match and no body.
type Hit struct {
	ChunkID         string          `json:"chunk_id"`
	DocumentID      string          `json:"document_id"`
	KnowledgeBaseID string          `json:"knowledge_base_id"`
	DocKey          string          `json:"doc_key"`
	Title           string          `json:"title"`
	Version         int             `json:"version"`
	HeadingPath     []string        `json:"heading_path"`
	Locator         json.RawMessage `json:"locator"`
	Span            Span            `json:"span"`
	Snippet         string          `json:"snippet"`
	Score           float64         `json:"score"`
	Ranks           Ranks           `json:"ranks"`
	Matched         []string        `json:"matched"`
}

// Ranks are a hit's places in the legs of the search, from 1; null where a leg did not find it. Rerank is its
// place among the first hits, in the order of their features or, with "rerank" among the legs, of a model;
// null where it was not one of them.
type Ranks struct {
	Keyword  *int `json:"keyword"`
	Semantic *int `json:"semantic"`
	Rerank   *int `json:"rerank"`
}
