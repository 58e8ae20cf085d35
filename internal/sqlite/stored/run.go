package stored

import (
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/tool"
)

// runRecord is a run as stored. Records that mirror a type of the product are converted to and
// from it whole, so that a field added there does not compile here until it is stored too.
type runRecord struct {
	V             int            `json:"v"`
	ID            string         `json:"id"`
	Tenant        string         `json:"tenant"`
	Actor         string         `json:"actor"`
	Kind          string         `json:"kind"`
	Goal          string         `json:"goal"`
	Conversation  string         `json:"conversation,omitempty"`
	Scope         scopeRecord    `json:"scope"`
	Route         string         `json:"route"`
	Tools         []string       `json:"tools,omitempty"`
	Model         modelRecord    `json:"model"`
	RulesFallback bool           `json:"rules_fallback,omitempty"`
	State         string         `json:"state"`
	Reason        string         `json:"reason,omitempty"`
	Attempt       int            `json:"attempt"`
	Step          int            `json:"step"`
	Limits        limitsRecord   `json:"limits"`
	Use           useRecord      `json:"use"`
	Usage         Usage          `json:"usage"`
	Hits          []hitRecord    `json:"hits,omitempty"`
	Searches      []searchRecord `json:"searches,omitempty"`
	Windows       []windowRecord `json:"windows,omitempty"`
	Calls         []callRecord   `json:"calls,omitempty"`
	Answer        answerRecord   `json:"answer"`
	Checks        []checkRecord  `json:"checks,omitempty"`
	Conflicts     []conflict     `json:"conflicts,omitempty"`
	Notices       []string       `json:"notices,omitempty"`
	NeedsConfirm  bool           `json:"needs_confirm,omitempty"`
	Seal          *sealRecord    `json:"seal,omitempty"`
	PromptHash    string         `json:"prompt_hash,omitempty"`
	TapeHash      string         `json:"tape_hash,omitempty"`
	CreatedAt     time.Time      `json:"created_at,omitzero"`
	StartedAt     time.Time      `json:"started_at,omitzero"`
	EndedAt       time.Time      `json:"ended_at,omitzero"`
}

// sealRecord is what nonces are made of; a run from before there were nonces has none.
type sealRecord struct {
	Key  string            `json:"key"`
	Kept map[string]string `json:"kept,omitempty"`
}

// ReadSeal reads the seal out of the record of a run.
func ReadSeal(column string) (seal.Seal, error) {
	var w struct {
		V    int         `json:"v"`
		Seal *sealRecord `json:"seal"`
	}
	err := unpack(column, "run", &w)
	return w.Seal.seal(), err
}

func (r *sealRecord) seal() seal.Seal {
	if r == nil {
		return seal.Seal{}
	}
	return seal.Seal(*r)
}

type scopeRecord struct {
	Bases       []access.KnowledgeBaseID `json:"bases"` // null is all, [] is none
	DocKey      string                   `json:"doc_key,omitempty"`
	UpdatedFrom time.Time                `json:"updated_from,omitzero"`
	UpdatedTo   time.Time                `json:"updated_to,omitzero"`
	AsOf        time.Time                `json:"as_of,omitzero"`
}

type modelRecord struct {
	Engine llm.Engine `json:"engine"`
	Name   string     `json:"name,omitempty"`
	Host   string     `json:"host,omitempty"`
	Remote bool       `json:"remote,omitempty"`
}

type limitsRecord struct {
	Steps        int           `json:"steps"`
	Repairs      int           `json:"repairs"`
	ToolCalls    int           `json:"tool_calls"`
	SearchPages  int           `json:"search_pages"`
	PageSize     int           `json:"page_size"`
	Documents    int           `json:"documents"`
	TextUnits    int           `json:"document_text"`
	WindowUnits  int           `json:"window"`
	ContextChars int           `json:"context_chars"`
	Tokens       int           `json:"tokens"`
	Total        time.Duration `json:"total_ns"`
	Request      time.Duration `json:"request_ns"`
}

type useRecord struct {
	Steps       int           `json:"steps"`
	Repairs     int           `json:"repairs"`
	ToolCalls   int           `json:"tool_calls"`
	SearchPages int           `json:"search_pages"`
	Documents   int           `json:"documents"`
	Text        int           `json:"text"`
	Tokens      int           `json:"tokens"`
	Elapsed     time.Duration `json:"elapsed_ns"`
}

// Usage has the names of the contract, since closing events carry it too.
type Usage struct {
	Calls          int      `json:"calls"`
	CallsWithUsage int      `json:"calls_with_usage"`
	Prompt         *int     `json:"prompt_tokens"`
	Completion     *int     `json:"completion_tokens"`
	Total          *int     `json:"total_tokens"`
	Estimated      *int     `json:"estimated_tokens"`
	Messages       int      `json:"messages"`
	Characters     int      `json:"characters"`
	Cost           *float64 `json:"cost"`
}

// hitRecord is a hit without its passage.
type hitRecord struct {
	Document string          `json:"document"`
	Version  int             `json:"version"`
	Title    string          `json:"title"`
	Chunk    string          `json:"chunk"`
	Span     span            `json:"span"`
	Versions []versionRecord `json:"versions,omitempty"`
}

type versionRecord struct {
	Document corpus.DocumentID `json:"document"`
	Version  int               `json:"version"`
	Status   access.Status     `json:"status"`
}

type searchRecord struct {
	Query       string `json:"query"`
	Page        int    `json:"page"`
	Hits        int    `json:"hits"`
	More        bool   `json:"more"`
	WordsOnly   bool   `json:"words_only,omitempty"`
	NotReranked bool   `json:"not_reranked,omitempty"`
}

type callRecord struct {
	ID         string `json:"id"`
	Tool       string `json:"tool"`
	ArgsHash   string `json:"args_hash"`
	ResultHash string `json:"result_hash,omitempty"`
	Code       string `json:"code"`
}

type windowRecord struct {
	Document string `json:"document"`
	Version  int    `json:"version"`
	Span     span   `json:"span"`
	Units    int    `json:"units"`
}

type answerRecord struct {
	Text         string         `json:"text,omitempty"`
	Sections     sectionsRecord `json:"sections"`
	Refs         []string       `json:"refs,omitempty"`
	Insufficient bool           `json:"insufficient,omitempty"`
	Missing      []string       `json:"missing,omitempty"`
}

type sectionsRecord struct {
	Conclusion string `json:"conclusion,omitempty"`
	Basis      string `json:"basis,omitempty"`
	ToConfirm  string `json:"to_confirm,omitempty"`
	NextSteps  string `json:"next_steps,omitempty"`
}

type checkRecord struct {
	Sentence  string            `json:"sentence"`
	Labels    []string          `json:"labels,omitempty"`
	Verdict   citation.Verdict  `json:"verdict"`
	DecidedBy string            `json:"decided_by"`
	Quote     string            `json:"quote,omitempty"`
	Score     float64           `json:"score,omitempty"`
	Reasons   []citation.Reason `json:"reasons,omitempty"`
}

type conflict struct {
	Refs   [2]string `json:"refs"`
	Quotes [2]string `json:"quotes"`
	Kind   string    `json:"kind"`
}

// Run writes a run.
func Run(r *run.Run) row.Written {
	w := runRecord{
		V: recordVersion, ID: string(r.ID), Tenant: string(r.Tenant), Actor: string(r.Actor), Kind: string(r.Kind), Goal: r.Goal,
		Conversation: r.Conversation, Scope: scopeRecord(r.Scope), Route: string(r.Route), Tools: r.Tools, Model: modelRecord(r.Model),
		RulesFallback: r.RulesFallback, State: string(r.State), Reason: string(r.Reason), Attempt: r.Attempt, Step: r.Step,
		Limits: limitsRecord(r.Limits), Use: useRecord(r.Use), Usage: Usage(r.Usage), Answer: answerRecord{
			Text: r.Answer.Text, Sections: sectionsRecord(r.Answer.Sections), Refs: r.Answer.Refs, Insufficient: r.Answer.Insufficient, Missing: r.Answer.Missing,
		},
		Notices: r.Notices, NeedsConfirm: r.NeedsConfirm, PromptHash: r.PromptHash, TapeHash: r.TapeHash,
		CreatedAt: r.CreatedAt, StartedAt: r.StartedAt, EndedAt: r.EndedAt,
	}
	if !r.Seal.Plain() {
		s := sealRecord(r.Seal)
		w.Seal = &s
	}
	for _, h := range r.Hits {
		hit := hitRecord{Document: string(h.Document), Version: h.Version, Title: h.Title, Chunk: string(h.Chunk), Span: spanOf(h.Span)}
		for _, v := range h.Versions {
			hit.Versions = append(hit.Versions, versionRecord(v))
		}
		w.Hits = append(w.Hits, hit)
	}
	for _, s := range r.Searches {
		w.Searches = append(w.Searches, searchRecord(s))
	}
	for _, s := range r.Windows {
		w.Windows = append(w.Windows, windowRecord{string(s.Document), s.Version, spanOf(s.Span), s.Units})
	}
	for _, c := range r.Calls {
		w.Calls = append(w.Calls, callRecord(c))
	}
	for _, c := range r.Checks {
		w.Checks = append(w.Checks, checkRecord(c))
	}
	for _, c := range r.Conflicts {
		w.Conflicts = append(w.Conflicts, conflict(c))
	}
	return row.Marshal(w)
}

// ReadRun reads what Run wrote, in any version.
func ReadRun(column string) (*run.Run, error) {
	var w runRecord
	if err := unpack(column, "run", &w); err != nil {
		return nil, err
	}
	r := &run.Run{
		ID: run.ID(w.ID), Tenant: access.TenantID(w.Tenant), Actor: access.UserID(w.Actor), Kind: run.Kind(w.Kind), Goal: w.Goal,
		Conversation: w.Conversation, Scope: run.Scope(w.Scope), Route: run.Route(w.Route), Tools: w.Tools, Model: llm.Info(w.Model),
		RulesFallback: w.RulesFallback, State: run.State(w.State), Reason: run.Reason(w.Reason), Attempt: w.Attempt, Step: w.Step,
		Limits: run.Limits(w.Limits), Use: run.Use(w.Use), Usage: run.Usage(w.Usage), Answer: citation.Answer{
			Text: w.Answer.Text, Sections: citation.Sections(w.Answer.Sections), Refs: w.Answer.Refs, Insufficient: w.Answer.Insufficient, Missing: w.Answer.Missing,
		},
		Notices: w.Notices, NeedsConfirm: w.NeedsConfirm, Seal: w.Seal.seal(), PromptHash: w.PromptHash, TapeHash: w.TapeHash,
		CreatedAt: w.CreatedAt, StartedAt: w.StartedAt, EndedAt: w.EndedAt,
	}
	for _, h := range w.Hits {
		hit := tool.Hit{Document: corpus.DocumentID(h.Document), Version: h.Version, Title: h.Title, Chunk: corpus.ChunkID(h.Chunk), Span: h.Span.corpus()}
		for _, v := range h.Versions {
			hit.Versions = append(hit.Versions, tool.Version(v))
		}
		r.Hits = append(r.Hits, hit)
	}
	for _, s := range w.Searches {
		r.Searches = append(r.Searches, tool.Search(s))
	}
	for _, s := range w.Windows {
		r.Windows = append(r.Windows, tool.Window{Document: corpus.DocumentID(s.Document), Version: s.Version, Span: s.Span.corpus(), Units: s.Units})
	}
	for _, c := range w.Calls {
		r.Calls = append(r.Calls, run.Call(c))
	}
	for _, c := range w.Checks {
		r.Checks = append(r.Checks, citation.Check(c))
	}
	for _, c := range w.Conflicts {
		r.Conflicts = append(r.Conflicts, citation.Conflict(c))
	}
	return r, nil
}

// evidenceRecord is a piece of evidence as stored.
type evidenceRecord struct {
	V               int              `json:"v"`
	Ref             string           `json:"ref"`
	Document        string           `json:"document"`
	KnowledgeBase   string           `json:"knowledge_base"`
	BaseName        string           `json:"knowledge_base_name,omitempty"`
	Key             string           `json:"doc_key"`
	Version         int              `json:"version"`
	Status          string           `json:"status"`
	Title           string           `json:"title"`
	SourceURI       string           `json:"source_uri,omitempty"`
	Chunk           string           `json:"chunk"`
	Chunks          []corpus.ChunkID `json:"chunks,omitempty"`
	Locator         json.RawMessage  `json:"locator,omitempty"`
	Span            span             `json:"span"`
	Excerpt         string           `json:"excerpt"`
	Segments        []segmentRecord  `json:"segments,omitempty"`
	Context         string           `json:"context,omitempty"`
	Nonce           string           `json:"nonce,omitempty"`
	Hash            string           `json:"hash"`
	TruncatedBefore bool             `json:"truncated_before,omitempty"`
	TruncatedAfter  bool             `json:"truncated_after,omitempty"`
	ReadAt          time.Time        `json:"read_at,omitzero"`
}

// Evidence writes a piece of evidence.
func Evidence(e citation.Evidence) row.Written {
	return row.Marshal(evidenceRecord{
		V: recordVersion, Ref: e.Ref, Document: string(e.Document), KnowledgeBase: string(e.KnowledgeBase), BaseName: e.BaseName, Key: string(e.Key),
		Version: e.Version, Status: string(e.Status), Title: e.Title, SourceURI: e.SourceURI, Chunk: string(e.Chunk), Chunks: e.Chunks,
		Locator: packLocator(e.Locator), Span: spanOf(e.Span), Excerpt: e.Excerpt, Nonce: e.Nonce, Hash: e.Hash,
		Segments: packSegments(e.Segments), Context: e.Context,
		TruncatedBefore: e.TruncatedBefore, TruncatedAfter: e.TruncatedAfter, ReadAt: e.ReadAt,
	})
}

// ReadEvidence reads what Evidence wrote, in any version.
func ReadEvidence(column string) (e citation.Evidence, err error) {
	var w evidenceRecord
	if err := unpack(column, "piece of evidence", &w); err != nil {
		return e, err
	}
	e = citation.Evidence{
		Ref: w.Ref, Document: corpus.DocumentID(w.Document), KnowledgeBase: access.KnowledgeBaseID(w.KnowledgeBase), BaseName: w.BaseName, Key: corpus.Key(w.Key),
		Version: w.Version, Status: access.Status(w.Status), Title: w.Title, SourceURI: w.SourceURI, Chunk: corpus.ChunkID(w.Chunk), Chunks: w.Chunks,
		Span: w.Span.corpus(), Excerpt: w.Excerpt, Nonce: w.Nonce, Hash: w.Hash, Context: w.Context,
		TruncatedBefore: w.TruncatedBefore, TruncatedAfter: w.TruncatedAfter, ReadAt: w.ReadAt,
	}
	if e.Segments, err = unpackSegments(w.Segments); err != nil {
		return e, err
	}
	e.Locator, err = unpackLocator(w.Locator)
	return e, err
}
