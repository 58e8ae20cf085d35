// Package run holds what a run is: its fixed request, its states and the moves between them, its
// limits and their use, and the seam to the journal that commits each step.
//
// A run is created by the server from the actor's request. Scope, route, tool list and limits
// are fixed before a model sees anything; nothing a model says widens them. The package counts;
// the agent and the tools enforce.
package run

import (
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

// ID names a run.
type ID string

// Kind says what a run is to produce.
type Kind string

// The kinds of run.
const (
	ForAnswer Kind = "answer"
	ForDraft  Kind = "draft"
	// ForPublish is a run that holds a proposal: it waits for the decision from its beginning, and
	// no model takes part. Only approval.Book makes one.
	ForPublish Kind = "publish"
	// ForAction is such a run for the call of a tool. It is running while the approved call is
	// carried out, and no longer to be cancelled then.
	ForAction Kind = "action"
)

// Decides reports whether a run of this kind holds a proposal.
func (k Kind) Decides() bool { return k == ForPublish || k == ForAction }

// State is the state of a run. Those after Cancelling are final, but for Interrupted, from which
// the same actor may resume.
type State string

// The states of a run.
const (
	Queued               State = "queued"
	Running              State = "running"
	Waiting              State = "waiting_for_human"
	Cancelling           State = "cancelling"
	Completed            State = "completed"
	AwaitingReview       State = "awaiting_review"
	InsufficientEvidence State = "insufficient_evidence"
	Refused              State = "refused"
	Failed               State = "failed"
	Cancelled            State = "cancelled"
	Interrupted          State = "interrupted"
)

// Final reports whether a run in this state has stopped working.
func (s State) Final() bool {
	switch s {
	case Completed, AwaitingReview, InsufficientEvidence, Refused, Failed, Cancelled, Interrupted:
		return true
	}
	return false
}

// MayBecome reports whether a run may move from s to next. A state may always be committed again.
func (s State) MayBecome(next State) bool {
	if s == next {
		return !s.Final()
	}
	switch s {
	case Queued:
		return next == Running || next == Cancelled || next == Interrupted || next == Refused || next == Failed
	case Running:
		return next != Queued
	case Waiting:
		return next == Running || next == Cancelling || next.Final()
	case Cancelling:
		return next == Cancelled || next == Interrupted || next == Failed
	case Interrupted:
		return next == Queued
	}
	return false
}

// Reason says why a run ended; the words are those of the contract.
type Reason string

// The reasons to end.
const (
	Success           Reason = "success"
	DraftReady        Reason = "draft_ready"
	Insufficient      Reason = "insufficient_evidence"
	PermissionDenied  Reason = "permission_denied"
	ToolNotAllowed    Reason = "tool_not_allowed"
	RouteRefused      Reason = "route_refused"
	WasCancelled      Reason = "cancelled"
	NoProgress        Reason = "no_progress"
	LimitSteps        Reason = "limit_steps"
	LimitToolCalls    Reason = "limit_tool_calls"
	LimitSearchPages  Reason = "limit_search_pages"
	LimitDocuments    Reason = "limit_documents"
	LimitDocumentText Reason = "limit_document_text"
	LimitTime         Reason = "limit_time"
	LimitContext      Reason = "limit_context"
	LimitTokens       Reason = "limit_tokens"
	OutOfScope        Reason = "out_of_scope"
	InvalidCitations  Reason = "invalid_citations"
	InvalidOutput     Reason = "invalid_output"
	SearchFailed      Reason = "search_failed"
	ToolError         Reason = "tool_error"
	ModelError        Reason = "model_error"
	ModelTimeout      Reason = "model_timeout"
	InternalFault     Reason = "internal"
	ProcessGone       Reason = "interrupted"
	// Expired and Conflict end a run for publishing alone, as Success and WasCancelled may.
	Expired  Reason = "expired"
	Conflict Reason = "conflict"
)

// State returns the final state that belongs to a reason. A declined proposal ends its run as
// Completed too, though its reason is WasCancelled: see Kind.Ends.
func (r Reason) State() State {
	switch r {
	case Success, Expired, Conflict:
		return Completed
	case DraftReady:
		return AwaitingReview
	case Insufficient:
		return InsufficientEvidence
	case PermissionDenied, ToolNotAllowed, RouteRefused:
		return Refused
	case WasCancelled:
		return Cancelled
	case ProcessGone:
		return Interrupted
	}
	return Failed
}

// Ends returns the final state of a run of this kind that ends for a reason. A proposal that was
// declined or called off has been settled: its run is Completed, for the reason WasCancelled.
func (k Kind) Ends(r Reason) State {
	if k.Decides() && r == WasCancelled {
		return Completed
	}
	return r.State()
}

// Route decides which tools exist for the model in a run.
type Route string

// The routes.
const (
	Direct      Route = "direct"
	Refuse      Route = "refuse"
	FixedRAG    Route = "fixed_rag"
	Summary     Route = "summary"
	AgenticRAG  Route = "agentic_rag"
	Draft       Route = "draft"
	VersionTool Route = "version_tool"
)

// Scope is what the request fixed about where the run may look. The run's tools resolve it anew,
// with the actor's current rights, at every call.
type Scope struct {
	Bases       []access.KnowledgeBaseID `json:"knowledge_base_ids"`
	DocKey      string                   `json:"doc_key,omitempty"`
	UpdatedFrom time.Time                `json:"updated_from,omitzero"` // inclusive
	UpdatedTo   time.Time                `json:"updated_to,omitzero"`   // exclusive
	// AsOf asks for what was in force at that moment; zero asks for now. It needs the role
	// knowledge_admin at every call, not only when the run was made.
	AsOf time.Time `json:"as_of,omitzero"`
}

// Request returns the access request of the scope: versions in force only. A scope without
// knowledge bases asks for none of them, never for all.
func (s Scope) Request() access.Request {
	bases := s.Bases
	if bases == nil {
		bases = []access.KnowledgeBaseID{}
	}
	return access.Request{Bases: bases, DocKey: s.DocKey, UpdatedFrom: s.UpdatedFrom, UpdatedTo: s.UpdatedTo, AsOf: s.AsOf}
}

// The names under which a run's Seal has the nonces of its texts. Those of a passage that was read are
// by its reference.
const (
	NameGoal      = "goal"
	NameAnswer    = "answer"
	NamePrompt    = "prompt"
	NameRecording = "recording"
	NameArguments = "arguments"
	NameResult    = "result"
	NameRecord    = "record"
	NameSentence  = "sentence"
)

// NameExcerpt is the name of a passage's nonce.
func NameExcerpt(ref string) string { return "excerpt/" + ref }

// Call records one tool call of a run for the ledger: what was asked and what came of it, by hash.
type Call struct {
	ID         string `json:"call_id"`
	Tool       string `json:"tool"`
	ArgsHash   string `json:"args_hash"`
	ResultHash string `json:"result_hash,omitempty"`
	Code       string `json:"code"` // "ok", or the code of the failure
}

// Run is one bounded piece of work for one actor, as the journal keeps it.
type Run struct {
	ID           ID
	Tenant       access.TenantID
	Actor        access.UserID
	Kind         Kind
	Goal         string
	Conversation string
	Scope        Scope
	Route        Route
	Tools        []string // names the model may call
	Model        llm.Info
	// RulesFallback is true if the request allowed the rule-based engine to take over when the
	// model fails.
	RulesFallback bool

	State   State
	Reason  Reason // "" until it ended
	Attempt int    // from 1; raised by resume
	Step    int    // steps committed
	Limits  Limits
	Use     Use
	Usage   Usage

	Hits         []tool.Hit // documents found, without their passages
	Searches     []tool.Search
	Windows      []tool.Window
	Calls        []Call
	Answer       citation.Answer
	Checks       []citation.Check
	Conflicts    []citation.Conflict // the sources that disagreed, as the run found them
	Notices      []string            // stable words, such as "source_truncated"
	NeedsConfirm bool
	// Seal makes the nonces under which everything of the run is hashed. It never leaves the store.
	Seal       seal.Seal
	PromptHash string // hash over the prompts of all model calls, hex
	TapeHash   string // hash over the recordings of all steps, hex; see Fold
	// Checkpoint is where the run stands, as Checkpoint.Encode writes it; "" before its first step.
	// Only a resume reads it.
	Checkpoint string

	CreatedAt time.Time
	StartedAt time.Time // of this attempt
	EndedAt   time.Time
}

// Subject is the version that a run is about which holds a proposal; "" for any other run.
func (r *Run) Subject() corpus.DocumentID {
	if !r.Kind.Decides() {
		return ""
	}
	_, id, _ := strings.Cut(r.Goal, " ") // the tool and the version
	return corpus.DocumentID(id)
}

// Cited reports whether the accepted answer cites the reference.
func (r *Run) Cited(ref string) bool {
	for _, c := range r.Answer.Refs {
		if c == ref {
			return true
		}
	}
	return false
}

// TakeBack takes away what a run concluded, with all that stands for it.
func (r *Run) TakeBack() {
	r.Answer, r.Checks, r.Conflicts, r.NeedsConfirm = citation.Answer{}, nil, nil, false
}

// Remarks returns the sentences of an answer of this run that the product wrote itself beside what it
// quotes. There are some only where the rule-based engine answered; what a model wrote is checked wherever it
// stands.
func (r *Run) Remarks(answer citation.Answer) []citation.Sentence {
	if r.Model.Engine != llm.Rules {
		return nil
	}
	return citation.Remarks(answer)
}

// Session returns what the run's tools may know of it.
func (r *Run) Session() tool.Session {
	hits := make(map[corpus.DocumentID]tool.Hit, len(r.Hits))
	for _, h := range r.Hits {
		if _, ok := hits[h.Document]; !ok {
			hits[h.Document] = h
		}
	}
	return tool.Session{
		Run: string(r.ID), Versions: r.Route == VersionTool,
		Request: r.Scope.Request(), Hits: hits, Searches: r.Searches, Windows: r.Windows,
		SearchPages: r.Limits.SearchPages, PageSize: r.Limits.PageSize, Documents: r.Limits.Documents,
		TextUnits: r.Limits.TextUnits, WindowUnits: r.Limits.WindowUnits,
	}
}
