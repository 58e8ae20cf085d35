package catalog

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// managed reads a version that the scope admits and whose knowledge base it manages.
func managed(ctx context.Context, t *database.Tx, scope access.Scope, id corpus.DocumentID) (versions.Row, error) {
	v, err := versions.Admitted(ctx, t, scope, id)
	if err == nil && scope.Level(v.KnowledgeBase) < access.Manager {
		err = problem.Missing()
	}
	if err != nil {
		return versions.Row{}, err
	}
	return v, nil
}

// Archive implements corpus.Catalog.
func (c *Documents) Archive(ctx context.Context, scope access.Scope, id corpus.DocumentID) (d corpus.Document, err error) {
	err = c.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := managed(ctx, t, scope, id)
		if err != nil {
			return err
		}
		if v.Status != access.StatusPublished {
			return versions.NotPublished(v)
		}
		if err := versions.Withdraw(ctx, t, &v, access.StatusArchived); err != nil {
			return err
		}
		d = v.Document
		return chain.Change(ctx, t, ledger.DocumentArchived, v.Tenant, scope.Actor(), versions.Body(v.Document))
	})
	if err != nil {
		return corpus.Document{}, err
	}
	return d, nil
}

// Delete implements corpus.Catalog.
func (c *Documents) Delete(ctx context.Context, scope access.Scope, id corpus.DocumentID) error {
	return c.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := managed(ctx, t, scope, id)
		if err != nil {
			return err
		}
		was := v.Status
		if err := versions.Withdraw(ctx, t, &v, versions.Deleted); err != nil {
			return err
		}
		if err := vectors.Withdraw(ctx, t, v.Number); err != nil {
			return err
		}
		body := versions.Body(v.Document)
		body["was"] = was
		return chain.Change(ctx, t, ledger.DocumentDeleted, v.Tenant, scope.Actor(), body)
	})
}
