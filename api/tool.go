package api

import (
	"encoding/json"
	"time"
)

// Tool is a tool whose call the caller may propose. Schema is the JSON Schema of its arguments.
// Decision is true if a call waits for a decision. Host is where the arguments go to; "" if the
// effect stays in the server.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Sensitivity string          `json:"sensitivity"` // "read", "sensitive_read" or "write"
	Role        string          `json:"role"`
	Level       string          `json:"level"`
	Evidence    bool            `json:"evidence"`
	Decision    bool            `json:"decision"`
	Effect      string          `json:"effect"` // "recorded" or "outside"
	Host        string          `json:"host"`
}

// CallCard is what an approval of a call says of it, made by the server. Of a sensitive read nothing
// but the document's id and version and the knowledge base's name is told before it was approved:
// Arguments, Checksum and Size are absent. Arguments are absent too once they were erased with a
// document that they may repeat; ArgsHash stays.
type CallCard struct {
	Tool              string          `json:"tool"`
	Sensitivity       string          `json:"sensitivity"`
	KnowledgeBaseName string          `json:"knowledge_base_name"`
	ArgsHash          string          `json:"args_hash"`
	Arguments         json.RawMessage `json:"arguments,omitempty"`
	EvidenceRunID     string          `json:"evidence_run_id,omitempty"`
	Effect            string          `json:"effect"` // "recorded" or "outside"
	Host              string          `json:"host"`
	StrippedFields    int             `json:"stripped_fields"` // identity fields that were taken out
	Checksum          string          `json:"checksum,omitempty"`
	Size              int64           `json:"size,omitempty"`
}

// TaskRef names what an approved call became. Status is "queued", "running", "succeeded", "failed"
// or "unknown": of the last nobody can know whether the effect happened.
type TaskRef struct {
	TaskID    string `json:"task_id"`
	Status    string `json:"status"`
	Code      string `json:"code,omitempty"` // why it did not succeed
	ResultURI string `json:"result_uri"`
}

// TaskDecision is the decision that a task rests on.
type TaskDecision struct {
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Approved bool      `json:"approved"`
	Request  string    `json:"request"`
}

// Task is an approved call with its run and its decision, which is null for a call that needed none.
// Owner is the person of the tenant whom its arguments name as such, and who may see it too; it is
// absent where they name nobody, or somebody who was no person of the tenant when it was proposed.
// When Withheld, its document is no longer available to the caller, and nothing of the arguments
// and of the answer is told.
type Task struct {
	TaskRef
	ApprovalID      string          `json:"approval_id"`
	RunID           string          `json:"run_id"`
	EvidenceRunID   string          `json:"evidence_run_id,omitempty"`
	Tool            string          `json:"tool"`
	Sensitivity     string          `json:"sensitivity"`
	Actor           string          `json:"actor"`
	Owner           string          `json:"owner,omitempty" doc:"The person of the tenant who is to do it and may see it. Absent where the arguments name nobody, or anybody else: that is a word, which gives nobody a right."`
	ObjectID        string          `json:"object_id"`
	Version         string          `json:"version,omitempty"`
	Title           string          `json:"title,omitempty"` // of the task, where its arguments have one
	DocumentTitle   string          `json:"document_title,omitempty"`
	KnowledgeBaseID string          `json:"knowledge_base_id,omitempty"`
	Arguments       json.RawMessage `json:"arguments,omitempty"`
	ArgsHash        string          `json:"args_hash"`
	Answer          json.RawMessage `json:"answer,omitempty"`
	Decision        *TaskDecision   `json:"decision"`
	CreatedAt       time.Time       `json:"created_at"`
	StartedAt       *time.Time      `json:"started_at"`
	EndedAt         *time.Time      `json:"ended_at"`
	Withheld        bool            `json:"withheld,omitempty"`
}

// Export is the full text that an approved export gives out.
type Export struct {
	TaskID    string            `json:"task_id"`
	Documents []DocumentVersion `json:"documents"`
}
