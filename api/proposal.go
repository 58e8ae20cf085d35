package api

import (
	"encoding/json"
	"time"
)

// Proposal is one of the caller's own proposals: to publish a version, or to call a tool about one.
// Status is "pending", "published" or "approved", "cancelled", "expired" or "conflict". Approvals are
// the same things under a name that holds for every kind.
//
// Call and Task are those of a call; Summary and Difference those of publishing.
//
// When Withheld, the version is no longer available to the caller, and only ids, status and times
// are told. Title and LockVersion are those of the document now. Difference is joined where one
// proposal is asked for, and null where a version is not there to be compared.
type Proposal struct {
	ProposalID      string           `json:"proposal_id"`
	ApprovalID      string           `json:"approval_id"`
	Kind            string           `json:"kind"` // "publish", "archive" or "tool"
	RunID           string           `json:"run_id"`
	DocumentID      string           `json:"document_id"`
	KnowledgeBaseID string           `json:"knowledge_base_id"`
	DocKey          string           `json:"doc_key"`
	Title           string           `json:"title"`
	Version         int              `json:"version"`
	FromVersion     *int             `json:"from_version"`
	LockVersion     int              `json:"lock_version"` // when it was proposed; a decision needs it to be the same still
	Status          string           `json:"status"`
	CreatedAt       time.Time        `json:"created_at"`
	ExpiresAt       time.Time        `json:"expires_at"`
	DecidedAt       *time.Time       `json:"decided_at"`
	Approved        *bool            `json:"approved"`
	Summary         *ProposalSummary `json:"summary"`
	Difference      *Diff            `json:"difference"`
	Call            *CallCard        `json:"call,omitempty"`
	Task            *TaskRef         `json:"task,omitempty"`
	Withheld        bool             `json:"withheld,omitempty"`
}

// ProposalSummary is metadata and counts; it holds no text. From is the version in force when it
// was proposed, null if there was none.
type ProposalSummary struct {
	From *ProposalVersion `json:"from"`
	To   ProposalVersion  `json:"to"`
	DiffCounts
	PolicyDiffers bool `json:"policy_differs"`
}

// ProposalVersion names a version in a summary.
type ProposalVersion struct {
	DocumentID string `json:"document_id"`
	Version    int    `json:"version"`
	Checksum   string `json:"checksum"`
	Size       int64  `json:"size"`
}

// Decision decides a proposal: true carries it out, false leaves everything as it is.
type Decision struct {
	Approved bool `json:"approved"`
}

// Decided is what came of a decision. Status is "published" or "cancelled", or that of the task which
// an approved call became; LockVersion is the document's now.
type Decided struct {
	Status      string    `json:"status"`
	ProposalID  string    `json:"proposal_id"`
	ApprovalID  string    `json:"approval_id"`
	RunID       string    `json:"run_id"`
	DocumentID  string    `json:"document_id"`
	Version     int       `json:"version"`
	LockVersion int       `json:"lock_version"`
	DecidedAt   time.Time `json:"decided_at"`
	TaskID      string    `json:"task_id,omitempty"`
	ResultURI   string    `json:"result_uri,omitempty"`
	Code        string    `json:"code,omitempty"` // why a task did not succeed
}

// MarshalJSON writes a withheld proposal without what it says of its document.
func (p Proposal) MarshalJSON() ([]byte, error) {
	type plain Proposal
	if !p.Withheld {
		return json.Marshal(plain(p))
	}
	return json.Marshal(withheldProposal{
		p.ProposalID, p.ApprovalID, p.Kind, p.RunID, p.DocumentID, p.Status, p.CreatedAt, p.ExpiresAt, p.DecidedAt, p.Approved, p.Task, true,
	})
}

type withheldProposal struct {
	ProposalID string     `json:"proposal_id"`
	ApprovalID string     `json:"approval_id"`
	Kind       string     `json:"kind"`
	RunID      string     `json:"run_id"`
	DocumentID string     `json:"document_id"`
	Status     string     `json:"status"`
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  time.Time  `json:"expires_at"`
	DecidedAt  *time.Time `json:"decided_at"`
	Approved   *bool      `json:"approved"`
	Task       *TaskRef   `json:"task,omitempty"`
	Withheld   bool       `json:"withheld"`
}
