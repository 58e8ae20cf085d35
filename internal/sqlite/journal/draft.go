package journal

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/drafts"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Drafts implements desk.Drafts. Triggers of the schema refuse to change or remove a version.
type Drafts struct{ DB *database.DB }

// Save implements desk.Drafts.
func (s *Drafts) Save(ctx context.Context, tenant access.TenantID, actor access.UserID, w draft.Wish) (d draft.Draft, err error) {
	if wrong := draft.WrongBody(w.Body); wrong != "" {
		return d, problem.New(problem.Invalid, "invalid_draft", "The body %s.", wrong)
	}
	if wrong := draft.WrongTitle(w.Title); wrong != "" {
		return d, problem.New(problem.Invalid, "invalid_draft", "The title %s.", wrong)
	}
	err = s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := directory.Identity(ctx, t, tenant, actor); err != nil {
			return err
		}
		cited, err := draftable(ctx, t, tenant, actor, w)
		if err != nil {
			return err
		}
		d, err = drafts.One(ctx, t, `WHERE run = ? AND no = newest`, w.Run)
		if problem.Is(err, problem.NotFound) {
			d, err = draft.Draft{ID: draft.ID(row.Random("draft_")), Tenant: tenant, Actor: actor, Run: w.Run, CreatedAt: t.Now()}, nil
		}
		switch {
		case err != nil:
			return err
		case d.Newest != w.Base:
			return draft.Conflict()
		case d.Newest >= draft.MaxVersions:
			return draft.Full()
		}
		d.Newest++
		d.Version = draft.Version{
			No: d.Newest, Title: w.Title, Titled: w.Titled, Body: w.Body, Cited: cited, Checks: w.Checks, SavedAt: t.Now(),
		}.Hashed()
		return recordDraft(ctx, t, d)
	})
	if err != nil {
		return draft.Draft{}, err
	}
	return d, nil
}

// draftable returns what a wish cites, if its run is the actor's own and awaits review, nothing it
// has read was erased, and it has read all that the wish cites.
func draftable(ctx context.Context, t *database.Tx, tenant access.TenantID, actor access.UserID, w draft.Wish) ([]draft.Cited, error) {
	j, err := own(ctx, t, tenant, actor, w.Run)
	switch {
	case err != nil:
		return nil, err
	case j.State != run.AwaitingReview:
		return nil, draft.NotAwaiting()
	case slices.Contains(j.Notices, run.Erased):
		return nil, draft.Erased()
	}
	evidence, err := stored.EvidenceOf(ctx, t, w.Run)
	if err != nil {
		return nil, err
	}
	var out []draft.Cited
	for _, ref := range w.Refs {
		i := slices.IndexFunc(evidence, func(e citation.Evidence) bool { return e.Ref == ref })
		if i < 0 {
			return nil, problem.New(problem.Invalid, "invalid_citations", "The text cites [%s], which its run did not read.", ref)
		}
		e := evidence[i]
		out = append(out, draft.Cited{Ref: ref, Document: e.Document, Version: e.Version, Hash: e.Hash})
	}
	return out, nil
}

// recordDraft stores the newest version of a draft, with its entry in the ledger.
func recordDraft(ctx context.Context, t *database.Tx, d draft.Draft) error {
	if err := drafts.Put(ctx, t, d); err != nil {
		return err
	}
	b := row.Marshal(d.SavedBody())
	if b.Err != nil {
		return b.Err
	}
	entry := ledger.Entry{Tenant: string(d.Tenant), Kind: ledger.DraftSaved, RunID: string(d.Run), Actor: string(d.Actor), Body: json.RawMessage(b.Text)}
	if _, err := chain.Append(ctx, t, entry); err != nil {
		return err
	}
	return requests.Made(ctx, t, idempotency.Receipt{ID: string(d.ID), Version: d.No})
}

// Draft implements desk.Drafts.
func (s *Drafts) Draft(ctx context.Context, tenant access.TenantID, actor access.UserID, id draft.ID, no int) (draft.Draft, error) {
	return s.one(ctx, `WHERE id = ?1 AND tenant = ?2 AND actor = ?3 AND no = iif(?4 = 0, newest, ?4)`, id, tenant, actor, no)
}

// OfRun implements desk.Drafts.
func (s *Drafts) OfRun(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (draft.Draft, error) {
	return s.one(ctx, `WHERE run = ? AND tenant = ? AND actor = ? AND no = newest`, id, tenant, actor)
}

func (s *Drafts) one(ctx context.Context, where string, args ...any) (d draft.Draft, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		d, err = drafts.One(ctx, t, where, args...)
		return err
	})
	if err != nil {
		return draft.Draft{}, err
	}
	return d, nil
}

// Drafts implements desk.Drafts.
func (s *Drafts) Drafts(ctx context.Context, tenant access.TenantID, actor access.UserID, f draft.Filter) (page corpus.Page[draft.Draft], err error) {
	from, err := row.ParseCursor(f.After)
	if err != nil {
		return page, err
	}
	limit := row.PageSize(f.Limit)
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		page, err = drafts.Page(ctx, t, tenant, actor, from, limit)
		return err
	})
	return page, err
}

// Versions implements desk.Drafts.
func (s *Drafts) Versions(ctx context.Context, tenant access.TenantID, actor access.UserID, id draft.ID) (out []draft.Draft, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = drafts.Versions(ctx, t, tenant, actor, id)
		return err
	})
	return out, err
}
