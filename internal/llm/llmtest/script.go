// Package llmtest holds stand-ins for models, for tests alone: Lexicon, an embedder over words; Script, a generator that
// plays a list of turns, and Server, an endpoint that speaks the OpenAI protocol and plays the
// same turns over HTTP. Both record what they were asked.
package llmtest

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// Turn is one scripted answer of a model.
type Turn struct {
	// Text is streamed piece by piece: in runs of four characters, so that pieces split words
	// and references.
	Text string
	// Reasoning is streamed before the text.
	Reasoning string
	// Calls are the tool calls of the turn. A call without an id gets one.
	Calls []llm.ToolCall
	// Usage is what the endpoint reports; nil means it reports nothing.
	Usage *llm.Usage
	// Finish overrides the reason to stop; empty means CallTools with calls, Stop without.
	Finish llm.Finish
	// State comes back with the message.
	State []byte
	// Attempts are reported as failed tries before this turn.
	Attempts []llm.Attempt
	// Err, if set, is returned after Text was streamed.
	Err error
	// Block, if set, holds the turn until the channel is closed or the context ends.
	Block <-chan struct{}
	// Check, if set, looks at the request before the turn is played.
	Check func(llm.Request)
	// Answer, if set, makes the turn from the request; the other fields are ignored. It serves
	// tests that need ids or references which they learn only while they run.
	Answer func(llm.Request) Turn
}

// Script is a generator that plays its turns in order, one a request. A request beyond the last
// turn fails with code "script_exhausted", so that a loop that asks too often is seen.
type Script struct {
	// Identity is what Info returns; New sets a local model named "script".
	Identity llm.Info

	mu       sync.Mutex
	turns    []Turn
	requests []llm.Request
}

// New makes a script of the turns.
func New(turns ...Turn) *Script {
	return &Script{Identity: llm.Info{Engine: llm.Model, Name: "script", Host: "127.0.0.1"}, turns: turns}
}

// Info names the scripted model.
func (s *Script) Info() llm.Info { return s.Identity }

// Requests returns a copy of the requests so far, in order.
func (s *Script) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left returns how many turns were not played yet.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, len(s.turns)-len(s.requests))
}

// Generate plays the next turn.
func (s *Script) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	turn, err := s.next(req)
	if err != nil {
		return llm.Response{}, err
	}
	if turn.Block != nil {
		select {
		case <-turn.Block:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	if emit != nil {
		stream(turn, emit)
	}
	if turn.Err != nil {
		return llm.Response{Attempts: turn.Attempts}, turn.Err
	}
	return turn.response(), nil
}

// next records the request and returns the turn that answers it.
func (s *Script) next(req llm.Request) (Turn, error) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, copyRequest(req))
	var turn Turn
	played := n < len(s.turns)
	if played {
		turn = s.turns[n]
	}
	s.mu.Unlock()
	if !played {
		return Turn{}, problem.New(problem.Unavailable, "script_exhausted",
			"The scripted model has %d turns and was asked for turn %d.", len(s.turns), n+1)
	}
	if turn.Check != nil {
		turn.Check(req)
	}
	if turn.Answer != nil {
		turn = turn.Answer(req)
	}
	turn.Calls = slices.Clone(turn.Calls)
	for i := range turn.Calls {
		if turn.Calls[i].ID == "" {
			turn.Calls[i].ID = "call_" + strconv.Itoa(n+1) + "_" + strconv.Itoa(i+1)
		}
	}
	return turn, nil
}

// copyRequest keeps a request safe from later changes of the caller's slices.
func copyRequest(req llm.Request) llm.Request {
	req.Messages = slices.Clone(req.Messages)
	for i := range req.Messages {
		req.Messages[i].Calls = slices.Clone(req.Messages[i].Calls)
	}
	req.Tools = slices.Clone(req.Tools)
	return req
}

// stream emits the turn's reasoning and text in small pieces.
func stream(turn Turn, emit func(llm.Delta)) {
	for _, piece := range pieces(turn.Reasoning) {
		emit(llm.Delta{Reasoning: piece})
	}
	for _, piece := range pieces(turn.Text) {
		emit(llm.Delta{Text: piece})
	}
}

// pieces cuts a text into runs of four characters.
func pieces(text string) []string {
	var out []string
	for c := range slices.Chunk([]rune(text), 4) {
		out = append(out, string(c))
	}
	return out
}

// response is the whole turn as a generator returns it.
func (t Turn) response() llm.Response {
	return llm.Response{
		Message: llm.Message{Role: llm.Assistant, Text: t.Text, Calls: t.Calls, State: t.State},
		Finish:  t.finish(), Usage: t.Usage, Attempts: t.Attempts,
	}
}

// finish is the turn's reason to stop.
func (t Turn) finish() llm.Finish {
	switch {
	case t.Finish != "":
		return t.Finish
	case len(t.Calls) > 0:
		return llm.CallTools
	}
	return llm.Stop
}

// Search is the call of search_knowledge with a query.
func Search(query string) llm.ToolCall {
	return llm.ToolCall{Name: "search_knowledge", Arguments: `{"query":` + quote(query) + `}`}
}

// Read is the call of read_document with a document's id.
func Read(document string) llm.ToolCall {
	return llm.ToolCall{Name: "read_document", Arguments: `{"document_id":` + quote(document) + `}`}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("llmtest: " + err.Error())
	}
	return string(b)
}

// Tokens is a usage that reports all three figures.
func Tokens(prompt, completion int) *llm.Usage {
	total := prompt + completion
	return &llm.Usage{Prompt: &prompt, Completion: &completion, Total: &total}
}
