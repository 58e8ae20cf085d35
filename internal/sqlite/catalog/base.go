package catalog

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/intake"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Bases implements corpus.Bases.
type Bases struct{ DB *database.DB }

// managedBy gives whoever makes a knowledge base its management.
func managedBy(grants []access.Grant, by access.UserID) []access.Grant {
	if by == "" {
		return grants
	}
	grants = slices.DeleteFunc(slices.Clone(grants), func(g access.Grant) bool { return g.Principal == access.User(by) })
	return append(grants, access.Grant{Principal: access.User(by), Level: access.Manager})
}

// Create implements corpus.Bases. An id that is taken by a knowledge base which the scope can't
// see is not refused, since a refusal would tell of it: the new one gets an id of its own, as if
// none had been asked for, and the answer names it.
func (b *Bases) Create(ctx context.Context, scope access.Scope, kb access.KnowledgeBase) (out access.KnowledgeBase, err error) {
	if kb.ID != "" {
		if err := directory.Valid("knowledge base", string(kb.ID)); err != nil {
			return out, err
		}
	}
	if kb.Publishing == "" {
		kb.Publishing = access.ByProposal
	}
	if err := validBase(kb); err != nil {
		return out, err
	}
	err = b.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		kb.Tenant, kb.LockVersion, kb.CreatedAt = scope.Tenant(), 1, t.Now()
		_, err := directory.Base(ctx, t, kb.Tenant, kb.ID)
		switch {
		case kb.ID == "" || err == nil && scope.Level(kb.ID) < access.Reader:
			kb.ID = access.KnowledgeBaseID(row.Random("kb_"))
		case err == nil:
			return problem.New(problem.Conflict, "exists", "There is a knowledge base %q already.", kb.ID)
		case !problem.Is(err, problem.NotFound):
			return err
		}
		if kb.Name == "" {
			kb.Name = string(kb.ID)
		}
		kb.Grants = managedBy(kb.Grants, scope.Actor())
		_, err = t.ExecContext(ctx, `INSERT INTO bases (tenant, id, name, publishing, lock_version, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
			kb.Tenant, kb.ID, kb.Name, kb.Publishing, kb.LockVersion, kb.CreatedAt.UnixMicro())
		if err != nil {
			return err
		}
		if err := putGrants(ctx, t, kb.Tenant, kb.ID, kb.Grants); err != nil {
			return err
		}
		if out, err = directory.Base(ctx, t, kb.Tenant, kb.ID); err != nil {
			return err
		}
		if err := requests.Made(ctx, t, idempotency.Receipt{ID: string(out.ID)}); err != nil {
			return err
		}
		return chain.Change(ctx, t, ledger.BaseChanged, kb.Tenant, scope.Actor(), baseBody("created", out))
	})
	return out, err
}

// Base implements corpus.Bases.
func (b *Bases) Base(ctx context.Context, scope access.Scope, id access.KnowledgeBaseID) (out access.KnowledgeBase, err error) {
	err = b.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) (err error) {
		out, err = directory.AdmittedBase(ctx, t, scope, id, access.Reader)
		return err
	})
	return out, err
}

// List implements corpus.Bases.
func (b *Bases) List(ctx context.Context, scope access.Scope) (out []access.KnowledgeBase, err error) {
	err = b.DB.ReadScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		all, err := directory.Bases(ctx, t, scope.Tenant())
		out = slices.DeleteFunc(all, func(kb access.KnowledgeBase) bool { return scope.Level(kb.ID) < access.Reader })
		return err
	})
	return out, err
}

// Update implements corpus.Bases. A LockVersion that is not zero must be the row's.
func (b *Bases) Update(ctx context.Context, scope access.Scope, kb access.KnowledgeBase) (out access.KnowledgeBase, err error) {
	err = b.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		old, err := directory.AdmittedBase(ctx, t, scope, kb.ID, access.Manager)
		switch {
		case err != nil:
			return err
		case kb.LockVersion != 0 && kb.LockVersion != old.LockVersion:
			return lockConflict()
		}
		if kb.Name == "" {
			kb.Name = old.Name
		}
		if kb.Publishing == "" {
			kb.Publishing = old.Publishing
		}
		kb.Grants = nil
		if err := validBase(kb); err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE bases SET name = ?, publishing = ?, lock_version = lock_version + 1 WHERE tenant = ? AND id = ?`,
			kb.Name, kb.Publishing, old.Tenant, old.ID)
		if err != nil {
			return err
		}
		if out, err = directory.Base(ctx, t, old.Tenant, old.ID); err != nil {
			return err
		}
		return chain.Change(ctx, t, ledger.BaseChanged, old.Tenant, scope.Actor(), baseBody("updated", out))
	})
	return out, err
}

// SetGrants implements corpus.Bases.
func (b *Bases) SetGrants(ctx context.Context, scope access.Scope, id access.KnowledgeBaseID, grants []access.Grant) error {
	if err := validBase(access.KnowledgeBase{Publishing: access.ByProposal, Grants: grants}); err != nil {
		return err
	}
	return b.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		kb, err := directory.AdmittedBase(ctx, t, scope, id, access.Manager)
		if err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM grants WHERE tenant = ? AND base = ?`, kb.Tenant, id); err != nil {
			return err
		}
		if err := putGrants(ctx, t, kb.Tenant, id, grants); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `UPDATE bases SET lock_version = lock_version + 1 WHERE tenant = ? AND id = ?`, kb.Tenant, id); err != nil {
			return err
		}
		body := map[string]any{"knowledge_base": id, "grants": grantBody(grants)}
		return chain.Change(ctx, t, ledger.GrantsChanged, kb.Tenant, scope.Actor(), body)
	})
}

// Remove implements corpus.Bases. Every version is erased under a name that no knowledge base can
// have: nobody has a right there with which it could be erased later, the id is free again, and a
// later base of this id inherits nothing. Uploads on their way are called off: a waiting one ends
// now, one that a worker holds when the worker next reports or publishes.
func (b *Bases) Remove(ctx context.Context, scope access.Scope, id access.KnowledgeBaseID) error {
	return b.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		kb, err := directory.AdmittedBase(ctx, t, scope, id, access.Manager)
		if err != nil {
			return err
		}
		if err := intake.CallOffAll(ctx, t, kb.Tenant, id); err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, versions.Select+`WHERE tenant = ? AND base = ? AND status IN ('draft', 'published', 'archived', 'deleted')`, kb.Tenant, id)
		all, err := row.Collect(rows, err, versions.Scan)
		if err != nil {
			return err
		}
		for _, v := range all {
			if _, err := strip(ctx, t, v); err != nil {
				return err
			}
		}
		if _, err := t.ExecContext(ctx, `UPDATE documents SET base = ? WHERE tenant = ? AND base = ?`, row.Random("~"), kb.Tenant, id); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM bases WHERE tenant = ? AND id = ?`, kb.Tenant, id); err != nil {
			return err
		}
		body := baseBody("removed", kb)
		body["documents"] = len(all)
		t.After(b.DB.EmptyLog)
		return chain.Change(ctx, t, ledger.BaseChanged, kb.Tenant, scope.Actor(), body)
	})
}

func putGrants(ctx context.Context, t *database.Tx, tenant access.TenantID, id access.KnowledgeBaseID, grants []access.Grant) error {
	for _, g := range grants {
		_, err := t.ExecContext(ctx, `INSERT INTO grants (tenant, base, principal, level) VALUES (?, ?, ?, ?)`, tenant, id, g.Principal, g.Level)
		if err != nil {
			return err
		}
	}
	return nil
}

// validBase checks what a caller may set. A principal is granted one level.
func validBase(kb access.KnowledgeBase) error {
	if kb.Publishing != access.ByProposal && kb.Publishing != access.Directly {
		return problem.New(problem.Invalid, "invalid_publishing", "%q is no way of publishing: use proposal or direct.", kb.Publishing)
	}
	seen := map[access.Principal]bool{}
	for _, g := range kb.Grants {
		if _, err := access.ParsePrincipal(string(g.Principal)); err != nil {
			return err
		}
		if _, err := access.ParseLevel(g.Level.String()); err != nil {
			return err
		}
		if seen[g.Principal] {
			return problem.New(problem.Invalid, "invalid_grants", "%q is granted two levels.", g.Principal)
		}
		seen[g.Principal] = true
	}
	return nil
}

func baseBody(what string, kb access.KnowledgeBase) map[string]any {
	return map[string]any{
		"change": what, "knowledge_base": kb.ID, "publishing": kb.Publishing,
		"lock_version": kb.LockVersion, "grants": grantBody(kb.Grants),
	}
}

func grantBody(grants []access.Grant) map[access.Principal]string {
	out := make(map[access.Principal]string, len(grants))
	for _, g := range grants {
		out[g.Principal] = g.Level.String()
	}
	return out
}

func lockConflict() error {
	return problem.New(problem.Conflict, "lock_conflict", "It was changed meanwhile: read it again.")
}
