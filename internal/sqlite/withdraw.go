package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// managed reads a version that the scope admits and whose knowledge base it manages.
func managed(ctx context.Context, t *database.Tx, scope access.Scope, id corpus.DocumentID) (version, error) {
	v, err := admitted(ctx, t, scope, id)
	if err == nil && scope.Level(v.KnowledgeBase) < access.Manager {
		err = problem.Missing()
	}
	if err != nil {
		return version{}, err
	}
	return v, nil
}

func notPublished(v version) error {
	return problem.New(problem.Conflict, "not_published", "Only a published version can be archived; this one is %s.", v.Status)
}

// Archive implements corpus.Catalog.
func (c *Catalog) Archive(ctx context.Context, scope access.Scope, id corpus.DocumentID) (d corpus.Document, err error) {
	err = c.db.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := managed(ctx, t, scope, id)
		if err != nil {
			return err
		}
		if v.Status != access.StatusPublished {
			return notPublished(v)
		}
		if err := withdraw(ctx, t, &v, access.StatusArchived); err != nil {
			return err
		}
		d = v.Document
		return change(ctx, t, ledger.DocumentArchived, v.Tenant, scope.Actor(), documentBody(v.Document))
	})
	if err != nil {
		return corpus.Document{}, err
	}
	return d, nil
}

// Delete implements corpus.Catalog.
func (c *Catalog) Delete(ctx context.Context, scope access.Scope, id corpus.DocumentID) error {
	return c.db.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := managed(ctx, t, scope, id)
		if err != nil {
			return err
		}
		was := v.Status
		if err := withdraw(ctx, t, &v, deleted); err != nil {
			return err
		}
		if err := vectors.Withdraw(ctx, t, v.row); err != nil {
			return err
		}
		body := documentBody(v.Document)
		body["was"] = was
		return change(ctx, t, ledger.DocumentDeleted, v.Tenant, scope.Actor(), body)
	})
}
