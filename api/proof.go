package api

import (
	"encoding/json"
	"time"
)

// Proof shows that an entry is in a log: an auditor's is the tenant's, everybody else's their own
// entries. Index counts from 0 in that log. Hashes are those of RFC 6962 in base64; Checkpoint is a
// signed note (C2SP tlog-checkpoint) and names the log.
type Proof struct {
	Entry      Entry    `json:"entry"`
	Index      int64    `json:"index"`
	Hashes     []string `json:"hashes"`
	Checkpoint string   `json:"checkpoint"`
	Key        string   `json:"key"`
}

// Checkpoint is the state of a log, signed. Kept somewhere else, it exposes a log that was rewritten
// since. Consistency is there when an earlier size was named.
type Checkpoint struct {
	Checkpoint  string       `json:"checkpoint"`
	Size        int64        `json:"size"`
	Key         string       `json:"key"`
	Consistency *Consistency `json:"consistency"`
}

// Consistency proves that a log of From entries is the beginning of the log as it is.
type Consistency struct {
	From   int64    `json:"from"`
	Hashes []string `json:"hashes"`
}

// LedgerKey is the public key that signs checkpoints and bundles, for anybody to keep.
type LedgerKey struct {
	Key string `json:"key"`
}

// Why is how a run came to what it says, as far as the caller may see it now. Where Withheld,
// prompts, responses and results of tools are not there: something that the run found or read is no
// longer available to the caller, or an auditor may not read every document involved.
type Why struct {
	RunID        string   `json:"run_id"`
	Actor        string   `json:"actor"`
	Kind         string   `json:"kind"`
	Goal         string   `json:"goal"`
	Route        string   `json:"route"`
	State        string   `json:"state"`
	FinishReason string   `json:"finish_reason"`
	Engine       string   `json:"engine"`
	Model        Model    `json:"model"`
	Answer       string   `json:"answer"`
	Sections     Sections `json:"sections"`
	Reduced      bool     `json:"reduced"`
	Withheld     bool     `json:"withheld"`
	// Prompt is the whole prompt of the last request to the model, PromptHash covers all of them.
	Prompt     []Message `json:"prompt"`
	PromptHash string    `json:"prompt_hash"`
	// Exchanges are the recordings of the run's steps, RecordingHash covers them, and RecordingsHold
	// tells that those which are stored are the ones of that hash.
	Exchanges      []Exchange `json:"exchanges"`
	RecordingHash  string     `json:"recording_hash"`
	RecordingsHold bool       `json:"recordings_hold"`
	Evidence       []Evidence `json:"evidence"`
	ToolCalls      []ToolCall `json:"tool_calls"`
	Checks         []Check    `json:"checks"`
	States         []Event    `json:"states"`
	Decisions      []Entry    `json:"decisions"`
	Entries        []Entry    `json:"entries"`
	Proof          *Proof     `json:"proof"` // of the entry of the run's end
	// Integrity says whether the record is the one that the ledger tells of.
	Integrity *Integrity `json:"integrity"`
	// GoalNonce and AnswerNonce open the hashes that the ledger has of question and answer (HMAC-SHA-256);
	// empty where the hash is plain, and where the text is not shown whole.
	GoalNonce   string `json:"goal_nonce,omitempty"`
	AnswerNonce string `json:"answer_nonce,omitempty"`
}

// Message is one message of a prompt.
type Message struct {
	Role   string          `json:"role"`
	Text   string          `json:"text"`
	Calls  []RequestedCall `json:"calls"`
	CallID string          `json:"call_id"`
}

// RequestedCall is a call of a tool as a model asked for it.
type RequestedCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Exchange is one recording: that a run was "resumed", with the passages that it lost the right to show
// before; what an attempt "began" with, a request to the "model" and its response, a call of a "tool",
// or "judged": passages that the run lost the right to show meanwhile. Where something that the run found or
// read is not there any more for the reader, all are "withheld" and have their hash alone, whatever became of
// it. An auditor is told instead which were "erased" with a document, and of the others what holds no text.
type Exchange struct {
	No         int             `json:"no"`
	Kind       string          `json:"kind"`
	Attempt    int             `json:"attempt"`
	Step       int             `json:"step"`
	Hash       string          `json:"hash"`
	Memory     string          `json:"memory,omitempty"`
	PromptHash string          `json:"prompt_hash,omitempty"`
	Kept       int             `json:"kept,omitempty"` // messages that stood at the beginning of the prompt before
	Prompt     []Message       `json:"prompt,omitempty"`
	Response   *Message        `json:"response,omitempty"`
	Finish     string          `json:"finish,omitempty"`
	Failure    string          `json:"failure,omitempty"`
	Lost       []string        `json:"lost,omitempty"`
	Call       *RequestedCall  `json:"call,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	Code       string          `json:"code,omitempty"`
	Result     json.RawMessage `json:"result,omitempty"`
}

// Evidence is a passage that a run read, with its hash. A withheld one has its label alone.
type Evidence struct {
	Label       string          `json:"label"`
	Cited       bool            `json:"cited"`
	Withheld    bool            `json:"withheld,omitempty"`
	DocumentID  string          `json:"document_id,omitempty"`
	DocKey      string          `json:"doc_key,omitempty"`
	Title       string          `json:"title,omitempty"`
	Version     int             `json:"version,omitempty"`
	Status      string          `json:"status,omitempty"` // of the version now
	ChunkID     string          `json:"chunk_id,omitempty"`
	Locator     json.RawMessage `json:"locator,omitempty"`
	Span        *Span           `json:"span,omitempty"`
	Excerpt     string          `json:"excerpt,omitempty"`
	Nonce       string          `json:"nonce,omitempty"` // opens ExcerptHash
	ExcerptHash string          `json:"excerpt_hash,omitempty"`
	Truncated   bool            `json:"truncated,omitempty"`
	ReadAt      *time.Time      `json:"read_at,omitempty"`
}

// ToolCall is one call of a tool, by the hashes of arguments and result. Code is "ok", or says how it
// failed.
type ToolCall struct {
	CallID     string `json:"call_id"`
	Tool       string `json:"tool"`
	ArgsHash   string `json:"args_hash"`
	ResultHash string `json:"result_hash"`
	Code       string `json:"code"`
}
