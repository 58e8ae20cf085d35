package agent

import (
	"context"
	"fmt"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// keeper is the journal of a replay, of which a worker needs no more than that it commits.
type keeper struct {
	run.Journal
	*player
}

// Run is the journal's; the player's own runs a tool.
func (k keeper) Run(context.Context, access.TenantID, access.UserID, run.ID) (*run.Run, []citation.Evidence, error) {
	return nil, nil, problem.Missing()
}

// Commit implements run.Journal: the last state is kept, and nothing else. Where the attempt was
// cancelled, the wish to cancel comes before every other end.
func (p keeper) Commit(_ context.Context, c run.Commit) error {
	if p.stop(); !c.Run.State.Final() && p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	if c.Run.State.Final() && p.reason == run.WasCancelled && c.Run.Reason != run.WasCancelled {
		return problem.New(problem.Conflict, "illegal_move", "The run was cancelled.")
	}
	if c.Run.State.Final() && p.stale > 0 {
		switch c.Run.Reason {
		case run.Success, run.DraftReady, run.Insufficient:
			p.stale--
			return access.Stale()
		}
	}
	kept := *c.Run
	p.ended = &kept
	p.evidence = append(p.evidence, c.Evidence...)
	return nil
}

// compare returns the first difference between the stored run and the one that was gone through
// again.
func (p *player) compare() *Difference {
	was, is := p.past.Run, p.ended
	p.compareEnd(was.State, was.Reason)
	if is == nil {
		return p.first
	}
	if !p.over {
		// Whether one more prompt was made before the end from outside is not recorded.
		p.differ("prompt_hash", was.PromptHash, is.PromptHash)
	}
	p.differ("answer", told(was.Answer.Text), told(is.Answer.Text))
	p.differ("answer's parts", told(listed(was.Answer)), told(listed(is.Answer)))
	p.compareEvidence()
	p.compareChecks(was.Checks, is.Checks)
	p.differ("needs_confirmation", fmt.Sprint(was.NeedsConfirm), fmt.Sprint(is.NeedsConfirm))
	p.differ("notices", fmt.Sprint(was.Notices), fmt.Sprint(is.Notices))
	p.differ("tool calls", fmt.Sprint(was.Calls), fmt.Sprint(is.Calls))
	if !p.over {
		p.differ("use", used(was.Use), used(is.Use))
	}
	if len(p.past.Tape) > 0 {
		p.differ("recording_hash", was.TapeHash, is.TapeHash)
	}
	return p.first
}

// compareEnd compares how an attempt ended, and whether it came to the end of its recordings.
func (p *player) compareEnd(state run.State, reason run.Reason) {
	if p.ended == nil {
		p.differ(p.at("end"), string(state), "none")
		return
	}
	p.differ(p.at("state"), string(state), string(p.ended.State))
	p.differ(p.at("finish_reason"), string(reason), string(p.ended.Reason))
	if p.over && !p.outside() {
		return // more was asked for than was recorded, and that is the difference
	}
	p.differ(p.at("recorded turns that were not asked for"), "0", fmt.Sprint(p.tape.Left()))
	p.differ(p.at("recorded calls of tools that were not made"), "0", fmt.Sprint(len(p.calls)-p.made))
}

// listed makes absent lists empty ones, as a store may return either.
func listed(a citation.Answer) citation.Answer {
	a.Refs, a.Missing = append([]string{}, a.Refs...), append([]string{}, a.Missing...)
	return a
}

// used tells what a run used of its limits, without the time.
func used(u run.Use) string {
	u.Elapsed = 0
	return fmt.Sprintf("%+v", u)
}

func (p *player) compareEvidence() {
	p.differ("pieces of evidence", fmt.Sprint(len(p.past.Evidence)), fmt.Sprint(len(p.evidence)))
	for i := range min(len(p.past.Evidence), len(p.evidence)) {
		was, is := p.past.Evidence[i], p.evidence[i]
		named := func(e citation.Evidence) string {
			return fmt.Sprintf("%s %s version %d %v %s", e.Ref, e.Document, e.Version, e.Span, e.Hash)
		}
		p.differ("evidence "+was.Ref, told(named(was)), told(named(is)))
		p.differ("excerpt of "+was.Ref, told(was.Excerpt), told(is.Excerpt))
	}
}

func (p *player) compareChecks(was, is []citation.Check) {
	p.differ("checks", fmt.Sprint(len(was)), fmt.Sprint(len(is)))
	for i := range min(len(was), len(is)) {
		what := fmt.Sprintf("check %d", i+1)
		p.differ(what, string(was[i].Verdict), string(is[i].Verdict))
		p.differ(what, told(plainly(was[i])), told(plainly(is[i])))
	}
}

func plainly(c citation.Check) citation.Check {
	c.Labels = append([]string{}, c.Labels...)
	return c
}
