package agent

import (
	"context"
	"fmt"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/replay"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// segment is what was recorded of one attempt of a run.
type segment struct {
	number   int
	reason   run.Reason // it ended for
	recorded int        // recordings
	hash     string     // over the recordings up to its end
	resumed  *run.Resumed
	step     int // at which it was resumed

	model, rules, verifier llm.Info
	memory                 string
	notices                []string // of the run when it began; known of the first attempt alone

	turns []*run.Turn
	calls []*run.ToolCall
	looks map[int]*run.Judged // judgements that changed the course
	spots map[int]*run.Judged // looks at where text may go, that changed it
	stale int                 // answers that were not stored
	began bool                // it came to its first step
}

// segments takes the recordings of a run apart by attempts. Only the last one ended for the reason that
// the run has: each before was interrupted.
func segments(past Past) []segment {
	out := make([]segment, max(1, past.Run.Attempt))
	for i := range out {
		out[i] = segment{
			number: i + 1, reason: run.ProcessGone, model: past.Run.Model,
			looks: map[int]*run.Judged{}, spots: map[int]*run.Judged{},
		}
	}
	out[len(out)-1].reason = past.Run.Reason
	hash := ""
	for _, t := range past.Tape {
		hash = run.Fold(hash, t.Hash)
		if i := t.Attempt - 1; i >= 0 && i < len(out) {
			out[i].add(t)
			out[i].hash = hash
		}
	}
	for i := range out {
		if out[i].recorded == 0 && i > 0 {
			out[i].hash = out[i-1].hash
		}
		out[i].name()
	}
	if first := &out[0]; !first.began {
		// What it began with is what it ended with, or what the resume found.
		first.notices = past.Run.Notices
		if len(out) > 1 && out[1].resumed != nil {
			first.notices = out[1].resumed.Notices
		}
	}
	return out
}

// add puts a recording where it belongs.
func (s *segment) add(t run.Recorded) {
	s.recorded++
	switch {
	case t.Resumed != nil:
		s.resumed, s.step, s.model = t.Resumed, t.Step, t.Resumed.Model
	case t.Began != nil:
		s.began, s.model, s.verifier, s.memory, s.notices = true, t.Began.Model, t.Began.Verifier, t.Began.Memory, t.Began.Notices
	case t.Turn != nil:
		s.turns = append(s.turns, t.Turn)
	case t.Judged != nil && t.Judged.Stale:
		s.stale++
	case t.Judged != nil && t.Judged.Place > 0:
		s.spots[t.Judged.Place] = t.Judged
	case t.Judged != nil:
		s.looks[t.Judged.Look] = t.Judged
	case t.Tool != nil:
		s.calls = append(s.calls, t.Tool)
	}
}

// name says who the rule-based engine was: whoever answered beside the model and the verifier.
func (s *segment) name() {
	s.rules = llm.Info{Engine: llm.Rules}
	if s.model.Engine == llm.Rules {
		s.rules = s.model
	}
	for _, t := range s.turns {
		if t.Model != s.model && t.Model != s.verifier {
			s.rules = t.Model
		}
	}
}

// tapeOf is what the model said in an attempt.
func (s *segment) tapeOf() *replay.Tape {
	var turns []replay.Turn
	for _, t := range s.turns {
		turns = append(turns, turnOf(t))
	}
	return replay.New(turns)
}

// turnOf is a recorded turn for the tape.
func turnOf(t *run.Turn) replay.Turn {
	if t.Response != nil {
		return replay.Turn{Response: *t.Response}
	}
	return replay.Turn{Err: problem.New(problem.Unavailable, string(t.Failure), "The model failed, as it was recorded.")}
}

// play goes through one attempt. If another one followed, what this one came to is compared here.
func (p *player) play(ctx context.Context, s segment) {
	p.segment, p.made, p.retold, p.stale, p.over, p.ended = s, 0, 0, s.stale, false, nil
	if s.resumed != nil {
		p.retold = 1
	}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	defer p.cancel(nil)
	p.tape = s.tapeOf()
	p.tape.Asked, p.tape.Over = p.asked, p.end
	p.agent = New(p.deps())
	p.run.Model = s.model
	w := &worker{
		agent: p.agent, actor: access.Actor{Tenant: p.run.Tenant, User: p.run.Actor}, sight: p.view,
		generator: p.agent.deps.Generator, began: p.past.Run.StartedAt, memory: s.memory, past: p,
	}
	w.whole(p.ctx)
	if s.number == p.past.Run.Attempt {
		return
	}
	p.compareEnd(run.Interrupted, run.ProcessGone)
	if p.ended != nil {
		p.run = p.ended
		p.differ(p.at("recording_hash"), s.hash, p.run.TapeHash)
	}
}

// resume makes of what an attempt came to what the next one begins with, as it was done then. What the
// recordings of an attempt can't tell is taken from the next one: how much of what it was about to do
// it had counted already.
func (p *player) resume(s segment) {
	at := s.resumed
	view, err := restore(p.run, p.evidence)
	if err != nil {
		p.differ(p.at("checkpoint"), "sound", problem.CodeOf(err))
		return
	}
	p.compareUse(s.number, at)
	p.differ(fmt.Sprintf("notices before attempt %d", s.number), fmt.Sprint(at.Notices), fmt.Sprint(p.run.Notices))
	r := p.run
	r.Step, r.Use, r.Usage.Calls, r.PromptHash = s.step, at.Use, at.Requests, at.PromptHash
	view.again(loss(at.Lost, at.Found))
	r.Model = at.Model
	pack(r, run.Recording{Resumed: at})
	p.view = view
}

// compareUse holds what an attempt had used against what the replay of it used. A step, a call or a
// repair may have been counted that no recording tells of, or the other way round.
func (p *player) compareUse(next int, at *run.Resumed) {
	was, is := at.Use, p.run.Use
	off := func(a, b int) bool { return a-b > 1 || b-a > 1 }
	if !off(was.Steps, is.Steps) && !off(was.ToolCalls, is.ToolCalls) && !off(was.Repairs, is.Repairs) {
		is.Steps, is.ToolCalls, is.Repairs = was.Steps, was.ToolCalls, was.Repairs
	}
	p.differ(fmt.Sprintf("use before attempt %d", next), used(was), used(is))
}

// at names a place in the recordings: in a run that was resumed, with its attempt.
func (p *player) at(format string, args ...any) string {
	what := fmt.Sprintf(format, args...)
	if p.past.Run.Attempt == 1 {
		return what
	}
	return fmt.Sprintf("attempt %d: %s", p.number, what)
}
