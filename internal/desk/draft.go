package desk

import (
	"cmp"
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Drafts is the seam to saved drafts. Each method is one transaction, and names the actor: for
// anybody else a run and a draft are problem.NotFound, like those that do not exist.
type Drafts interface {
	// Save stores the next version of a run's draft, with a ledger entry of hashes; the first makes
	// the draft. A run that does not await review is problem.Conflict "not_awaiting_review", one of
	// whose sources was erased "evidence_erased", a base that is not the newest version
	// "version_conflict"; what the run did not read is problem.Invalid "invalid_citations", and one
	// version too many is problem.Exhausted. Nothing is stored then.
	Save(ctx context.Context, tenant access.TenantID, actor access.UserID, w draft.Wish) (draft.Draft, error)
	// Draft returns a version of a draft; 0 is the newest.
	Draft(ctx context.Context, tenant access.TenantID, actor access.UserID, id draft.ID, no int) (draft.Draft, error)
	// OfRun returns the newest version of a run's draft; problem.NotFound if none was saved.
	OfRun(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (draft.Draft, error)
	// Drafts lists an actor's drafts in their newest versions, the newest draft first.
	Drafts(ctx context.Context, tenant access.TenantID, actor access.UserID, f draft.Filter) (corpus.Page[draft.Draft], error)
	// Versions returns all versions of a draft, newest first.
	Versions(ctx context.Context, tenant access.TenantID, actor access.UserID, id draft.ID) ([]draft.Draft, error)
}

// DraftChange is what a person wants of a draft. Nil leaves a part as it is: as the run wrote it
// with the first version, as the version before has it after that.
type DraftChange struct {
	Title, Body *string
	// Base is the version that the person has seen; 0 before the first.
	Base int
	// DiscardWithheld lets the new text replace one of which a part is withheld from the person.
	DiscardWithheld bool
}

// DraftView is a version of a draft as its actor may see it now.
type DraftView struct {
	draft.Draft
	Goal string
	// Sources are what the version cites, in order of first mention.
	Sources []Source
	// Integrity says whether the version, and the run whose sources it shows, are what the ledger tells of;
	// nil in lists, where it is not looked at. Problems of the run begin with "run/", but for its passages.
	Integrity *run.Integrity
	// BodyReduced and TitleWithheld say what is missing here: sentences that lean on passages which
	// are no longer readable, and a title that a person gave when they were.
	BodyReduced, TitleWithheld bool
}

// Reduced reports whether anything of the version is missing here.
func (v DraftView) Reduced() bool { return v.BodyReduced || v.TitleWithheld }

// SaveDraft saves the next version of the draft of one of the actor's own runs. What was changed beside
// the product is problem.Conflict "record_changed": under a new hash it would look whole.
func (d *Desk) SaveDraft(ctx context.Context, actor access.Actor, id run.ID, change DraftChange) (draft.Draft, error) {
	if err := wellFormed(change); err != nil {
		return draft.Draft{}, err
	}
	var wish draft.Wish
	err := d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) (err error) {
		wish, err = d.wish(ctx, scope, id, change)
		return err
	})
	if err != nil {
		return draft.Draft{}, err
	}
	return d.deps.Drafts.Save(ctx, actor.Tenant, actor.User, wish)
}

// EditDraft saves the next version of one of the actor's own drafts and shows it.
func (d *Desk) EditDraft(ctx context.Context, actor access.Actor, id draft.ID, change DraftChange) (DraftView, error) {
	if change.Title == nil && change.Body == nil {
		return DraftView{}, invalid(problem.Field{Pointer: "/body", Detail: "must be given, or the title"})
	}
	had, err := d.deps.Drafts.Draft(ctx, actor.Tenant, actor.User, id, 0)
	if err != nil {
		return DraftView{}, err
	}
	if change.Base == 0 { // whatever version it is
		change.Base = had.Newest
	}
	saved, err := d.SaveDraft(ctx, actor, had.Run, change)
	if err != nil {
		return DraftView{}, err
	}
	return d.Draft(ctx, actor, id, saved.No)
}

// wellFormed refuses a change whose texts cannot be stored.
func wellFormed(change DraftChange) error {
	var fields []problem.Field
	if change.Title != nil {
		if wrong := draft.WrongTitle(*change.Title); wrong != "" {
			fields = append(fields, problem.Field{Pointer: "/title", Detail: wrong})
		}
	}
	if change.Body != nil {
		if wrong := draft.WrongBody(draft.Text(*change.Body)); wrong != "" {
			fields = append(fields, problem.Field{Pointer: "/body", Detail: wrong})
		}
	}
	if change.Base < 0 {
		fields = append(fields, problem.Field{Pointer: "/base_version", Detail: "must not be negative"})
	}
	if fields == nil {
		return nil
	}
	return invalid(fields...)
}

// wish makes the next version of a run's draft of what there is and what the person wants changed.
// The store checks again that the base is the newest version, and the run still what it was.
func (d *Desk) wish(ctx context.Context, scope access.Scope, id run.ID, change DraftChange) (draft.Wish, error) {
	r, evidence, err := d.deps.Journal.Run(ctx, scope.Tenant(), scope.Actor(), id)
	if err != nil {
		return draft.Wish{}, err
	}
	if r.State != run.AwaitingReview {
		return draft.Wish{}, draft.NotAwaiting()
	}
	had, err := d.deps.Drafts.OfRun(ctx, scope.Tenant(), scope.Actor(), id)
	switch {
	case problem.Is(err, problem.NotFound):
		had = firstDraft(r)
	case err != nil:
		return draft.Wish{}, err
	}
	rights := d.rights(scope)
	if held, err := rights.draftIntegrity(ctx, had, r, evidence); err != nil || held.Changed() {
		return draft.Wish{}, cmp.Or(err, changed())
	}
	if had.Newest != change.Base {
		return draft.Wish{}, draft.Conflict()
	}
	view, readable, err := rights.draft(ctx, had, r, evidence)
	if err != nil {
		return draft.Wish{}, err
	}
	if change.overwrites(view) && !change.DiscardWithheld {
		return draft.Wish{}, draft.Reduced()
	}
	wish := draft.Wish{Run: id, Base: had.Newest, Title: had.Title, Titled: had.Titled, Body: had.Body}
	if change.Title != nil {
		wish.Title, wish.Titled = *change.Title, true
	}
	if change.Body != nil {
		wish.Body = draft.Text(*change.Body)
	} else {
		readable = evidence // the text stays as it is, whoever may read what
	}
	answer, err := citation.AcceptEdit(wish.Body, readable)
	if err != nil {
		return draft.Wish{}, err
	}
	if slices.Contains(r.Notices, run.Erased) { // said last, since all that is refused otherwise is so whatever became of a source
		return draft.Wish{}, draft.Erased()
	}
	wish.Refs, wish.Checks = answer.Refs, citation.Verify(answer, readable, r.Remarks(r.Answer)...)
	return wish, nil
}

// overwrites reports whether a change would replace what its maker does not see.
func (c DraftChange) overwrites(v DraftView) bool {
	return c.Body != nil && v.BodyReduced || c.Title != nil && v.TitleWithheld
}

// firstDraft is what a run has put up for review, before anybody saved it.
func firstDraft(r *run.Run) draft.Draft {
	title := draft.TitleOf(r.Goal)
	if title == "" {
		title = string(r.ID)
	}
	return draft.Draft{Tenant: r.Tenant, Actor: r.Actor, Run: r.ID, Version: draft.Version{Title: title, Body: draft.Text(r.Answer.Text), Checks: r.Checks}}
}
