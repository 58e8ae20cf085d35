// Package tool holds the contract of tools that a model may ask for, and the executor that is
// the only way to run one.
//
// On every call the executor checks, in this order: the name is in the route's list; the
// arguments are one strict JSON object; identity fields are stripped and recorded; the arguments
// satisfy the tool's JSON Schema; the actor may use the tool now. Only then the tool runs, under
// a deadline. A failure is a result for the run, never a panic and never an authorisation.
package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"unicode/utf16"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
)

// Sensitivity says what a tool may touch and who must agree.
type Sensitivity string

// The sensitivities. Reads run automatically; sensitive reads are audited and may need a person;
// writes always need a person's separate decision.
const (
	Read          Sensitivity = "read"
	SensitiveRead Sensitivity = "sensitive_read"
	Write         Sensitivity = "write"
)

// Spec describes a tool to the model and to the executor.
type Spec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments: an object without extra fields
	Sensitivity Sensitivity
	// Role, if set, is the role of the tenant that the actor must hold at the time of the call.
	Role access.Role
}

// Hash is over all that a person who agrees to a call leans on: name, description, schema,
// sensitivity and role. A tool whose hash differs is another tool.
func (s Spec) Hash() string {
	h := sha256.New()
	for _, part := range []string{s.Name, s.Description, string(s.Schema), string(s.Sensitivity), string(s.Role)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Tool is one tool. Call gets arguments that satisfy the schema; the identity to act under comes
// from the call, never from the arguments.
//
// Call returns a *Failure for outcomes that the run must tell apart; any other error is a failed
// dependency, which the executor may retry.
type Tool interface {
	Spec() Spec
	Call(ctx context.Context, call Call) (Result, error)
}

// Call is one run of a tool.
type Call struct {
	ID      string
	Actor   access.Actor
	Args    json.RawMessage
	Session Session
}

// Hit is a document that a search of this run found, with the chunk that matched best.
type Hit struct {
	Document corpus.DocumentID
	Version  int
	Title    string
	Chunk    corpus.ChunkID
	Span     corpus.Span
	// Versions are those of the document that the search named beside the hit, if the session asks
	// for them. Only these may be read as history.
	Versions []Version
	// Passage is the whole chunk. Fixed retrieval places it in the context; it is not for the
	// answer to a search call, which shows snippets only.
	Passage corpus.Passage
}

// Version is one version of a document that was found, as a search names it.
type Version struct {
	Document corpus.DocumentID `json:"document_id"`
	Version  int               `json:"version"`
	Status   access.Status     `json:"status"`
}

// Search is one executed search page.
type Search struct {
	Query string // normalised
	Page  int    // from 1
	Hits  int
	More  bool
	// WordsOnly is true if search by meaning is there and failed.
	WordsOnly bool
	// NotReranked is true if a reranker is there and failed.
	NotReranked bool
}

// Window is a stretch of a version that was read, with its size in UTF-16 units.
type Window struct {
	Document corpus.DocumentID
	Version  int
	Span     corpus.Span
	Units    int
}

// Session is what a run lets its tools know: its fixed scope, what it did so far, and what is
// left of its limits. Tools do not change it; the run does, from their results.
type Session struct {
	Run string // id of the run, for the audit
	// Versions is true in a run that may read history: its searches name the other versions of
	// what they find.
	Versions bool
	Request  access.Request
	// Hits holds the best hit of each document that a search of this run returned.
	Hits     map[corpus.DocumentID]Hit
	Searches []Search
	Windows  []Window

	SearchPages int // search pages allowed in the whole run
	PageSize    int // hits a page
	Documents   int // documents that may be read in the whole run
	TextUnits   int // UTF-16 units that may be read of one document, over all its windows
	WindowUnits int // UTF-16 units of a default window
}

// DocumentsRead returns the documents read so far, in order.
func (s Session) DocumentsRead() []corpus.DocumentID {
	var out []corpus.DocumentID
	seen := map[corpus.DocumentID]bool{}
	for _, w := range s.Windows {
		if !seen[w.Document] {
			seen[w.Document] = true
			out = append(out, w.Document)
		}
	}
	return out
}

// UnitsLeft returns how many UTF-16 units of a document may still be read.
func (s Session) UnitsLeft(id corpus.DocumentID) int {
	left := s.TextUnits
	for _, w := range s.Windows {
		if w.Document == id {
			left -= w.Units
		}
	}
	return max(0, left)
}

// Units returns the length of a text in UTF-16 units, in which the text limits are counted.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// Result is what a tool did. The run adds the references of the passages before the model sees
// any of it.
type Result struct {
	// Content is a JSON object for the model, without the passages' text.
	Content json.RawMessage
	// Search is set by a search; Hits are its hits, in order.
	Search *Search
	Hits   []Hit
	// Passages were read and become evidence.
	Passages []corpus.Passage
	// Summary is for the event: counts and ids, no text.
	Summary map[string]any
}

// Code says how a tool call failed.
type Code string

// The codes of a failure. The limit codes and NoProgress, OutOfScope, NotAllowed, PermissionDenied
// and TextChanged end the run.
const (
	InvalidJSON      Code = "invalid_json"
	InvalidArguments Code = "invalid_arguments"
	NotAllowed       Code = "tool_not_allowed"
	PermissionDenied Code = "permission_denied"
	NotFound         Code = "not_found"
	OutOfScope       Code = "out_of_scope"
	NoProgress       Code = "no_progress"
	LimitSearchPages Code = "limit_search_pages"
	LimitDocuments   Code = "limit_documents"
	LimitText        Code = "limit_document_text"
	Timeout          Code = "timeout"
	Dependency       Code = "dependency"
	// TextChanged is of a stored text that is not the one that was taken in: without it, nothing can be said of what
	// there is.
	TextChanged Code = "text_changed"
	// Unreached and Refused are of tools that call an endpoint: nothing was sent, or the endpoint
	// answered that it did nothing.
	Unreached Code = "endpoint_unreachable"
	Refused   Code = "endpoint_refused"
	// OutsideRoot and NotImage are of tools that work on files of one folder.
	OutsideRoot Code = "outside_root"
	NotImage    Code = "not_an_image"
)

// Harmless reports whether a failure with this code says that nothing was done. Of any other one
// nobody knows whether an effect outside happened.
func (c Code) Harmless() bool {
	switch c {
	case InvalidJSON, InvalidArguments, NotAllowed, PermissionDenied, NotFound, OutOfScope, Unreached, Refused, OutsideRoot, NotImage:
		return true
	}
	return false
}

// Ends reports whether a failure with this code ends the run, so that its text never goes back
// to the model.
func (c Code) Ends() bool {
	switch c {
	case NotAllowed, PermissionDenied, OutOfScope, NoProgress, LimitSearchPages, LimitDocuments, LimitText, TextChanged:
		return true
	}
	return false
}

// Retryable reports whether the same call may succeed when the executor tries it again.
func (c Code) Retryable() bool { return c == Timeout || c == Dependency }

// Failure is a tool call that did not succeed. Detail is fit for the model and reveals nothing
// about what the actor can't see.
type Failure struct {
	Code   Code
	Detail string
	// Pointer is the JSON pointer of the argument that breaks a rule; "" where it is no single one.
	Pointer string
	// Err is the cause, for logs only. A failure that is about the arguments has none, since it
	// would repeat their values.
	Err error
}

// Error returns code and detail.
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Outcome is what came of a call that went through the executor.
type Outcome struct {
	Spec Spec // zero if the tool was not allowed
	// Args are the arguments after stripping; nil if they were not JSON.
	Args json.RawMessage
	// Stripped names the identity fields that were taken out, as JSON pointers, in order.
	Stripped []string
	Result   Result
	Failure  *Failure // nil on success
	Tries    int
}
