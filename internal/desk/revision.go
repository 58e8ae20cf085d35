package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/revision"
)

// Comparison is two versions of one document and what changed from one to the other.
type Comparison struct {
	From, To   Document
	Difference revision.Difference
}

// PolicyDiffers reports whether the two versions say differently who may read them.
func (c Comparison) PolicyDiffers() bool { return !c.From.Policy.Equal(c.To.Policy) }

// Compare returns what changed between two versions whose content the actor may read. Versions of
// two documents are problem.Invalid; a version that may not be read is problem.NotFound, whatever
// the other one is. Reading an archived version is recorded.
func (d *Desk) Compare(ctx context.Context, actor access.Actor, from, to corpus.DocumentID) (Comparison, error) {
	var out Comparison
	audited := map[corpus.DocumentID]bool{}
	err := d.within(ctx, actor, access.Request{View: access.Content}, func(scope access.Scope) error {
		a, err := d.deps.Catalog.Document(ctx, scope, from)
		if err != nil {
			return err
		}
		b, err := d.deps.Catalog.Document(ctx, scope, to)
		if err != nil {
			return err
		}
		if a.KnowledgeBase != b.KnowledgeBase || a.Key != b.Key {
			return invalid(problem.Field{Pointer: "?to", Detail: "must be a version of the same document"})
		}
		for _, doc := range []corpus.Document{a, b} {
			if doc.Status != access.StatusArchived || audited[doc.ID] {
				continue
			}
			if err := d.auditHistory(ctx, actor, doc, "diff"); err != nil {
				return err
			}
			audited[doc.ID] = true
		}
		out, err = d.compareVersions(ctx, scope, a, b)
		return err
	})
	if err != nil {
		return Comparison{}, err
	}
	return out, nil
}

// compareVersions compares the texts of two versions that the scope admits. Comparing takes time:
// the right to read is checked again after it.
func (d *Desk) compareVersions(ctx context.Context, scope access.Scope, a, b corpus.Document) (Comparison, error) {
	from, err := d.deps.Texts.Text(ctx, scope, a.ID)
	if err != nil {
		return Comparison{}, err
	}
	to, err := d.deps.Texts.Text(ctx, scope, b.ID)
	if err != nil {
		return Comparison{}, err
	}
	out := Comparison{
		From: Document{a, scope.Level(a.KnowledgeBase)}, To: Document{b, scope.Level(b.KnowledgeBase)},
		Difference: revision.Compare(from, to),
	}
	for _, id := range []corpus.DocumentID{a.ID, b.ID} {
		if _, err := d.deps.Catalog.Document(ctx, scope, id); err != nil {
			return Comparison{}, err
		}
	}
	return out, nil
}

// auditHistory records that the content of an archived version is about to be given out.
func (d *Desk) auditHistory(ctx context.Context, actor access.Actor, doc corpus.Document, part string) error {
	_, err := d.deps.Ledger.Append(ctx, ledger.Entry{
		Tenant: string(actor.Tenant), Kind: ledger.HistoryRead, Actor: string(actor.User), Time: d.deps.Clock(),
		Body: body(map[string]any{
			"document_id": doc.ID, "version": doc.Version, "checksum": doc.Checksum, "part": part,
		}),
	})
	return err
}

// ArchiveDocument takes a published version out of force without another in its place. It needs
// manager.
func (d *Desk) ArchiveDocument(ctx context.Context, actor access.Actor, id corpus.DocumentID, lock int) (Document, error) {
	var out Document
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		if err := d.managedVersion(ctx, scope, id, lock); err != nil {
			return err
		}
		doc, err := d.deps.Catalog.Archive(ctx, scope, id)
		out = Document{doc, scope.Level(doc.KnowledgeBase)}
		return err
	})
	if err != nil {
		return Document{}, err
	}
	return out, nil
}

// EraseDocument removes what a version held, for good; ids and hashes stay. It needs manager and
// the role knowledge_admin. A version that was deleted before can be erased too, but no condition
// on its state can be met any more.
func (d *Desk) EraseDocument(ctx context.Context, actor access.Actor, id corpus.DocumentID, lock int) error {
	return d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		if !scope.Has(access.KnowledgeAdmin) {
			return problem.Missing()
		}
		if lock != 0 {
			if err := d.managedVersion(ctx, scope, id, lock); err != nil {
				return err
			}
		}
		return d.forgetPages(d.deps.Catalog.Erase(ctx, scope, id))
	})
}

// managedVersion checks that the scope's actor manages a version that is in the expected state.
func (d *Desk) managedVersion(ctx context.Context, scope access.Scope, id corpus.DocumentID, lock int) error {
	doc, err := d.deps.Catalog.Document(ctx, scope, id)
	switch {
	case err != nil:
		return err
	case scope.Level(doc.KnowledgeBase) < access.Manager:
		return problem.Missing()
	case lock != 0 && lock != doc.LockVersion:
		return lockConflict()
	}
	return nil
}
