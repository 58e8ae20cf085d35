package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// exportLife is how long after its approval an export may be fetched.
const exportLife = approval.Lifetime

func exportExpired() error {
	return problem.New(problem.Expired, "result_expired", "The time to fetch this export is over. Propose it again.")
}

// exportable returns the task of an export that its proposer may fetch now.
func (d *Desk) exportable(ctx context.Context, actor access.Actor, id approval.TaskID) (approval.Task, error) {
	if d.deps.Tasks == nil {
		return approval.Task{}, problem.Missing()
	}
	k, err := d.deps.Tasks.Task(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return k, err
	}
	name := k.Proposal.Call.Tool
	if k.Proposal.Proposer != actor.User || k.Status != approval.Succeeded || name != approval.ExportDocument && name != approval.ExportHistory {
		return k, problem.Missing()
	}
	if !d.deps.Clock().Before(k.EndedAt.Add(exportLife)) {
		return k, exportExpired()
	}
	return k, nil
}

// The bounds of one export.
const (
	exportVersions = 200
	exportBytes    = 16 << 20
)

// Export gives out the texts of an approved export, under the rights of this moment: the approval
// stands for the person's wish, and never for a right. Each fetch is in the ledger before any of it
// leaves. Nothing of the text is kept with the task.
func (d *Desk) Export(ctx context.Context, actor access.Actor, id approval.TaskID) ([]corpus.Text, error) {
	k, err := d.exportable(ctx, actor, id)
	if err != nil {
		return nil, err
	}
	var texts []corpus.Text
	if k.Proposal.Call.Tool == approval.ExportDocument {
		texts, err = d.exportVersion(ctx, actor, corpus.DocumentID(k.Proposal.Document))
	} else {
		texts, err = d.exportHistory(ctx, actor, k.Proposal)
	}
	if err != nil {
		return nil, err
	}
	shown, size := make([]corpus.DocumentID, 0, len(texts)), 0
	for _, t := range texts {
		shown = append(shown, t.Document.ID)
		size += len(t.Text)
	}
	if size > exportBytes {
		return nil, tooMuch()
	}
	_, err = d.deps.Ledger.Append(ctx, ledger.Entry{
		Tenant: string(actor.Tenant), Kind: ledger.TextExported, RunID: k.Proposal.Run, Actor: string(actor.User), Time: d.deps.Clock(),
		Body: body(map[string]any{"task": k.ID, "proposal": k.Proposal.ID, "tool": k.Proposal.Call.Tool, "documents": shown}),
	})
	return texts, err
}

func tooMuch() error {
	return problem.New(problem.Exhausted, "export_too_large", "This is more text than one export gives out.")
}

// exportVersion reads the version in force.
func (d *Desk) exportVersion(ctx context.Context, actor access.Actor, id corpus.DocumentID) ([]corpus.Text, error) {
	var text corpus.Text
	err := d.within(ctx, actor, access.Request{}, func(scope access.Scope) (err error) {
		text, err = d.deps.Texts.Text(ctx, scope, id)
		return err
	})
	return []corpus.Text{text}, err
}

// exportHistory reads all versions of a document that the actor may read, newest first. Each is a
// reading of history, and recorded as one too.
func (d *Desk) exportHistory(ctx context.Context, actor access.Actor, p approval.Proposal) ([]corpus.Text, error) {
	var page corpus.Page[corpus.Document]
	err := d.within(ctx, actor, access.Request{View: access.Content}, func(scope access.Scope) (err error) {
		if !scope.Has(access.KnowledgeAdmin) {
			return problem.Missing()
		}
		page, err = d.deps.Catalog.Documents(ctx, scope, corpus.Filter{KnowledgeBase: p.KnowledgeBase, Key: corpus.Key(p.DocKey), Limit: exportVersions})
		return err
	})
	if err != nil {
		return nil, err
	}
	if page.Next != "" {
		return nil, tooMuch()
	}
	if len(page.Items) == 0 {
		return nil, problem.Missing()
	}
	var out []corpus.Text
	size := 0
	for _, doc := range page.Items {
		text, err := d.deps.History.Text(ctx, actor, doc.ID)
		if err != nil {
			return nil, err
		}
		if size += len(text.Text); size > exportBytes {
			return nil, tooMuch()
		}
		out = append(out, text)
	}
	return out, nil
}
