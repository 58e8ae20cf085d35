package sqlite

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
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Drafts implements desk.Drafts. Triggers of the schema refuse to change or remove a version.
type Drafts struct{ db *DB }

// Drafts returns the saved drafts of all tenants.
func (db *DB) Drafts() *Drafts { return &Drafts{db} }

const selectDraft = `SELECT id, tenant, actor, run, newest, created_at, no, title, titled, body, hash, record, saved_at
FROM drafts JOIN draft_versions ON draft = id `

func scanDraft(r scanner) (d draft.Draft, err error) {
	var created, savedAt int64
	var record string
	err = r.Scan(&d.ID, &d.Tenant, &d.Actor, &d.Run, &d.Newest, &created, &d.No, &d.Title, &d.Titled, &d.Body, &d.Hash, &record, &savedAt)
	if err != nil {
		return d, missing(err)
	}
	d.CreatedAt, d.SavedAt = at(created), at(savedAt)
	return d, stored.ReadDraft(record, &d.Version)
}

// Save implements desk.Drafts.
func (s *Drafts) Save(ctx context.Context, tenant access.TenantID, actor access.UserID, w draft.Wish) (d draft.Draft, err error) {
	if wrong := draft.WrongBody(w.Body); wrong != "" {
		return d, problem.New(problem.Invalid, "invalid_draft", "The body %s.", wrong)
	}
	if wrong := draft.WrongTitle(w.Title); wrong != "" {
		return d, problem.New(problem.Invalid, "invalid_draft", "The title %s.", wrong)
	}
	err = s.db.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := identity(ctx, t, tenant, actor); err != nil {
			return err
		}
		cited, err := draftable(ctx, t, tenant, actor, w)
		if err != nil {
			return err
		}
		d, err = scanDraft(t.QueryRowContext(ctx, selectDraft+`WHERE run = ? AND no = newest`, w.Run))
		if problem.Is(err, problem.NotFound) {
			d, err = draft.Draft{ID: draft.ID(random("draft_")), Tenant: tenant, Actor: actor, Run: w.Run, CreatedAt: t.now}, nil
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
			No: d.Newest, Title: w.Title, Titled: w.Titled, Body: w.Body, Hash: citation.HashText(w.Body), Cited: cited, Checks: w.Checks, SavedAt: t.now,
		}
		return putDraft(ctx, t, d)
	})
	if err != nil {
		return draft.Draft{}, err
	}
	return d, nil
}

// draftable returns what a wish cites, if its run is the actor's own and awaits review, nothing it
// has read was erased, and it has read all that the wish cites.
func draftable(ctx context.Context, t *tx, tenant access.TenantID, actor access.UserID, w draft.Wish) ([]draft.Cited, error) {
	j, err := ownRun(ctx, t, tenant, actor, w.Run)
	switch {
	case err != nil:
		return nil, err
	case j.State != run.AwaitingReview:
		return nil, draft.NotAwaiting()
	case slices.Contains(j.Notices, erasedNotice):
		return nil, draft.Erased()
	}
	rows, err := t.QueryContext(ctx, `SELECT record FROM evidence WHERE run = ? ORDER BY no`, w.Run)
	evidence, err := collect(rows, err, scanEvidence)
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

// putDraft stores the newest version of a draft, and the draft itself with its first.
func putDraft(ctx context.Context, t *tx, d draft.Draft) error {
	_, err := t.ExecContext(ctx, `INSERT INTO drafts (id, tenant, actor, run, newest, created_at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET newest = excluded.newest`, d.ID, d.Tenant, d.Actor, d.Run, d.Newest, d.CreatedAt.UnixMicro())
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO draft_versions (draft, no, title, titled, body, hash, record, saved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		d.ID, d.No, d.Title, d.Titled, d.Body, d.Hash, stored.Draft(d.Version), d.SavedAt.UnixMicro())
	if err != nil {
		return err
	}
	b := marshal(draftBody(d))
	if b.Err != nil {
		return b.Err
	}
	entry := ledger.Entry{Tenant: string(d.Tenant), Kind: ledger.DraftSaved, RunID: string(d.Run), Actor: string(d.Actor), Body: json.RawMessage(b.Text)}
	if _, err := record(ctx, t, entry); err != nil {
		return err
	}
	return made(ctx, t, idempotency.Receipt{ID: string(d.ID), Version: d.No})
}

// draftBody is what the ledger keeps of a saved version: ids, numbers and hashes, and no text.
func draftBody(d draft.Draft) map[string]any {
	cited := []map[string]any{}
	for _, c := range d.Cited {
		cited = append(cited, map[string]any{"ref": c.Ref, "document": c.Document, "version": c.Version, "excerpt_hash": c.Hash})
	}
	verdicts := map[citation.Verdict]int{}
	for _, c := range d.Checks {
		verdicts[c.Verdict]++
	}
	return map[string]any{
		"draft": d.ID, "version": d.No, "body_hash": d.Hash, "title_hash": citation.HashText(d.Title), "cited": cited, "checks": verdicts,
	}
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
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		d, err = scanDraft(t.QueryRowContext(ctx, selectDraft+where, args...))
		return err
	})
	if err != nil {
		return draft.Draft{}, err
	}
	return d, nil
}

// Drafts implements desk.Drafts.
func (s *Drafts) Drafts(ctx context.Context, tenant access.TenantID, actor access.UserID, f draft.Filter) (page corpus.Page[draft.Draft], err error) {
	from, err := parseCursor(f.After)
	if err != nil {
		return page, err
	}
	limit := pageSize(f.Limit)
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, selectDraft+`WHERE tenant = ?1 AND actor = ?2 AND no = newest
AND (?3 = '' OR created_at < ?4 OR created_at = ?4 AND id < ?3) ORDER BY created_at DESC, id DESC LIMIT ?5`, tenant, actor, from.ID, from.Micros, limit+1)
		page.Items, err = collect(rows, err, scanDraft)
		if len(page.Items) > limit {
			page.Items = page.Items[:limit]
			last := page.Items[limit-1]
			page.Next = cursor{Micros: last.CreatedAt.UnixMicro(), ID: string(last.ID)}.String()
		}
		return err
	})
	return page, err
}

// Versions implements desk.Drafts.
func (s *Drafts) Versions(ctx context.Context, tenant access.TenantID, actor access.UserID, id draft.ID) (out []draft.Draft, err error) {
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, selectDraft+`WHERE id = ? AND tenant = ? AND actor = ? ORDER BY no DESC`, id, tenant, actor)
		out, err = collect(rows, err, scanDraft)
		if err == nil && len(out) == 0 {
			err = problem.Missing()
		}
		return err
	})
	return out, err
}

// blankDrafts empties what was written from a run that read an erased version. Hashes stay.
func blankDrafts(ctx context.Context, t *tx, id run.ID) error {
	_, err := t.ExecContext(ctx, `UPDATE draft_versions SET title = '', body = '', record = json_remove(record, '$.checks')
WHERE draft IN (SELECT id FROM drafts WHERE run = ?)`, id)
	return err
}
