package desk

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Why is how a run came to what it says, as far as the actor may see it now.
type Why struct {
	Account
	// Own is true for whoever asked. An auditor sees the runs of others by ids, hashes and states;
	// their words, and what was read, only while every document involved is readable to the auditor.
	Own bool
	// Whole is true if every passage that was found or read is readable now. Otherwise prompts,
	// responses and results of tools are withheld, since pieces of any passage may stand in them.
	Whole bool
	// Tape has the recordings. Those that are withheld have their hash alone, and for an auditor what tells
	// no text, and whether they were erased. TapeHolds tells that they
	// are the ones whose hash the run, and with its end the ledger, has.
	Tape      []run.Recorded
	TapeHolds bool
	// GoalNonce and AnswerNonce open the ledger's hashes of question and answer where these are shown whole.
	GoalNonce, AnswerNonce string
	// Moves are the events that tell of states.
	Moves []event.Event
	// Entries are those of the ledger that belong to the run, as the actor may see them; Decisions
	// are the ones about what a person decided.
	Entries, Decisions []ledger.Entry
	// Ended is the entry of the run's end, with its proof; nil while it has not ended.
	Ended *Proved
}

// Why tells how one of the actor's own runs came to what it says, or an auditor's any of the tenant
// that has ended.
func (d *Desk) Why(ctx context.Context, actor access.Actor, id run.ID) (Why, error) {
	name, err := d.log(ctx, actor)
	if err != nil {
		return Why{}, err
	}
	stored, evidence, err := d.past(ctx, actor, name, id)
	if err != nil {
		return Why{}, err
	}
	out := Why{Own: stored.Actor == actor.User}
	if out.Tape, err = d.deps.Tapes.Tape(ctx, stored.Tenant, stored.Actor, id); err != nil {
		return Why{}, err
	}
	if err := d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		rights := d.rights(scope)
		if err := out.see(ctx, rights, stored, evidence); err != nil {
			return err
		}
		held, err := rights.integrity(ctx, stored, evidence)
		if !out.TapeHolds {
			held.Problems = append(held.Problems, run.Recordings)
		}
		out.Integrity = &held
		return err
	}); err != nil {
		return Why{}, err
	}
	if !out.Whole && name.Person != "" {
		// What a recording still says of itself went with what was erased: nobody but an auditor, whose ledger
		// tells of it anyway, is to see by that what became of a document.
		for i, t := range out.Tape {
			out.Tape[i] = run.Recorded{Hash: t.Hash, Withheld: true}
		}
	}
	out.GoalNonce, out.AnswerNonce = nonceOf(stored, run.NameGoal, out.Run.Goal), out.answerNonce(stored)
	if out.Moves, err = d.moves(ctx, id); err != nil {
		return Why{}, err
	}
	if stored.State.Final() && !stored.ClosedBy(out.Moves) {
		out.Integrity.Problems = append(out.Integrity.Problems, run.States)
	}
	if out.Closed || !out.Own && !out.Whole {
		for i, e := range out.Moves {
			out.Moves[i].Data = nameless(e)
		}
	}
	return out, d.entriesOf(ctx, actor, name, id, &out)
}

// past reads a run that the actor may ask about, as it is stored.
func (d *Desk) past(ctx context.Context, actor access.Actor, name ledger.Name, id run.ID) (*run.Run, []citation.Evidence, error) {
	r, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if name.Person != "" || !problem.Is(err, problem.NotFound) {
		return r, evidence, err
	}
	entries, err := d.deps.Ledger.OfRun(ctx, string(actor.Tenant), string(id))
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if e.Kind == ledger.RunEnded {
			r, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, access.UserID(e.Actor), id)
			if err == nil && !r.State.Final() { // it goes on in another attempt
				err = problem.Missing()
			}
			return r, evidence, err
		}
	}
	return nil, nil, problem.Missing()
}

// nameless is the data of an event without what names a document to whoever may not see it.
func nameless(e event.Event) json.RawMessage {
	switch e.Type {
	case event.RunCreated:
		return edit(e.Data, map[string]any{"scope": nil})
	case event.Waiting:
		return edit(e.Data, map[string]any{"summary": nil, "target": nil, "args_hash": nil})
	}
	return e.Data
}

// see reduces what is told to what may be seen under one scope.
func (w *Why) see(ctx context.Context, rights *rights, stored *run.Run, evidence []citation.Evidence) error {
	account, err := rights.account(ctx, stored, evidence)
	if err != nil {
		return err
	}
	whole, any, err := rights.all(ctx, stored, evidence)
	if err != nil {
		return err
	}
	// A run that lost something on its way does not say any more what that was; its recordings would.
	lost := slices.Contains(stored.Notices, run.Erased) || slices.Contains(stored.Notices, run.ScopeChanged)
	w.Account, w.Whole = account, whole && !lost
	entries, err := rights.desk.deps.Ledger.OfRun(ctx, string(stored.Tenant), string(stored.ID))
	if err != nil {
		return err
	}
	told := run.ToldOf(entries, stored.Attempt)
	if !stored.State.Final() {
		told = run.Told{} // the entry of an earlier attempt is not that of this one
	}
	w.TapeHolds = told.HoldTape(stored, w.Tape, !whole || slices.Contains(stored.Notices, run.ScopeChanged))
	if !w.Own && !(w.Whole && any) {
		w.Whole = false
		w.silence()
	}
	if !w.Whole {
		w.Tape = slices.Clone(w.Tape)
		for i := range w.Tape {
			w.Tape[i].Recording = wordless(w.Tape[i].Recording)
		}
	}
	return nil
}

// silence takes every word out of a run that is somebody else's: the question, the answer, what was
// read and what was found.
func (w *Why) silence() {
	r := w.Run
	r.Goal, r.Conversation, r.Checks, r.Searches = "", "", nil, nil
	r.Answer = citation.Answer{Refs: r.Answer.Refs, Insufficient: r.Answer.Insufficient}
	for _, list := range [][]Source{w.Cited, w.Read} {
		for i := range list {
			list[i] = Source{Evidence: citation.Evidence{Ref: list[i].Ref}, Withheld: true}
		}
	}
	w.Found, w.Conflicts, w.Reduced = nil, nil, true
}

// all reports whether every document that a run found or read is readable now, and whether there is
// any.
func (r *rights) all(ctx context.Context, stored *run.Run, evidence []citation.Evidence) (whole, any bool, err error) {
	for _, e := range evidence {
		s, err := r.source(ctx, e)
		if err != nil || s.Withheld {
			return false, true, err
		}
	}
	under := r
	if !stored.Scope.AsOf.IsZero() || stored.Route == run.VersionTool {
		// What such a run was shown of archived versions takes the right to history.
		under = r.desk.rights(r.scope.Viewing(access.Content))
	}
	for _, h := range stored.Hits {
		named := []corpus.DocumentID{h.Document}
		for _, v := range h.Versions {
			named = append(named, v.Document)
		}
		for _, id := range named {
			doc, err := under.document(ctx, id)
			if err != nil || doc == nil {
				return false, true, err
			}
		}
	}
	return true, len(evidence)+len(stored.Hits) > 0, nil
}

// wordless keeps of a recording what tells no text: who was asked, by hashes, and what came of it.
func wordless(r run.Recording) run.Recording {
	if r.Began != nil {
		r.Began = &run.Began{Model: r.Began.Model}
	}
	if t := r.Turn; t != nil {
		r.Turn = &run.Turn{Hash: t.Hash, Model: t.Model, Failure: t.Failure}
	}
	// A judgement and a resume name references alone.
	if t := r.Tool; t != nil {
		said := run.ToolCall{}
		said.Outcome.Spec, said.Outcome.Tries = t.Outcome.Spec, t.Outcome.Tries
		r.Tool = &said
	}
	return r
}

// moved are the types of event that tell of a run's state. Their data holds no text.
var moved = []event.Type{
	event.RunCreated, event.RouteSelected, event.RunStarted, event.Waiting, event.Decided, event.Resumed, event.CancelAsked, event.LimitReached,
	event.Completed, event.Failed, event.Interrupted,
}

func (d *Desk) moves(ctx context.Context, id run.ID) (out []event.Event, err error) {
	for after := int64(0); ; {
		events, err := d.deps.Events.After(ctx, string(id), after, 500)
		if err != nil || len(events) == 0 {
			return out, err
		}
		for _, e := range events {
			if after = e.Sequence; slices.Contains(moved, e.Type) {
				out = append(out, e)
			}
		}
	}
}

// entriesOf adds what the ledger has of a run.
func (d *Desk) entriesOf(ctx context.Context, actor access.Actor, name ledger.Name, id run.ID, w *Why) error {
	entries, err := d.deps.Ledger.OfRun(ctx, string(actor.Tenant), string(id))
	if err != nil {
		return err
	}
	ended := ""
	for _, e := range entries {
		if e, err = standing(name, e); err != nil {
			continue // somebody else's, about the run
		}
		seen, err := d.entries(ctx, actor, name, e)
		if err != nil {
			return err
		}
		e = seen[0]
		w.Entries = append(w.Entries, e)
		if strings.HasPrefix(string(e.Kind), "proposal.") {
			w.Decisions = append(w.Decisions, e)
		}
		if e.Kind == ledger.RunEnded {
			ended = e.ID
		}
	}
	if ended == "" || !w.Run.State.Final() { // the entry of an earlier attempt is not that of this one
		return nil
	}
	p, err := d.Prove(ctx, actor, ended, ledger.AtEntry)
	w.Ended = &p
	return err
}

// version is a version that a run read, as a bundle names it.
func (r *rights) version(ctx context.Context, s Source) (*corpus.Document, error) {
	return r.desk.rights(r.scope.Viewing(citedView(s.Evidence))).document(ctx, s.Document)
}
