package agent

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/replay"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
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
// nil. A run that was resumed is gone through one attempt after the other, each from where the one
// before came to. Where something from outside ended an attempt (a wish to cancel, its time, the end
// of the process), the same ends its replay when the recordings do. A run that has not ended, that was
// not recorded, or whose recordings were erased is problem.Conflict "not_replayable".
func Replay(ctx context.Context, past Past) (*Difference, error) {
	parts := segments(past)
	if err := playable(past, parts); err != nil {
		return nil, err
	}
	for i, r := range past.Tape {
		if r.Altered {
			return &Difference{fmt.Sprintf("recording %d", i+1), r.Hash, "another hash"}, nil
		}
	}
	p := newPlayer(past, parts[0])
	for _, s := range parts {
		if s.number > 1 {
			p.resume(s)
		}
		if p.first == nil {
			p.play(ctx, s)
		}
		if p.first != nil {
			return p.first, nil
		}
	}
	return p.compare(), nil
}

func playable(past Past, parts []segment) error {
	r := past.Run
	no := func(why string) error {
		return problem.New(problem.Conflict, "not_replayable", "The run can't be replayed: %s.", why)
	}
	switch {
	case !r.State.Final():
		return no("it has not ended")
	case r.Kind.Decides():
		return no("no model took part in it")
	case r.Reason == run.InternalFault:
		return no("a fault inside ended it, which no recording holds")
	case len(past.Tape) == 0 && (r.Use.Steps > 0 || len(r.Calls) > 0):
		return no("it was not recorded")
	}
	for _, t := range past.Tape {
		switch {
		case t.Erased && past.Run.Seal.Renewed():
			return no("its recordings held text of a document that was erased")
		case t.Erased: // nothing of so early a run tells who emptied them
			return no("the text of its recordings is not there any more")
		}
	}
	for _, s := range parts {
		if s.number > 1 && s.resumed == nil {
			return no("it was resumed before it was recorded where an attempt begins")
		}
	}
	return nil
}

// player is a replay under way: it stands in for everything that a worker works with.
type player struct {
	past     Past
	run      *run.Run // as it is before the attempt, and then as it was committed last
	view     sight    // what the attempt begins with
	evidence []citation.Evidence
	first    *Difference

	// Of the attempt that is played:
	segment
	ctx    context.Context
	cancel context.CancelCauseFunc
	agent  *Agent
	tape   *replay.Tape
	made   int // calls that were made
	retold int // recordings that the replay made
	stale  int // answers that are still not to be stored
	over   bool
	ended  *run.Run
}

func newPlayer(past Past, first segment) *player {
	r := past.Run
	p := &player{past: past, run: &run.Run{
		ID: r.ID, Tenant: r.Tenant, Actor: r.Actor, Kind: r.Kind, Goal: r.Goal, Conversation: r.Conversation, Scope: r.Scope,
		Route: r.Route, Tools: r.Tools, Model: first.model, Notices: slices.Clone(first.notices), RulesFallback: r.RulesFallback,
		State: run.Queued, Attempt: 1, Limits: r.Limits, Seal: r.Seal, CreatedAt: r.CreatedAt,
	}}
	p.view = sight{run: p.run, next: run.Asking}
	return p
}

// deps stand in for what the agent works with: whoever answers or checks plays the tape.
func (p *player) deps() Deps {
	d := Deps{
		Journal: keeper{nil, p}, Executor: p, Generator: p.tape.As(p.model), Rules: p.tape.As(p.rules), Limits: p.past.Run.Limits,
		Clock: func() time.Time { return p.past.Run.StartedAt }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	if p.verifier != (llm.Info{}) {
		d.Verifier = p.tape.As(p.verifier)
	}
	return d
}

// review is what was found at a look at what is in sight.
func (p *player) review(look int) (review, error) {
	j := p.looks[look]
	switch p.stop(); {
	case j == nil:
		return review{}, nil
	case j.Gone:
		return review{}, problem.Missing()
	}
	return loss(j.Lost, j.Found), nil
}

func loss(lost []string, found bool) review {
	v := review{lost: map[string]bool{}, found: found}
	for _, ref := range lost {
		v.lost[ref] = true
	}
	return v
}

// localOnly is what was found at a look at where text may go.
func (p *player) localOnly(look int) (bool, error) {
	p.stop()
	j := p.spots[look]
	if j != nil && j.Gone {
		return false, problem.Missing()
	}
	return j != nil, nil
}

// stop ends the replay of an attempt that something from outside ended, once it has come to the end of
// the recordings: whatever else the attempt went on to do left none.
func (p *player) stop() {
	if p.outside() && p.retold == p.recorded {
		p.end()
	}
}

// outside reports whether something from outside ended the attempt.
func (p *player) outside() bool { return cause(p.reason) != nil }

// cause is what ends a context in the place of what ended an attempt from outside; nil if it ended by
// itself.
func cause(reason run.Reason) error {
	switch reason {
	case run.WasCancelled:
		return errCancelled
	case run.LimitTime:
		return errTime
	case run.ProcessGone:
		return errShutdown
	}
	return nil
}

// end ends the replay of an attempt where its recordings end, by what ended the attempt.
func (p *player) end() {
	p.over = true
	if by := cause(p.reason); by != nil {
		p.cancel(by)
		return
	}
	p.cancel(problem.New(problem.Internal, "tape_over", "The recordings end here."))
}

// asked compares a prompt with the recorded one.
func (p *player) asked(n int, req llm.Request) {
	if n < len(p.turns) {
		p.differ(p.at("prompt %d", n+1), p.turns[n].Hash, hashPrompt(p.run.Seal, req))
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
	p.differ(p.at("tool call %d", p.made), told(recorded.Call), told(call))
	return recorded.Outcome
}

func told(v any) string { return seal.Hash("", fmt.Sprintf("%+v", v)) }
