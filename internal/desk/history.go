package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// History reads any version by parsing its original again. It needs the role knowledge_admin and
// the right to read, records each reading, and answers everybody else problem.NotFound.
// *toolkit.History is the one.
type History interface {
	Text(ctx context.Context, actor access.Actor, id corpus.DocumentID) (corpus.Text, error)
}

// DocumentVersion returns the complete text of any version, made from its original now.
func (d *Desk) DocumentVersion(ctx context.Context, actor access.Actor, id corpus.DocumentID) (corpus.Text, error) {
	return d.deps.History.Text(ctx, actor, id)
}

// mayLookBack refuses a question about the past to everybody but knowledge administrators, in the
// words of a thing that is not there.
func mayLookBack(scope access.Scope, req access.Request) error {
	if !req.AsOf.IsZero() && !scope.Has(access.KnowledgeAdmin) {
		return problem.Missing()
	}
	return nil
}

// auditPast records that a search in the past is about to show pieces of versions.
func (d *Desk) auditPast(ctx context.Context, actor access.Actor, req access.Request, result retrieval.Result) error {
	if req.AsOf.IsZero() {
		return nil
	}
	shown := make([]corpus.DocumentID, 0, len(result.Hits))
	for _, h := range result.Hits {
		shown = append(shown, h.Document.ID)
	}
	_, err := d.deps.Ledger.Append(ctx, ledger.Entry{
		Tenant: string(actor.Tenant), Kind: ledger.HistoryRead, Actor: string(actor.User), Time: d.deps.Clock(),
		Body: body(map[string]any{"documents": shown, "part": "search", "as_of": req.AsOf.UTC()}),
	})
	return err
}
