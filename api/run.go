package api

import (
	"encoding/json"
	"time"
)

// ChatRequest is a question. An empty route lets the server's rules choose; without a conversation a new
// one begins.
type ChatRequest struct {
	Question           string   `json:"question"`
	ConversationID     string   `json:"conversation_id,omitempty"`
	KnowledgeBaseIDs   []string `json:"knowledge_base_ids,omitempty"`
	DocKey             string   `json:"doc_key,omitempty"`
	UpdatedFrom        string   `json:"updated_from,omitempty"`
	UpdatedTo          string   `json:"updated_to,omitempty"`
	Route              string   `json:"route,omitempty"`
	AllowRulesFallback bool     `json:"allow_rules_fallback,omitempty"`
	// AsOf asks what was in force at a past time (RFC 3339), or at the end of a day in UTC. It is
	// for knowledge administrators.
	AsOf string `json:"as_of,omitempty"`
}

// RunRequest asks for a run. Kind is "answer" or "draft".
type RunRequest struct {
	Kind               string   `json:"kind"`
	Goal               string   `json:"goal"`
	ConversationID     string   `json:"conversation_id,omitempty"`
	KnowledgeBaseIDs   []string `json:"knowledge_base_ids,omitempty"`
	DocKey             string   `json:"doc_key,omitempty"`
	UpdatedFrom        string   `json:"updated_from,omitempty"`
	UpdatedTo          string   `json:"updated_to,omitempty"`
	Route              string   `json:"route,omitempty"`
	AllowRulesFallback bool     `json:"allow_rules_fallback,omitempty"`
	// AsOf asks what was in force at a past time (RFC 3339), or at the end of a day in UTC. It is
	// for knowledge administrators.
	AsOf string `json:"as_of,omitempty"`
}

// Started names a run and its state.
type Started struct {
	RunID string `json:"run_id"`
	State string `json:"state"`
}

// Answer is what came of a run, as the caller may see it now. FinishReason is empty until the
// run has ended. Reduced is true when sentences are missing because their sources are no longer
// available to the caller.
type Answer struct {
	RunID string `json:"run_id"`
	// ConversationID is the client's or, where the question named none, the server's choice. The next
	// question of the conversation names it.
	ConversationID    string     `json:"conversation_id"`
	State             string     `json:"state"`
	FinishReason      string     `json:"finish_reason"`
	Route             string     `json:"route"`
	Engine            string     `json:"engine"` // "model" or "rules"
	Answer            string     `json:"answer"`
	Sections          Sections   `json:"sections"`
	Citations         []Citation `json:"citations"`
	Checks            []Check    `json:"checks"`
	Conflicts         []Conflict `json:"conflicts"`
	Missing           []string   `json:"missing" doc:"What an answer that settles nothing is without, in its own words."`
	Lacking           []Lack     `json:"lacking" doc:"The same, one for one, by kinds."`
	NeedsConfirmation bool       `json:"needs_confirmation" doc:"True where a person should look before leaning on the answer: something is left to confirm, a cited source is cut short or no longer the published version, sources disagree, a checked sentence is anything but supported (partly, not_found and contradicted alike), the answer was broken off, or it awaits review as every draft does."`
	Notices           []string   `json:"notices"`
	Usage             Usage      `json:"usage"`
	Reduced           bool       `json:"reduced"`
}

// Run is an answer with the request it belongs to, its limits and their use.
type Run struct {
	Answer
	Kind         string     `json:"kind"`
	Goal         string     `json:"goal"`
	Scope        RunScope   `json:"scope"`
	Model        Model      `json:"model"`
	Tools        []string   `json:"tools"`
	Limits       Limits     `json:"limits"`
	Use          Use        `json:"use"`
	Attempt      int        `json:"attempt"`
	Step         int        `json:"step"`
	ReadNotCited []Citation `json:"read_not_cited"`
	FoundNotRead []Found    `json:"found_not_read"`
	CreatedAt    time.Time  `json:"created_at"`
	StartedAt    *time.Time `json:"started_at"`
	EndedAt      *time.Time `json:"ended_at"`
	// Integrity says whether the record is the one that the ledger tells of; null in lists.
	Integrity *Integrity `json:"integrity"`
}

// Integrity says whether what is stored of a run is what the ledger's entry of its end tells of. Problems
// name what was changed since, beside the product: members of that entry, "evidence/S1" for a passage,
// "recordings", and "entry" or "entry_missing" for the entry itself. Nothing of it can be believed.
// Unproved names what the ledger can't tell of: "not_ended", "older_form", and "withheld" where something that was
// found or read is not there any more. Verified is true
// where both are empty.
type Integrity struct {
	Verified bool     `json:"verified"`
	Problems []string `json:"problems"`
	Unproved []string `json:"unproved"`
}

// Sections are the parts of an answer. Empty ones were not written.
type Sections struct {
	Conclusion string `json:"conclusion"`
	Basis      string `json:"basis"`
	ToConfirm  string `json:"to_confirm"`
	NextSteps  string `json:"next_steps"`
}

// Citation is a passage that a run read, with what it says and where. Status is that of the
// version now. When Withheld, the passage is no longer available to the caller and only Label is
// set.
type Citation struct {
	Label           string          `json:"label"`
	DocumentID      string          `json:"document_id"`
	KnowledgeBaseID string          `json:"knowledge_base_id"`
	KnowledgeBase   string          `json:"knowledge_base,omitempty"` // its name; absent in lists, and where the reader may not see it now
	DocKey          string          `json:"doc_key"`
	Title           string          `json:"title"`
	Version         int             `json:"version"`
	ChunkID         string          `json:"chunk_id"`
	ChunkIDs        []string        `json:"chunk_ids"`
	Locator         json.RawMessage `json:"locator"`
	Span            Span            `json:"span"`
	SourceURI       string          `json:"source_uri"`
	Excerpt         string          `json:"excerpt"`
	Quotes          []Quote         `json:"quotes"` // what the sentences of the answer lean on, in order of place
	Truncated       bool            `json:"truncated"`
	Status          string          `json:"status"`
	PublishedAt     *time.Time      `json:"published_at"` // of the version that was read
	Withheld        bool            `json:"withheld,omitempty"`
}

// Quote is a piece of a source that decides a sentence of the answer, with its exact place. Span
// counts code points of the document's normalised text, as the citation's does.
type Quote struct {
	Text    string          `json:"text"`
	Span    Span            `json:"span"`
	Locator json.RawMessage `json:"locator"`
}

// MarshalJSON writes a withheld citation as its label and nothing else.
func (c Citation) MarshalJSON() ([]byte, error) {
	if c.Withheld {
		return json.Marshal(withheld{c.Label, true})
	}
	type plain Citation
	return json.Marshal(plain(c))
}

type withheld struct {
	Label    string `json:"label"`
	Withheld bool   `json:"withheld"`
}

// Found is a document that a run found and did not read.
type Found struct {
	DocumentID string `json:"document_id"`
	Title      string `json:"title"`
	Version    int    `json:"version"`
	ChunkID    string `json:"chunk_id"`
}

// Check is the verdict on one sentence: "supported", "partly", "not_found" or "contradicted". It
// speaks of support by the cited text, not of truth.
type Check struct {
	Sentence  string   `json:"sentence"`
	Labels    []string `json:"labels"`
	Verdict   string   `json:"verdict"`
	DecidedBy string   `json:"decided_by"`
	Quote     string   `json:"quote"`
	// Score is the strength of the support by the rules, from 0 to 1. It orders sentences; the
	// verdict is decided by more than it.
	Score   float64  `json:"score"`
	Reasons []Reason `json:"reasons"`
}

// Lack is one thing that an answer is without. About is in the words of the question, or of the model.
type Lack struct {
	Code  string `json:"code" enum:"absent,unmet,unanswered,statement,other" doc:"It was not found in what was read; what comes nearest does not mention it; nothing answers for this part of the question; no statement answers the question; or other words, which about holds."`
	About string `json:"about"`
}

// Reason says what of a sentence was not borne out, and what the sources say in its place if that
// is known. Code is "number", "name", "negation", "opposite", "quantifier", "role" or "words".
type Reason struct {
	Code  string `json:"code"`
	Said  string `json:"said"`
	Found string `json:"found"`
}

// Conflict is a pair of sources that disagree, side by side; which of them holds is not decided.
// Kind is what they disagree in: "value" (a number or a date), "negation", "opposite" or "words".
// One side at least is cited by the answer.
type Conflict struct {
	Kind  string `json:"kind"`
	Sides []Side `json:"sides"` // two
}

// Side is one source of a conflict with the sentence by which it disagrees. Status is that of the
// version now.
type Side struct {
	Label           string     `json:"label"`
	DocumentID      string     `json:"document_id"`
	KnowledgeBaseID string     `json:"knowledge_base_id"`
	KnowledgeBase   string     `json:"knowledge_base,omitempty"` // its name, as in Citation
	DocKey          string     `json:"doc_key"`
	Title           string     `json:"title"`
	Version         int        `json:"version"`
	Status          string     `json:"status"`
	PublishedAt     *time.Time `json:"published_at"`
	Quote           Quote      `json:"quote"`
}

// Usage totals what the model calls reported. A null figure was not obtained.
type Usage struct {
	Calls            int      `json:"calls"`
	CallsWithUsage   int      `json:"calls_with_usage"`
	PromptTokens     *int     `json:"prompt_tokens"`
	CompletionTokens *int     `json:"completion_tokens"`
	TotalTokens      *int     `json:"total_tokens"`
	EstimatedTokens  *int     `json:"estimated_tokens"`
	Messages         int      `json:"messages"`
	Characters       int      `json:"characters"`
	Cost             *float64 `json:"cost"`
}

// RunScope is where the run may look. UpdatedFrom is inclusive, UpdatedTo exclusive.
type RunScope struct {
	KnowledgeBaseIDs []string   `json:"knowledge_base_ids"`
	DocKey           string     `json:"doc_key"`
	UpdatedFrom      *time.Time `json:"updated_from"`
	UpdatedTo        *time.Time `json:"updated_to"`
	AsOf             *time.Time `json:"as_of"`
}

// Use counts what a run has used of its limits. Text counts UTF-16 units over all documents.
type Use struct {
	Steps       int   `json:"steps"`
	Repairs     int   `json:"repairs"`
	ToolCalls   int   `json:"tool_calls"`
	SearchPages int   `json:"search_pages"`
	Documents   int   `json:"documents"`
	Text        int   `json:"text"`
	Tokens      int   `json:"tokens"`
	ElapsedMS   int64 `json:"elapsed_ms"`
}

// Source is the record of one passage exactly as the run read it, and what has become of it.
type Source struct {
	RunID           string          `json:"run_id"`
	Ref             string          `json:"ref"`
	Cited           bool            `json:"cited"`
	DocumentID      string          `json:"document_id"`
	KnowledgeBaseID string          `json:"knowledge_base_id"`
	DocKey          string          `json:"doc_key"`
	Title           string          `json:"title"`
	Version         int             `json:"version"`
	ChunkID         string          `json:"chunk_id"`
	ChunkIDs        []string        `json:"chunk_ids"`
	Locator         json.RawMessage `json:"locator"`
	Span            Span            `json:"span"`
	SourceURI       string          `json:"source_uri"`
	Excerpt         string          `json:"excerpt"`
	ExcerptHash     string          `json:"excerpt_hash"`
	Nonce           string          `json:"nonce,omitempty"` // opens ExcerptHash
	TruncatedBefore bool            `json:"truncated_before"`
	TruncatedAfter  bool            `json:"truncated_after"`
	Truncated       bool            `json:"truncated"`
	StatusThen      string          `json:"status_then"`
	ReadAt          time.Time       `json:"read_at"`
	Current         Current         `json:"current"`
	// Integrity says of this passage alone whether it is what the ledger tells of.
	Integrity Integrity `json:"integrity"`
}

// Current is what has become of a cited passage. Status is that of the cited version now;
// Version is the published one the caller may read, and Change says whether the passage stands
// in it "unchanged", "changed" or "removed". Both are null when there is none. Span is where the
// passage stands in that version; Lines and Numbers hold what its own sentences lost and got in
// their place.
type Current struct {
	Status     string       `json:"status"`
	Version    *int         `json:"version"`
	DocumentID *string      `json:"document_id"`
	Change     *string      `json:"change"`
	Span       *Span        `json:"span"`
	Lines      []DiffLine   `json:"lines"`
	Numbers    []DiffNumber `json:"numbers"`
}

// Event is one entry of a run's log.
type Event struct {
	V        int             `json:"v"`
	ID       string          `json:"id"`
	Sequence int64           `json:"sequence"`
	RunID    string          `json:"run_id"`
	Type     string          `json:"type"`
	Time     time.Time       `json:"time"`
	Attempt  int             `json:"attempt"`
	Data     json.RawMessage `json:"data"`
}

// Closes reports whether the event ends an attempt of its run.
func (e Event) Closes() bool {
	return e.Type == "run.completed" || e.Type == "run.failed" || e.Type == "run.interrupted"
}

// Entry is one record of the ledger: ids, hashes, states and decisions. Its place in the chain,
// Sequence and Previous, is for auditors alone, since it counts what everybody does.
type Entry struct {
	ID       string          `json:"id"`
	Sequence int64           `json:"sequence,omitempty"`
	TenantID string          `json:"tenant_id"`
	Kind     string          `json:"kind"`
	RunID    string          `json:"run_id"`
	Actor    string          `json:"actor"`
	Time     time.Time       `json:"time"`
	Body     json.RawMessage `json:"body"`
	Previous string          `json:"previous,omitempty"`
	Hash     string          `json:"hash"`
	// OwnRun is told in lists alone.
	OwnRun bool `json:"own_run,omitempty" doc:"True in a list where the run is the caller's own and can be opened."`
}
