// Package llm holds the contract with language models: messages, tool calls, usage, and the
// interface Generator that adapters implement.
//
// Usage that an endpoint did not report is nil, never zero. Reasoning text is kept apart from
// the answer. What a provider needs back unchanged in later requests travels as opaque state.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Role says who speaks in a message.
type Role string

// The roles of messages.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Message is one entry of the conversation with a model.
type Message struct {
	Role Role
	Text string
	// Calls are the tool calls of an assistant message.
	Calls []ToolCall
	// CallID names the call that a tool message answers.
	CallID string
	// State is what the provider wants back with this assistant message (reasoning content, for
	// one), verbatim; nil if there was none.
	State json.RawMessage
}

// ToolCall is a model's wish to run a tool. Arguments are as the model wrote them: maybe not
// JSON at all.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// ToolSpec describes a tool to a model. Schema is a JSON Schema of an object.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

// Request is one model call.
type Request struct {
	Messages []Message
	Tools    []ToolSpec
	// MaxOutput bounds the answer in tokens; 0 leaves it to the endpoint.
	MaxOutput int
	// Thread names the conversation that the request goes on with, the same in all its turns. It is
	// never sent; a generator may derive from it what must differ between conversations.
	Thread string
}

// Delta is a piece of a streamed response.
type Delta struct {
	Text      string
	Reasoning string
}

// Finish says why a model stopped.
type Finish string

// The reasons to stop.
const (
	Stop      Finish = "stop"
	CallTools Finish = "tool_calls"
	Length    Finish = "length"
	Filtered  Finish = "content_filter"
)

// Usage is what an endpoint reported, in tokens. A nil field was not reported.
type Usage struct {
	Prompt     *int
	Completion *int
	Total      *int
}

// Attempt is one try of a request that was retried or failed.
type Attempt struct {
	Code     string // "rate_limited", "http_503", "connect", …
	Duration time.Duration
}

// Response is a whole model turn. Usage is nil if the endpoint reported none.
type Response struct {
	Message  Message
	Finish   Finish
	Usage    *Usage
	Attempts []Attempt // failed tries before this one
	// Reasoning counts the code points of what the model thought before it answered. The thoughts
	// are no part of Message.Text; what an endpoint reports as usage includes them.
	Reasoning int
	// Remarks are what a generator by rules tells of its answer beside the text; models tell nothing.
	Remarks []Remark
}

// Remark is something that people have to know of an answer: a code, and references of the passages that it is about.
type Remark struct {
	Code string
	Refs []string
	// Quotes are the sentences of these passages that it is about, in their order, and Kind says what of them; only where
	// sources disagree.
	Quotes []string
	Kind   string
}

// The remarks of the contract.
const (
	// SourcesDisagree says that the answer tells of two passages that disagree.
	SourcesDisagree = "sources_disagree"
	// MachineWordsLeftOut says that a passage holds a sentence about what is asked which is addressed to machines, so
	// that no answer quotes it. The passage can be opened.
	MachineWordsLeftOut = "machine_words_left_out"
)

// Engine says what kind of generator answers.
type Engine string

// The engines of the contract.
const (
	Model Engine = "model"
	Rules Engine = "rules"
)

// Info names a generator for people and for the ledger.
type Info struct {
	Engine Engine
	Name   string // model id
	Host   string // host that receives the text; "" if it stays in this process
	Remote bool   // true if the host is not this machine
}

// Generator produces one model turn. It streams through emit (which may be nil and must not be
// called after Generate returns) and returns the accumulated message.
//
// Errors are *problem.Error of kind Unavailable with code "model_timeout" or "model_error", or
// the context's error when it ended; CauseOf tells them apart. Retries happen inside, bounded, and
// only before the first byte of a response was consumed.
//
// Only the returned message is the answer: what was streamed as text may turn out to have been
// reasoning when its end comes, where an endpoint does not mark its beginning.
type Generator interface {
	Generate(ctx context.Context, req Request, emit func(Delta)) (Response, error)
	Info() Info
}
