// Package catalog is what people do with documents that are there: finding, reading, editing, archiving, deleting and
// erasing them, and making and changing the knowledge bases that they are in; always in a scope, which is asked inside
// the transaction that uses it.
package catalog

import (
	"context"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/brought"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/intake"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Documents implements corpus.Catalog.
type Documents struct{ intake.Reservations }

// Document implements corpus.Catalog.
func (c *Documents) Document(ctx context.Context, scope access.Scope, id corpus.DocumentID) (d corpus.Document, err error) {
	err = c.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := versions.Admitted(ctx, t, scope, id)
		d = v.Document
		return err
	})
	return d, err
}

// batch is how many rows are read at a time while looking for those that are admitted.
const batch = 100

// Documents implements corpus.Catalog. Rows that the scope does not admit are passed over until
// the page is full, so that a page's length and its cursor tell nothing of them. Newest means the
// newest among the versions that the filter selects and the scope admits.
func (c *Documents) Documents(ctx context.Context, scope access.Scope, f corpus.Filter) (page corpus.Page[corpus.Document], err error) {
	f.Limit = row.PageSize(f.Limit)
	from, err := row.ParseCursor(f.After)
	if err != nil {
		return page, err
	}
	err = c.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		page, err = documents(ctx, t, scope, f, from)
		return err
	})
	return page, err
}

func documents(ctx context.Context, t *database.Tx, scope access.Scope, f corpus.Filter, from row.Cursor) (page corpus.Page[corpus.Document], err error) {
	for {
		rows, err := selectPage(ctx, t, scope, f, from)
		if err != nil {
			return page, err
		}
		for _, v := range rows {
			from = row.Cursor{Micros: v.UpdatedAt.UnixMicro(), ID: string(v.ID)}
			ok, err := selected(ctx, t, scope, f, v)
			switch {
			case err != nil:
				return page, err
			case !ok:
				continue
			case len(page.Items) == f.Limit:
				last := page.Items[len(page.Items)-1]
				page.Next = row.Cursor{Micros: last.UpdatedAt.UnixMicro(), ID: string(last.ID)}.String()
				return page, nil
			}
			if err := brought.Place(ctx, t, v.Number, f.Source, &v.SourcePath); err != nil {
				return page, err
			}
			page.Items = append(page.Items, v.Document)
		}
		if len(rows) < batch {
			return page, nil
		}
	}
}

// selectPage reads the rows after the cursor that the filter selects. The knowledge bases of the
// scope only narrow the search; admission is decided row by row.
func selectPage(ctx context.Context, t *database.Tx, scope access.Scope, f corpus.Filter, from row.Cursor) ([]versions.Row, error) {
	where, args := conditions(scope, f)
	where = append(where, "tenant = ?", "status IN ('draft', 'published', 'archived')")
	args = append(args, scope.Tenant())
	if !scope.Unbounded() {
		where = append(where, "base IN (SELECT value FROM json_each(?))")
		args = append(args, row.Marshal(scope.Bases()))
	}
	if from.ID != "" {
		where = append(where, "(updated_at < ? OR updated_at = ? AND id > ?)")
		args = append(args, from.Micros, from.Micros, from.ID)
	}
	rows, err := t.QueryContext(ctx, versions.Select+"WHERE "+strings.Join(where, " AND ")+" ORDER BY updated_at DESC, id LIMIT ?", append(args, batch)...)
	return row.Collect(rows, err, versions.Scan)
}

// conditions writes the filter's own wishes, values apart.
func conditions(scope access.Scope, f corpus.Filter) (where []string, args []any) {
	add := func(set bool, condition string, value any) {
		if set {
			where, args = append(where, condition), append(args, value)
		}
	}
	add(f.KnowledgeBase != "", "base = ?", f.KnowledgeBase)
	add(f.Key != "", "key = ?", f.Key)
	add(f.Status != "", "status = ?", f.Status)
	if f.Source != "" {
		where, args = append(where, brought.Condition), append(args, scope.Actor(), f.Source)
	}
	add(!f.UpdatedFrom.IsZero(), "updated_at >= ?", ceil(f.UpdatedFrom))
	add(!f.UpdatedTo.IsZero(), "updated_at < ?", ceil(f.UpdatedTo))
	return where, args
}

// ceil rounds a bound up to the resolution of rows, which keeps "at or after" and "before" exact.
func ceil(t time.Time) int64 { return t.Add(time.Microsecond - 1).UnixMicro() }

// selected reports whether a row goes into the page.
func selected(ctx context.Context, t *database.Tx, scope access.Scope, f corpus.Filter, v versions.Row) (bool, error) {
	if !versions.Admits(scope, v.Document) {
		return false, nil
	}
	if !f.Newest {
		return true, nil
	}
	where, args := conditions(scope, f)
	where = append(where, "tenant = ?", "base = ?", "key = ?", "version > ?", "status IN ('draft', 'published', 'archived')")
	args = append(args, v.Tenant, v.KnowledgeBase, v.Key, v.Version)
	rows, err := t.QueryContext(ctx, versions.Select+"WHERE "+strings.Join(where, " AND "), args...)
	later, err := row.Collect(rows, err, versions.Scan)
	for _, l := range later {
		if versions.Admits(scope, l.Document) {
			return false, err
		}
	}
	return true, err
}

// Edit implements corpus.Catalog. A change without any field set changes nothing.
func (c *Documents) Edit(ctx context.Context, scope access.Scope, id corpus.DocumentID, ch corpus.Change) (d corpus.Document, err error) {
	err = c.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := versions.Admitted(ctx, t, scope, id)
		if err != nil {
			return err
		}
		level := access.Editor
		if ch.Policy != nil {
			level = access.Manager
		}
		if scope.Level(v.KnowledgeBase) < level {
			return problem.Missing()
		}
		if ch.Policy != nil && scope.Excludes(*ch.Policy) {
			return intake.ExcludesYou()
		}
		if ch.LockVersion != 0 && ch.LockVersion != v.LockVersion {
			return lockConflict()
		}
		if ch.Policy != nil && v.Status == access.StatusArchived {
			if err := followsNone(ctx, t, v); err != nil {
				return err
			}
		}
		former := row.Marshal(v.Policy)
		changed, err := apply(&v.Document, ch)
		if d = v.Document; err != nil || len(changed) == 0 {
			return err
		}
		v.LockVersion++
		d = v.Document
		_, err = t.ExecContext(ctx, `UPDATE documents SET title = ?, titled = ?, policy = ?, own_policy = ?, labels = ?, lock_version = ? WHERE row = ?`,
			v.Title, v.Titled || ch.Title != nil, row.Marshal(v.Policy), v.Own || ch.Policy != nil, row.Marshal(row.List(v.Labels)), v.LockVersion, v.Number)
		var inside []corpus.DocumentID
		if err == nil && ch.Policy != nil && v.Status == access.StatusPublished {
			inside, err = contents.Follow(ctx, t, versions.HolderOf(v), row.Marshal(v.Policy), former)
		}
		if err != nil {
			return err
		}
		body := contents.Tell(versions.Body(d), inside)
		body["changed"], body["policy"] = changed, d.Policy
		return chain.Change(ctx, t, ledger.DocumentEdited, d.Tenant, scope.Actor(), body)
	})
	if err != nil {
		return corpus.Document{}, err
	}
	return d, nil
}

// followsNone refuses to change the policy of an archived version while there is a published one:
// it follows that one's.
func followsNone(ctx context.Context, t *database.Tx, archived versions.Row) error {
	there, err := versions.Of(ctx, t, archived.Tenant, archived.KnowledgeBase, archived.Key)
	for _, v := range there {
		if v.Status == access.StatusPublished {
			return problem.New(problem.Conflict, "policy_of_published", "An archived version has the access policy of the published one: change it there.")
		}
	}
	return err
}

// apply changes the document and names what was changed.
func apply(d *corpus.Document, ch corpus.Change) (changed []string, err error) {
	if ch.Title != nil {
		if strings.TrimSpace(*ch.Title) == "" {
			return nil, problem.New(problem.Invalid, "invalid_title", "A document needs a title.")
		}
		d.Title, changed = *ch.Title, append(changed, "title")
	}
	if ch.Policy != nil {
		if err := versions.ValidPolicy(*ch.Policy); err != nil {
			return nil, err
		}
		d.Policy, changed = *ch.Policy, append(changed, "policy")
	}
	if ch.Labels != nil {
		d.Labels, changed = *ch.Labels, append(changed, "labels")
	}
	return changed, nil
}
