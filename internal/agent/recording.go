package agent

import (
	"maps"
	"reflect"
	"slices"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// tape is what waits to be recorded with the next commit, and what prompts are shortened by.
type tape struct {
	looks   int // at what is in sight, in this attempt
	places  int // looks at where its text may go, in this attempt
	pending []run.Packed
	prompt  []llm.Message // of the turn that was recorded last, in this attempt
}

// tape records an exchange of the run, word for word, with the step that it belongs to.
func (w *worker) tape(r run.Recording) {
	w.taped.pending = append(w.taped.pending, pack(w.run, r))
	if w.past != nil {
		w.past.retold++
	}
}

// pack makes the record of an exchange of a run where it stands, and adds it to the hash of those
// before.
func pack(r *run.Run, recording run.Recording) run.Packed {
	recording.Attempt, recording.Step = r.Attempt, r.Step
	p := recording.Pack(r.Seal)
	r.TapeHash = run.Fold(r.TapeHash, p.Hash)
	return p
}

// tapeBegan records what the attempt began with: the model is the one before any look at where text
// may go.
func (w *worker) tapeBegan(model llm.Info) {
	began := &run.Began{Model: model, Memory: w.memory, Notices: slices.Clone(w.run.Notices)}
	if v := w.agent.deps.Verifier; v != nil {
		began.Verifier = v.Info()
	}
	w.tape(run.Recording{Began: began})
}

// tapeTurn records a request to a model and what came back; failure is the reason that a failed one
// would end the run with.
func (w *worker) tapeTurn(by llm.Info, request llm.Request, response llm.Response, failure run.Reason) {
	kept := 0
	for kept < min(len(w.taped.prompt), len(request.Messages)) && reflect.DeepEqual(w.taped.prompt[kept], request.Messages[kept]) {
		kept++
	}
	t := &run.Turn{
		Kept: kept, Prompt: request.Messages[kept:], Tools: request.Tools, Hash: hashPrompt(w.run.Seal, request), Model: by, Failure: failure,
	}
	if failure == "" {
		t.Response = &response
	}
	w.taped.prompt = append([]llm.Message{}, request.Messages...)
	w.tape(run.Recording{Turn: t})
}

// tapeLoss records a judgement by which the run lost something.
func (w *worker) tapeLoss(v review) {
	w.tape(run.Recording{Judged: &run.Judged{Look: w.taped.looks, Lost: slices.Sorted(maps.Keys(v.lost)), Found: v.found}})
}

func (w *worker) tapeCall(call llm.ToolCall, outcome tool.Outcome) {
	w.tape(run.Recording{Tool: &run.ToolCall{Call: call, Outcome: outcome}})
}
