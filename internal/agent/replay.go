package agent

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/replay"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// Past is a run as it was stored, with the recordings of its steps.
type Past struct {
	Run      *run.Run
	Evidence []citation.Evidence
	Tape     []run.Recorded
}

// Difference is the first thing in which a run that was gone through again differs from the stored
// one. Texts are told of by their hashes.
type Difference struct {
	What     string `json:"what"`
	Recorded string `json:"recorded"`
	Replayed string `json:"replayed"`
}

// String says it in one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: recorded %s, replayed %s", d.What, d.Recorded, d.Replayed)
}

// Replay runs the loop of a run again from its recordings: the same model responses and results of
// tools, and no clock, store or document. It returns the first difference from what was stored, or
// nil. Where something from outside ended the run (a wish to cancel, its time, the end of the
// process), the same ends the replay when the recordings do. A run that has not ended, that was not
// recorded, or whose recordings were erased is problem.Conflict "not_replayable".
func Replay(ctx context.Context, past Past) (*Difference, error) {
	if err := playable(past); err != nil {
		return nil, err
	}
	for i, r := range past.Tape {
		if r.Altered {
			return &Difference{fmt.Sprintf("recording %d", i+1), r.Hash, "another hash"}, nil
		}
	}
	p := newPlayer(ctx, past)
	defer p.cancel(nil)
	w := &worker{
		agent: p.agent, actor: access.Actor{Tenant: past.Run.Tenant, User: past.Run.Actor}, sight: sight{run: p.run, next: run.Asking},
		generator: p.agent.deps.Generator, began: past.Run.StartedAt, memory: p.memory, past: p,
	}
	w.whole(p.ctx)
	return p.compare(), nil
}

func playable(past Past) error {
	r := past.Run
	no := func(why string) error {
		return problem.New(problem.Conflict, "not_replayable", "The run can't be replayed: %s.", why)
	}
	switch {
	case !r.State.Final():
		return no("it has not ended")
	case r.Attempt > 1:
		return no("it was resumed, and where an attempt begins is not recorded")
	case r.Kind.Decides():
		return no("no model took part in it")
	case r.Reason == run.InternalFault:
		return no("a fault inside ended it, which no recording holds")
	case len(past.Tape) == 0 && (r.Use.Steps > 0 || len(r.Calls) > 0):
		return no("it was not recorded")
	}
	for _, t := range past.Tape {
		if t.Erased {
			return no("its recordings held text of a document that was erased")
		}
	}
	return nil
}

// player is a replay under way: it stands in for everything that a worker works with.
type player struct {
	past   Past
	ctx    context.Context
	cancel context.CancelCauseFunc
	agent  *Agent
	run    *run.Run
	memory string

	tape  *replay.Tape
	turns []*run.Turn
	calls []*run.ToolCall
	looks map[int]*run.Judged // judgements that changed the course
	spots map[int]*run.Judged // looks at where text may go, that changed it
	stale int                 // answers that are not to be stored
	made  int                 // calls that were made
	over  bool
	first *Difference

	ended    *run.Run
	evidence []citation.Evidence
}

func newPlayer(ctx context.Context, past Past) *player {
	p := &player{past: past, looks: map[int]*run.Judged{}, spots: map[int]*run.Judged{}}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	r := past.Run
	model, rules, verifier := r.Model, llm.Info{Engine: llm.Rules}, llm.Info{}
	var turns []replay.Turn
	for _, t := range past.Tape {
		switch {
		case t.Began != nil:
			model, verifier, p.memory = t.Began.Model, t.Began.Verifier, t.Began.Memory
		case t.Turn != nil:
			p.turns = append(p.turns, t.Turn)
			turns = append(turns, turnOf(t.Turn))
			if t.Turn.Model != model && t.Turn.Model != verifier {
				rules = t.Turn.Model
			}
		case t.Judged != nil && t.Judged.Stale:
			p.stale++
		case t.Judged != nil && t.Judged.Place > 0:
			p.spots[t.Judged.Place] = t.Judged
		case t.Judged != nil:
			p.looks[t.Judged.Look] = t.Judged
		case t.Tool != nil:
			p.calls = append(p.calls, t.Tool)
		}
	}
	if model.Engine == llm.Rules {
		rules = model
	}
	p.tape = replay.New(turns)
	p.tape.Asked, p.tape.Over = p.asked, p.end
	p.agent = New(p.deps(model, rules, verifier))
	p.run = &run.Run{
		ID: r.ID, Tenant: r.Tenant, Actor: r.Actor, Kind: r.Kind, Goal: r.Goal, Conversation: r.Conversation, Scope: r.Scope,
		Route: r.Route, Tools: r.Tools, Model: model, RulesFallback: r.RulesFallback, State: run.Queued, Attempt: 1, Limits: r.Limits,
		CreatedAt: r.CreatedAt,
	}
	return p
}

// deps stand in for what the agent works with: whoever answers or checks plays the tape.
func (p *player) deps(model, rules, verifier llm.Info) Deps {
	d := Deps{
		Journal: keeper{nil, p}, Executor: p, Generator: p.tape.As(model), Rules: p.tape.As(rules), Limits: p.past.Run.Limits,
		Clock: func() time.Time { return p.past.Run.StartedAt }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	if verifier != (llm.Info{}) {
		d.Verifier = p.tape.As(verifier)
	}
	return d
}

// review is what was found at a look at what is in sight.
func (p *player) review(look int) (review, error) {
	j := p.looks[look]
	switch {
	case j == nil:
		return review{}, nil
	case j.Gone:
		return review{}, problem.Missing()
	}
	v := review{lost: map[string]bool{}, found: j.Found}
	for _, ref := range j.Lost {
		v.lost[ref] = true
	}
	return v, nil
}

// localOnly is what was found at a look at where text may go.
func (p *player) localOnly(look int) (bool, error) {
	j := p.spots[look]
	if j != nil && j.Gone {
		return false, problem.Missing()
	}
	return j != nil, nil
}

// turnOf is a recorded turn for the tape.
func turnOf(t *run.Turn) replay.Turn {
	if t.Response != nil {
		return replay.Turn{Response: *t.Response}
	}
	return replay.Turn{Err: problem.New(problem.Unavailable, string(t.Failure), "The model failed, as it was recorded.")}
}

// end ends the replay where the recordings end, by what ended the run.
func (p *player) end() {
	p.over = true
	switch p.past.Run.Reason {
	case run.WasCancelled:
		p.cancel(errCancelled)
	case run.LimitTime:
		p.cancel(errTime)
	case run.ProcessGone:
		p.cancel(errShutdown)
	default:
		p.cancel(problem.New(problem.Internal, "tape_over", "The recordings end here."))
	}
}

// asked compares a prompt with the recorded one.
func (p *player) asked(n int, req llm.Request) {
	if n < len(p.turns) {
		p.differ(fmt.Sprintf("prompt %d", n+1), p.turns[n].Hash, hashPrompt(req))
	}
}

// differ notes a difference, if there is one and it is the first.
func (p *player) differ(what, recorded, replayed string) {
	if p.first == nil && recorded != replayed {
		p.first = &Difference{what, recorded, replayed}
	}
}

// Specs implements Executor: tools are described in the words that were recorded.
func (p *player) Specs([]string) []llm.ToolSpec {
	if n := p.tape.Next(); n < len(p.turns) {
		return p.turns[n].Tools
	}
	return nil
}

// Run implements Executor: the result is the recorded one.
func (p *player) Run(_ context.Context, _ access.Actor, _ []string, _ tool.Session, call llm.ToolCall) tool.Outcome {
	if p.made >= len(p.calls) {
		p.end()
		return tool.Outcome{Failure: &tool.Failure{Code: tool.Dependency}}
	}
	recorded := p.calls[p.made]
	p.made++
	p.differ(fmt.Sprintf("tool call %d", p.made), told(recorded.Call), told(call))
	return recorded.Outcome
}

func told(v any) string { return citation.HashText(fmt.Sprintf("%+v", v)) }
