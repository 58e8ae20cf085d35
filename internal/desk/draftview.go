package desk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/run"
)

// Draft shows a version of one of the actor's own drafts; 0 is the newest.
func (d *Desk) Draft(ctx context.Context, actor access.Actor, id draft.ID, no int) (out DraftView, err error) {
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		stored, err := d.deps.Drafts.Draft(ctx, actor.Tenant, actor.User, id, no)
		if err != nil {
			return err
		}
		of, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, stored.Run)
		if err != nil {
			return err
		}
		rights := d.rights(scope)
		if out, _, err = rights.draft(ctx, stored, of, evidence); err != nil {
			return err
		}
		held, err := rights.draftIntegrity(ctx, stored, of, evidence)
		out.Integrity = &held
		return err
	})
	if err != nil {
		return DraftView{}, err
	}
	return out, nil
}

// draftIntegrity holds a version of a draft against the ledger's entry of its saving, and its run against
// that of its end. One that was not saved yet, which has no number, is its run's.
func (r *rights) draftIntegrity(ctx context.Context, stored draft.Draft, of *run.Run, evidence []citation.Evidence) (run.Integrity, error) {
	out, err := r.integrity(ctx, of, evidence)
	if err != nil || stored.No == 0 {
		return out, err
	}
	for i, p := range out.Problems {
		if !strings.HasPrefix(p, "evidence/") {
			out.Problems[i] = "run/" + p
		}
	}
	entries, err := r.desk.deps.Ledger.OfRun(ctx, string(of.Tenant), string(of.ID))
	if err != nil {
		return run.Integrity{}, err
	}
	at := slices.IndexFunc(entries, stored.SavedIn)
	if at < 0 {
		out.Problems = append(out.Problems, run.EntryGone)
		return out, nil
	}
	own := draft.Hold(stored, entries[at].Body, slices.Contains(out.Unproved, run.Withheld) && slices.Contains(of.Notices, run.Erased))
	whole, err := r.desk.standsProved(ctx, entries[at])
	if err == nil && !whole && !slices.Contains(own.Problems, run.EntryOther) {
		own.Problems = append(own.Problems, run.EntryOther)
	}
	out.Problems = append(out.Problems, own.Problems...)
	out.Unproved = slices.Compact(slices.Sorted(slices.Values(append(out.Unproved, own.Unproved...))))
	return out, err
}

// Drafts lists the actor's own drafts, the newest first.
func (d *Desk) Drafts(ctx context.Context, actor access.Actor, f draft.Filter) (out corpus.Page[DraftView], err error) {
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		page, err := d.deps.Drafts.Drafts(ctx, actor.Tenant, actor.User, f)
		if err != nil {
			return err
		}
		out = corpus.Page[DraftView]{Next: page.Next}
		out.Items, err = d.rights(scope).ownDrafts(ctx, actor, page.Items)
		return err
	})
	if err != nil {
		return corpus.Page[DraftView]{}, err
	}
	return out, nil
}

// DraftVersions shows all versions of one of the actor's own drafts, newest first.
func (d *Desk) DraftVersions(ctx context.Context, actor access.Actor, id draft.ID) (out []DraftView, err error) {
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		list, err := d.deps.Drafts.Versions(ctx, actor.Tenant, actor.User, id)
		if err != nil {
			return err
		}
		out, err = d.rights(scope).ownDrafts(ctx, actor, list)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (r *rights) ownDrafts(ctx context.Context, actor access.Actor, list []draft.Draft) ([]DraftView, error) {
	var out []DraftView
	for _, stored := range list {
		v, err := r.ownDraft(ctx, actor, stored)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// ownDraft reduces a stored version to what its actor may see now. The evidence is read after the
// version, so that what was erased between the two is missing here too.
func (r *rights) ownDraft(ctx context.Context, actor access.Actor, stored draft.Draft) (DraftView, error) {
	of, evidence, err := r.desk.deps.Journal.Run(ctx, actor.Tenant, actor.User, stored.Run)
	if err != nil {
		return DraftView{}, err
	}
	v, _, err := r.draft(ctx, stored, of, evidence)
	return v, err
}

// draft reduces a version of a run's draft, and returns the evidence that is readable now. A
// sentence that cites nothing may lean on any passage that the run read, and so may a title that a
// person gave; the run's goal, of which other titles are made, was there before anything was read.
func (r *rights) draft(ctx context.Context, stored draft.Draft, of *run.Run, evidence []citation.Evidence) (v DraftView, readable []citation.Evidence, err error) {
	v = DraftView{Draft: stored, Goal: of.Goal}
	sources, lost := map[string]Source{}, map[string]bool{}
	for _, e := range evidence {
		s, err := r.source(ctx, e)
		if err != nil {
			return DraftView{}, nil, err
		}
		if sources[e.Ref] = s; s.Withheld {
			lost[e.Ref] = true
		} else {
			readable = append(readable, e)
		}
	}
	erasedSince := slices.Contains(of.Notices, run.Erased)
	for _, ref := range refsOf(stored) {
		s, ok := sources[ref]
		if !ok {
			s = Source{Evidence: citation.Evidence{Ref: ref}, Withheld: true}
			lost[ref] = true
		}
		v.Sources = append(v.Sources, s)
	}
	if len(lost) > 0 || erasedSince {
		v.withhold(lost)
	}
	if erasedSince {
		v.Title, v.Body, v.Checks, v.BodyReduced = draft.TitleOf(of.Goal), "", nil, true
	}
	return v, readable, nil
}

// refsOf are the references that a version cites, in order. They stay with one whose text was erased.
func refsOf(stored draft.Draft) []string {
	if stored.Body != "" {
		return citation.Refs(stored.Body)
	}
	return each(stored.Cited, func(c draft.Cited) string { return c.Ref })
}

// withhold takes out of a version what leans on passages that are lost.
func (v *DraftView) withhold(lost map[string]bool) {
	readable := func(ref string) bool { return !lost[ref] }
	whole := citation.Answer{Text: v.Body, Refs: slices.Sorted(maps.Keys(lost))}
	reduced, _ := citation.Reduce(whole, readable)
	v.BodyReduced = reduced.Text != v.Body
	v.Body, v.Checks = reduced.Text, citation.ReduceChecks(v.Checks, readable)
	if v.Titled {
		v.Title, v.TitleWithheld = draft.TitleOf(v.Goal), true
	}
}
