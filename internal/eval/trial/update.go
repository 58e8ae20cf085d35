package trial

import (
	"context"
	"path"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/run"
)

// update asks, publishes another version, and asks again: the first answer has to lean on the old
// version, the second on the new one alone, and a source of the first still opens and says what
// has become of it.
func (y *try) update(ctx context.Context) {
	if !y.ask(ctx, y.Runner) {
		return
	}
	y.judge(ctx, y.c.Update.Before)
	first := y.run
	cited, ok := y.read(ctx)
	if !ok {
		return
	}
	old, err := y.replaced(ctx)
	if err != nil {
		y.broke("the versions in force can't be read", err)
		return
	}
	if err := y.publish(ctx); err != nil {
		y.broke("the new version was not published", err)
		return
	}
	y.question(ctx)
	if y.run != first {
		y.renewed(ctx, old)
	}
	if !slices.ContainsFunc(cited, func(e citation.Evidence) bool { return old[e.Document] }) {
		for _, g := range []eval.Group{eval.Citation, eval.Traceability} {
			y.fault(g, "update_untested", "the earlier answer leaned on no version that was replaced")
		}
	}
	y.superseded(ctx, first, cited, old)
}

// renewed looks whether the run at hand, which began after the update, read what was replaced.
func (y *try) renewed(ctx context.Context, old map[corpus.DocumentID]bool) {
	passages, ok := y.read(ctx)
	if !ok {
		return
	}
	for _, e := range passages {
		if old[e.Document] {
			y.fault(eval.Citation, "old_version", "[%s] was read from version %d after another was published", e.Ref, e.Version)
		}
	}
}

// read returns the passages of the run at hand. It is false if they can't be read, which is told.
func (y *try) read(ctx context.Context) ([]citation.Evidence, bool) {
	_, evidence, err := y.Journal.Run(ctx, y.actor.Tenant, y.actor.User, y.run)
	if err != nil {
		y.broke("the passages of the run can't be read", err)
		return nil, false
	}
	return evidence, true
}

// replaced returns the versions of the document that are in force before the update.
func (y *try) replaced(ctx context.Context) (map[corpus.DocumentID]bool, error) {
	u := y.c.Update
	f := corpus.Filter{KnowledgeBase: u.Base, Key: u.Key, Status: access.StatusPublished, Limit: 200}
	if u.Publish != "" {
		doc, err := y.truth(ctx, u.Publish)
		if err != nil {
			return nil, err
		}
		f.KnowledgeBase, f.Key = doc.KnowledgeBase, doc.Key
	}
	out := map[corpus.DocumentID]bool{}
	page, err := y.Catalog.Documents(ctx, unscoped.Scope(y.actor.Tenant), f)
	if err != nil {
		return nil, err
	}
	for _, d := range page.Items {
		out[d.ID] = true
	}
	return out, nil
}

// publish makes the new version the one in force, as the person whom the case names.
func (y *try) publish(ctx context.Context) error {
	u := y.c.Update
	actor := access.Actor{Tenant: y.actor.Tenant, User: u.By, Operator: true}
	if u.Publish == "" {
		return y.Upload(ctx, actor, corpus.Upload{
			KnowledgeBase: u.Base, Key: u.Key, FileName: or(u.File, path.Base(string(u.Key))), Publish: true,
		}, []byte(u.Text))
	}
	p, err := y.Proposer.Propose(ctx, actor, u.Publish)
	if err == nil {
		_, err = y.Proposer.Decide(ctx, actor, p.ID, true, "evaluation")
	}
	return err
}

// superseded opens the old answer's sources again.
func (y *try) superseded(ctx context.Context, first run.ID, cited []citation.Evidence, old map[corpus.DocumentID]bool) {
	for _, e := range cited {
		if !old[e.Document] {
			continue
		}
		opened, err := y.Reader.Source(ctx, y.actor, first, e.Ref)
		switch {
		case err != nil:
			y.fault(eval.Traceability, "source_closed", "the source [%s] of the earlier answer does not open any more: %s", e.Ref, said(err))
		case opened.Evidence.Excerpt != e.Excerpt || opened.Evidence.Hash != e.Hash:
			y.fault(eval.Traceability, "source_changed", "the source [%s] of the earlier answer shows another text than was read", e.Ref)
		case opened.Current.Status != access.StatusArchived || opened.Current.Document == e.Document:
			y.fault(eval.Traceability, "source_not_superseded", "the source [%s] of the earlier answer does not say that a newer version is in force", e.Ref)
		}
	}
}
