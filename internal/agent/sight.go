package agent

import (
	"context"
	"errors"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// Catalog tells which versions an actor may see; corpus.Catalog is one. The agent looks there only
// for versions that a tool of the run has shown already.
type Catalog interface {
	Document(ctx context.Context, scope access.Scope, id corpus.DocumentID) (corpus.Document, error)
}

// scopeChanged is the one word for whatever became unreadable: revoked, denied, deleted or erased.
const scopeChanged = run.ScopeChanged

// sight is what a run has in front of its model: the evidence that the context rests on, and the
// documents that searches named. What is taken out of sight stays out for the rest of the run.
type sight struct {
	run          *run.Run
	evidence     []citation.Evidence // in order of registration
	registered   []citation.Evidence // all that the run ever read, what was taken out of sight too
	dropped      []string            // references that were taken out
	next         run.Phase
	planned      []run.Plan
	failedSearch bool // some search of the run failed
}

// restore makes the sight of a run from what is stored of it. A checkpoint that is not understood,
// or that does not fit the run and its evidence, is problem.Internal "checkpoint".
func restore(r *run.Run, evidence []citation.Evidence) (sight, error) {
	s := sight{run: r, next: run.Asking, registered: slices.Clone(evidence)}
	if r.Checkpoint == "" {
		s.evidence = evidence
		return s, nil
	}
	c, err := run.DecodeCheckpoint(r.Checkpoint)
	if err != nil {
		return s, err
	}
	s.next, s.dropped, s.planned, s.failedSearch = c.Next, c.Dropped, c.Planned, c.SearchFailed
	hashes := map[string]string{}
	for _, m := range c.Kept {
		hashes[m.Ref] = m.Hash
	}
	for _, e := range evidence {
		hash, kept := hashes[e.Ref]
		if kept == slices.Contains(c.Dropped, e.Ref) || kept && hash != e.Hash {
			return s, errUnfit
		}
		if kept {
			s.evidence = append(s.evidence, e)
		}
	}
	if len(s.evidence) != len(c.Kept) || len(evidence) != len(c.Kept)+len(c.Dropped) || c.Attempt != r.Attempt || c.Step != r.Step {
		return s, errUnfit
	}
	return s, nil
}

var errUnfit = problem.New(problem.Internal, "checkpoint", "The checkpoint of the run does not fit the run.")

// checkpoint writes where the run stands.
func (s *sight) checkpoint() (string, error) {
	c := run.Checkpoint{
		Attempt: s.run.Attempt, Step: s.run.Step, Next: s.next, Dropped: s.dropped, Planned: s.planned, SearchFailed: s.failedSearch,
	}
	for _, e := range s.evidence {
		c.Kept = append(c.Kept, run.Mark{Ref: e.Ref, Hash: e.Hash})
	}
	return c.Encode()
}

// review says what of a sight its actor may not see any more, under which scope.
type review struct {
	scope access.Scope
	lost  map[string]bool // references of evidence
	found bool            // some document that a search named is lost
}

func (v review) whole() bool { return len(v.lost) == 0 && !v.found }

// review judges everything in sight by the directory as it is now. An actor who is suspended or
// gone is problem.NotFound.
func (a *Agent) review(ctx context.Context, actor access.Actor, s *sight) (out review, err error) {
	err = a.insist(ctx, func() error {
		return access.Within(ctx, a.deps.Directory, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
			out, err = a.judge(ctx, scope, s)
			return err
		})
	})
	return out, err
}

// judge looks at each version once, under the view in which it stays readable. What a run saw of the
// past stays readable to knowledge administrators alone.
func (a *Agent) judge(ctx context.Context, scope access.Scope, s *sight) (review, error) {
	type look struct {
		id   corpus.DocumentID
		view access.View
	}
	out, known := review{scope: scope, lost: map[string]bool{}}, map[look]bool{}
	may := func(id corpus.DocumentID, view access.View) (bool, error) {
		l := look{id, view}
		if ok, done := known[l]; done {
			return ok, nil
		}
		if !s.run.Scope.AsOf.IsZero() && !scope.Has(access.KnowledgeAdmin) {
			return false, nil
		}
		_, err := a.deps.Catalog.Document(ctx, scope.Viewing(view), id)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return false, err
		}
		known[l] = err == nil
		return known[l], nil
	}
	for _, e := range s.evidence {
		ok, err := may(e.Document, viewOf(e.Status))
		if err != nil {
			return out, err
		}
		if !ok {
			out.lost[e.Ref] = true
		}
	}
	for _, h := range s.run.Hits {
		ok, err := may(h.Document, access.Cited)
		for _, v := range h.Versions {
			if ok && err == nil {
				ok, err = may(v.Document, viewOf(v.Status))
			}
		}
		if err != nil {
			return out, err
		}
		out.found = out.found || !ok
	}
	return out, nil
}

// viewOf is the view under which a version stays readable that had a status when it was shown:
// what was in force stays readable when a later version replaces it; a draft or an archived version
// was shown by the right to history, and needs it still.
func viewOf(status access.Status) access.View {
	if status == access.StatusPublished {
		return access.Cited
	}
	return access.Content
}

// lose takes out of sight what a review found lost, and with it all that may derive from it: the
// other results of searches, their queries, an answer, calls that were planned. What was used of
// the limits stays used. It returns the events that tell of it, which name references alone.
func (s *sight) lose(v review) []event.Event {
	r := s.run
	var events []event.Event
	var kept []citation.Evidence
	still := map[corpus.DocumentID]bool{}
	for _, e := range s.evidence {
		if !v.lost[e.Ref] {
			kept, still[e.Document] = append(kept, e), true
			continue
		}
		s.dropped = append(s.dropped, e.Ref)
		events = append(events, event.New(event.SourceWithheld, map[string]any{"ref": e.Ref, "reason": scopeChanged}))
		for i, w := range r.Windows {
			if w.Document == e.Document && w.Version == e.Version && w.Span == e.Span {
				r.Windows[i].Span = corpus.Span{} // it counts, and may be read again
			}
		}
	}
	s.evidence, s.planned = kept, nil
	s.forget()
	r.Hits = slices.DeleteFunc(slices.Clone(r.Hits), func(h tool.Hit) bool { return !still[h.Document] })
	for i := range r.Hits {
		r.Hits[i].Versions = nil
	}
	note(r, scopeChanged)
	return append(events, event.New(event.Warning, map[string]any{"code": scopeChanged}))
}

// forget takes back what was concluded so far. Searches count, and may be made again, since their
// results are in no context any more.
func (s *sight) forget() {
	r := s.run
	r.TakeBack()
	r.Searches = slices.Clone(r.Searches)
	for i := range r.Searches {
		r.Searches[i].Query = ""
	}
}

// shows reports whether the model has seen anything of a document.
func (s *sight) shows() bool { return len(s.evidence) > 0 || len(s.run.Hits) > 0 }

// refresh judges what is in sight anew. If anything is lost, the context is made again without it,
// and whatever the model said before must not be used: then it returns true.
func (w *worker) refresh(ctx context.Context) (anew bool, err error) {
	if !w.shows() {
		w.scope = access.Scope{}
		return false, nil
	}
	w.taped.looks++
	v, err := w.look(ctx)
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case problem.Is(err, problem.NotFound):
		w.tape(run.Recording{Judged: &run.Judged{Look: w.taped.looks, Gone: true}})
		w.security("actor_not_active", "")
		return false, over(run.PermissionDenied)
	case err != nil:
		return false, err
	}
	w.scope = v.scope
	if v.whole() {
		return false, nil
	}
	w.tapeLoss(v)
	w.events = append(w.events, w.lose(v)...)
	w.anew = true
	return true, w.prepare(ctx)
}

// look judges by the directory, or, in a replay, as it was recorded.
func (w *worker) look(ctx context.Context) (review, error) {
	if w.past != nil {
		return w.past.review(w.taped.looks)
	}
	return w.agent.review(ctx, w.actor, &w.sight)
}

// prepare makes the context of the next model turn from the goal and what is in sight. In fixed
// retrieval it searches first where there is nothing.
func (w *worker) prepare(ctx context.Context) error {
	if fixed(w.run.Route) && len(w.evidence) == 0 {
		if err := w.retrieve(ctx); err != nil {
			return err
		}
	}
	w.next, w.messages = run.Asking, w.compose()
	return nil
}

// reconsider takes an answer back whose rights changed before it was stored, and either accepts it
// again or asks for another one.
func (w *worker) reconsider(ctx context.Context) error {
	answer, checks, r, own, cut := w.run.Answer, w.run.Checks, w.run, w.accepted.own, w.cut
	remarks := w.remarks
	w.tape(run.Recording{Judged: &run.Judged{Stale: true}})
	w.takeBack()
	r.State, r.Reason, r.EndedAt = run.Running, "", noTime
	if w.accepted.stale++; w.accepted.stale > 8 {
		return errors.New("permissions change faster than an answer can be stored")
	}
	anew, err := w.refresh(ctx)
	if err != nil {
		return err
	}
	if anew {
		return w.rounds(ctx)
	}
	w.cut, w.remarks = cut, remarks
	return w.conclude(answer, checks, own...)
}
