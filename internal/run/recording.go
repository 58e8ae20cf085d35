package run

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

// Recording is what one exchange of a run was, word for word: what a later attempt went on from, what
// an attempt began with, one turn of the model, one call of a tool, or what of its sight a run lost.
// Exactly one of them is set. From the recordings of a run its loop can be run again, without a model
// and without the documents.
type Recording struct {
	Attempt int
	Step    int
	Resumed *Resumed
	Began   *Began
	Turn    *Turn
	Tool    *ToolCall
	Judged  *Judged
}

// Judged is a judgement of what a run has in sight that changed its course. One that found all of it
// readable is not recorded.
type Judged struct {
	Look  int      // which look at its sight of the attempt it was, from 1
	Lost  []string // references that may not be read any more
	Found bool     // whether some document that a search named may not be
	Gone  bool     // whether the actor may do nothing any more
	Stale bool     // no look, but an answer that was not stored, since rights had changed
	Place int      // no look at its sight, but this look at where its text may go, from 1
	Local bool     // whether it may go nowhere else
}

// Resumed is what an attempt after the first went on from. It is recorded with the resume, and holds
// what the recordings of the attempt before do not tell: how far that had come when it was
// interrupted, and what could not be read any more when the run was taken up again.
type Resumed struct {
	Model      llm.Info // what was to answer from then on
	Lost       []string // references that could not be read any more
	Found      bool     // whether some document that a search named could not be
	Use        Use      // without the time
	Requests   int      // to models, in all attempts before
	PromptHash string   // of these requests
	Notices    []string // of the run before it was taken up again
}

// Began is what an attempt had before its first step.
type Began struct {
	Model   llm.Info // what was to answer
	Memory  string   // of the conversation
	Notices []string // of the run so far
	// Verifier was to check sentences; the zero value if the rules alone did.
	Verifier llm.Info
}

// Turn is one request to a model and what came back.
type Turn struct {
	// Kept is how many messages of the prompt were those at the beginning of the prompt before, in
	// the same attempt; Prompt holds the others.
	Kept   int
	Prompt []llm.Message
	Tools  []llm.ToolSpec
	Hash   string // of the whole request
	Model  llm.Info
	// Response is nil if the request failed; then Failure is the reason that it would end the run
	// with.
	Response *llm.Response
	Failure  Reason
}

// ToolCall is one call that a model or the runtime made, and what came of it.
type ToolCall struct {
	Call    llm.ToolCall
	Outcome tool.Outcome
}

// Recorded is a recording as a store keeps it.
type Recorded struct {
	Recording
	Hash string // of its record, hex
	// Withheld is true of one that is shown to somebody who may not read it: all else but its hash is left out.
	Withheld bool
	Erased   bool // whether the record was emptied, as erasing a document does that the run found or read
	Altered  bool // whether the record is not the one of the hash
}

// Prompts returns the whole prompt of each turn, in the order of the recordings; nil for what is no
// turn, and from the first one on whose beginning was erased.
func Prompts(tape []Recorded) [][]llm.Message {
	out := make([][]llm.Message, len(tape))
	var before []llm.Message
	attempt := 0
	for i, r := range tape {
		if r.Attempt != attempt {
			before, attempt = nil, r.Attempt
		}
		if r.Turn == nil || r.Turn.Kept > len(before) {
			continue
		}
		prompt := append(append([]llm.Message{}, before[:r.Turn.Kept]...), r.Turn.Prompt...)
		out[i], before = prompt, prompt
	}
	return out
}

// Packed is a recording on its way into a store: versioned JSON, with its hash in hex under the seal of
// its run.
type Packed struct {
	Record string
	Hash   string
}

// Pack writes a recording. One that holds what can't be written (a place that is no JSON) keeps its
// attempt and step alone.
func (r Recording) Pack(s seal.Seal) Packed {
	b, err := json.Marshal(packed(r))
	if err != nil {
		b, _ = json.Marshal(packed(Recording{Attempt: r.Attempt, Step: r.Step}))
	}
	return Packed{string(b), s.Hash(NameRecording, string(b))}
}

// Tapes is the seam to stored recordings.
type Tapes interface {
	// Tape returns the recordings of a run of an actor, in order. Those that were erased have their
	// hash alone. problem.NotFound for runs of anybody else.
	Tape(ctx context.Context, tenant access.TenantID, actor access.UserID, id ID) ([]Recorded, error)
}

// Fold adds the hash of one more recording to the hash of those before.
func Fold(before, next string) string { return seal.Hash("", before+next) }
